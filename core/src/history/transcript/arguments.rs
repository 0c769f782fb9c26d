//! What a call was made with.

use huddle_scan::{Cursor, RawJson};

/// What counts of the arguments of a call.
#[derive(Default)]
pub(super) struct Arguments<'b> {
    pub(super) file: Option<RawJson<'b>>,
    pub(super) command: Option<RawJson<'b>>,
    pub(super) prompt: Option<RawJson<'b>>,
    pub(super) message: Option<RawJson<'b>>,
    /// The type of the agent that is started.
    pub(super) kind: Option<RawJson<'b>>,
    pub(super) task: Option<RawJson<'b>>,
}

impl<'b> Arguments<'b> {
    pub(super) fn of(input: RawJson<'b>) -> Self {
        let mut found = Self::default();
        let (mut other_kind, mut name) = (None, None);
        Cursor::new(input).members(|cursor, key| {
            let place = match key {
                b"file_path" | b"notebook_path" | b"path" | b"filePath" | b"absolute_path" => &mut found.file,
                b"command" | b"cmd" => &mut found.command,
                b"prompt" => &mut found.prompt,
                b"message" => &mut found.message,
                b"subagent_type" => &mut found.kind,
                b"agent_type" => &mut other_kind,
                b"description" => &mut found.task,
                b"name" => &mut name,
                _ => return,
            };
            place.get_or_insert_with(|| cursor.value());
        });
        let said = |value: &RawJson<'b>| value.has_text();
        found.kind = found.kind.or(other_kind).filter(said);
        found.task = found.task.or(name).filter(said);
        found
    }
}
