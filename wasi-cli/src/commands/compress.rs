//! `huddle compress`

use huddle_api::Compress;
use huddle_core::compress::LEAST_LIMIT;

use crate::call::Call;
use crate::failure::Failure;

/// Make a long text short for the next agent, with references to what was left out
///
/// Keeps objective, decisions, findings and next actions, turns the rest into points, and drops thinking aloud.
/// What is left out is saved under .claude/state/expand; huddle expand REF prints it.
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct CompressArgs {
    /// the text: Markdown, JSON or plain; - or nothing reads standard input
    file: Option<String>,
    /// how many tokens the result stays under
    #[arg(long, value_name = "N", default_value = "500", value_parser = super::long_number)]
    max_tokens: u64,
}

impl CompressArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let limit = usize::try_from(self.max_tokens).unwrap_or(usize::MAX);
        if limit < LEAST_LIMIT {
            return Err(call.wrong(&format!("--max-tokens {limit} leaves no room: give {LEAST_LIMIT} or more")));
        }
        let content = call.input.document(self.file.as_deref().unwrap_or("-"))?;
        let compressed = call.execute(Compress { content, max_tokens: Some(limit) })?;
        call.answer(&compressed, |compressed| compressed.text.clone())
    }
}
