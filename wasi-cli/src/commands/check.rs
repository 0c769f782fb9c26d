//! `huddle check`

use huddle_api::{BusCheck, CheckBus, DiagnosticEntry, MovedFile};
use huddle_core::model::{ErrorKind, Severity};
use huddle_core::wire::answer;

use super::paths::Paths;
use crate::call::Call;
use crate::failure::Failure;
use crate::project::BUS_DIR;
use crate::remedy::Face;
use crate::sources::Past;
use crate::terminal::escape_line;
use crate::{output, text};

/// How many findings are listed for people: the worst come first.
const MAX_LISTED: usize = 100;

/// Find what is wrong with the bus, or with what lies at PATH
///
/// Claims are held against evidence. The worst comes first; of many findings the first 100 are listed, and all of
/// them with --json. Exit code 6 when there is data that cannot be used.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    paths: Paths,
    /// move what nobody can read or carry out to .huddle/quarantine/, and say where it is; nothing is removed
    #[arg(long)]
    mend: bool,
}

impl CheckArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let Self { paths: Paths { paths }, mend } = self;
        if !paths.is_empty() {
            return of_past(&paths, call);
        }
        let mut check = call.execute(CheckBus { mend })?;
        reword(&mut check.findings);
        call.answer(&check, show)?;
        ended(check.ok)
    }
}

/// Words hints for the command.
fn reword(findings: &mut [DiagnosticEntry]) {
    for finding in findings {
        finding.hint = Face::Command.hint(&finding.remedy);
    }
}

/// Ends in failure when there is data that cannot be used.
fn ended(ok: bool) -> Result<(), Failure> {
    if ok { Ok(()) } else { Err(Failure::said(ErrorKind::Invalid)) }
}

/// Checks what lies at a path.
fn of_past(paths: &[String], call: &mut Call<'_>) -> Result<(), Failure> {
    let mut past = Past::load(paths, call)?;
    let findings = past.check()?;
    let account = past.history.account();
    let ok = findings.iter().all(|finding| finding.severity != Severity::Error);
    let checked = || {
        let seen = format!(
            "{}, {}",
            text::count(past.history.files.len(), "file"),
            text::count(past.history.entries.len(), "entry")
        );
        let mut entries: Vec<_> = findings.iter().cloned().map(DiagnosticEntry::from).collect();
        reword(&mut entries);
        listed(&seen, &entries)
    };
    call.output.answer(
        || answer::history_checkup(&past.history, &account, &findings, &|remedy| Face::Command.hint(remedy)),
        checked,
    )?;
    ended(ok)
}

fn show(BusCheck { agents, messages, findings, mended, .. }: &BusCheck) -> String {
    let mut shown =
        listed(&format!("{}, {}", text::count(*agents, "agent"), text::count(*messages, "message")), findings);
    for MovedFile { from, to } in mended {
        shown += &format!("\nmoved {} to {BUS_DIR}/{to}", escape_line(from));
    }
    shown
}

/// Lists what was found in what was seen.
fn listed(seen: &str, findings: &[DiagnosticEntry]) -> String {
    let mark = if findings.iter().all(|finding| finding.level == Severity::Info) { "✅" } else { "⚠️" };
    let mut lines = vec![format!("{mark} Checked {seen}: {}", text::count(findings.len(), "finding"))];
    lines.extend(findings.iter().take(MAX_LISTED).map(
        |DiagnosticEntry { severity, code, place, message, hint, .. }| {
            let hint = if hint.is_empty() { String::new() } else { format!("\n  hint: {hint}") };
            format!("{severity}[{code}]: {message}: {place}{hint}")
        },
    ));
    lines.extend(output::more(findings.len().saturating_sub(MAX_LISTED)));
    lines.join("\n")
}
