//! `huddle search`

use huddle_api::{SearchHistory, SearchHit, SearchResult};

use super::paths::Paths;
use crate::call::Call;
use crate::failure::Failure;
use crate::text;

/// Find what was said, by words and by who, when, what kind and how far it came
///
/// word, "a phrase", /regex/i         in any text; case matters in a regex only
/// from: to: type: severity:          whole values; * stands for anything
/// thread: priority: file:            file: is a part of the path
/// after:2025-01-23 before:…T10:30    from then on; earlier than that (UTC)
/// is:unread is:unanswered is:overdue is:crossed is:damaged has:artifact
/// tool:Bash role:thinking model:*opus* tokens:>10000 is:error    of transcripts
/// -term is the opposite; a OR b; ( ) groups
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct SearchArgs {
    /// what is looked for, as above; all of it has to fit
    query: String,
    #[command(flatten)]
    paths: Paths,
    /// how many are listed; the count is that of all
    #[arg(long, value_name = "N", default_value = "20", value_parser = super::number)]
    limit: usize,
}

impl SearchArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        let Self { query, paths: Paths { paths }, limit } = self;
        let result = call.execute(SearchHistory { query, limit: Some(limit), paths })?;
        call.answer(&result, show)
    }
}

fn show(SearchResult { count, listed, hits }: &SearchResult) -> String {
    let mut lines = vec![format!("🔎 {}", text::count(*count as usize, "match"))];
    lines.extend(hits.iter().map(line));
    let listed = *listed as u64;
    if *count > listed {
        lines.push(format!("… and {} more (--limit N lists more)", count - listed));
    }
    lines.join("\n")
}

fn line(hit: &SearchHit) -> String {
    let SearchHit { from, to, kind, severity, headline, file, offset, .. } = hit;
    let to = if to.is_empty() { String::new() } else { format!(" → {to}") };
    let kind = [kind.as_str(), severity].into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    let at = text::or_dash(hit.created_at.as_ref());
    format!("{at} {from}{to} [{kind}] {headline}\n   {file}:{offset}")
}
