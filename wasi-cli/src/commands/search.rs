//! `huddle search`

use huddle_core::history::query::Query;
use huddle_core::history::record::headline;
use huddle_core::history::search::{Hit, Hits, LogSearch, shown};
use huddle_core::history::snapshot::time;
use huddle_core::history::source::{Role, role_of, roots_of};
use huddle_core::wire;
use huddle_core::wire::answer;

use crate::args::{Args, Spec, must, option};
use crate::call::Call;
use crate::failure::Failure;
use crate::files::unreadable;
use crate::sources::{PATHS, Past, Sources, UNREADABLE_FILE, changed, query};
use crate::text;

pub(super) const SPEC: Spec = Spec::command(
    "huddle search",
    "Find what was said, by words and by who, when, what kind and how far it came",
    &[
        must("QUERY", "what is looked for, as above; all of it has to fit"),
        PATHS,
        option("limit", "N", "how many are listed; the count is that of all").default("20"),
    ],
    run,
)
.more(
    "word, \"a phrase\", /regex/i         in any text; case matters in a regex only\n\
     from: to: type: severity:          whole values; * stands for anything\n\
     thread: priority: file:            file: is a part of the path\n\
     after:2025-01-23 before:…T10:30    from then on; earlier than that (UTC)\n\
     is:unread is:unanswered is:overdue is:crossed is:damaged has:artifact\n\
     -term is the opposite; a OR b; ( ) groups",
);

fn run(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let limit = args.number("limit")?.map_or(0, |limit| usize::try_from(limit).unwrap_or(usize::MAX));
    let query = query(args.need("QUERY"))?;
    let sources = Sources::given(args, call)?;
    call.output.found(sources.findings.iter().cloned());
    let streamed = if can_stream(&query, &sources) { stream(&query, &sources, limit)? } else { None };
    let hits = match streamed {
        Some(hits) => hits,
        None => {
            let mut past = Past::of(&sources, call.now())?;
            let skipped = past.history.findings.iter().filter(|finding| finding.code == UNREADABLE_FILE);
            call.output.found(skipped.cloned());
            past.search(&query, limit)?
        }
    };
    call.output.answer(|| answer::hits(&hits), || show(&hits))
}

/// Says whether all that the query asks of a row stands in the row, and all files are logs.
fn can_stream(query: &Query, sources: &Sources) -> bool {
    let roots = roots_of(sources.files.iter().map(|(path, _)| path.as_str()));
    let is_log = |(path, named): &(String, bool)| matches!(role_of(path, &roots, *named).0, Role::Log);
    !query.needs_states() && sources.files.iter().all(is_log)
}

/// Searches logs as their bytes go by; gives nothing when they turn out to carry files, which have to be loaded.
fn stream(query: &Query, sources: &Sources, limit: usize) -> Result<Option<Hits>, Failure> {
    let mut search = LogSearch::new(query, limit);
    let mut buffer = Vec::new();
    for (number, (path, _)) in sources.files.iter().enumerate() {
        let mut reader = search.begin(number as u32, path);
        sources
            .bring(path, u64::MAX, &mut buffer, &mut |chunk| search.feed(&mut reader, chunk))
            .map_err(|error| unreadable(path, &error))?;
        reader.end(&mut search);
        if search.carries_files() {
            return Ok(None);
        }
    }
    search.end(&mut sources.parts()).map(Some).map_err(|error| changed(&error))
}

fn show(hits: &Hits) -> String {
    let mut lines = vec![format!("🔎 {}", text::count(hits.count as usize, "match"))];
    lines.extend(hits.listed.iter().map(line));
    if hits.count > hits.listed.len() as u64 {
        lines.push(format!("… and {} more (--limit N lists more)", hits.count - hits.listed.len() as u64));
    }
    lines.join("\n")
}

fn line(hit: &Hit) -> String {
    let [from, to, kind, severity, ..] = &hit.texts;
    let to = if to.is_empty() { String::new() } else { format!(" → {to}") };
    let kind = [kind.as_str(), severity].into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
    let said = match wire::parse_map(&hit.record) {
        Some(record) => headline(&record, 100),
        None => shown(&hit.record).chars().take(100).collect(),
    };
    let at = text::or_dash(time(hit.row.time).as_ref());
    format!("{at} {from}{to} [{kind}] {said}\n   {}:{}", hit.file, hit.row.offset)
}
