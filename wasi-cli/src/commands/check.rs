//! `huddle check`

use huddle_core::bus::{CheckReport, ErrorKind, Mended};
use huddle_core::model::{Diagnostic, Severity};
use huddle_core::wire::answer;

use crate::args::{Args, Spec, Take, flag};
use crate::call::Call;
use crate::failure::Failure;
use crate::project::BUS_DIR;
use crate::sources::{PATHS, Past};
use crate::terminal::escape_line;
use crate::{output, text};

/// How many findings are listed for people: the worst come first.
const MAX_LISTED: usize = 100;

pub(super) const SPEC: Spec = Spec::command(
    "huddle check",
    "Find what is wrong with the bus, or with what lies at PATH",
    &[PATHS, MEND],
    run,
)
.more(
    "Claims are held against evidence. The worst comes first; of many findings the first 100 are listed, and all of\n\
             them with --json. Exit code 6 when there is data that cannot be used.",
);

const MEND: Take = flag(
    "mend",
    "move what nobody can read or carry out to .huddle/quarantine/, and say where it is; nothing is removed",
);

fn run(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    if args.has("PATH") {
        return of_past(args, call);
    }
    let mut checkup = if args.has("mend") { call.bus.mend()? } else { call.bus.check()? };
    checkup.findings.extend(call.project.sessions.check_journal());
    call.output.answer(|| answer::checkup(&checkup), || show(&checkup))?;
    ended(&checkup.findings)
}

/// Ends in failure when there is data that cannot be used.
fn ended(findings: &[Diagnostic]) -> Result<(), Failure> {
    let bad = findings.iter().any(|finding| finding.severity == Severity::Error);
    if bad { Err(Failure::said(ErrorKind::Invalid)) } else { Ok(()) }
}

/// Checks what lies at a path.
fn of_past(args: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let mut past = Past::load(args, call)?;
    let findings = past.check()?;
    let account = past.history.account();
    let checked = || {
        let seen = format!(
            "{}, {}",
            text::count(past.history.files.len(), "file"),
            text::count(past.history.entries.len(), "entry")
        );
        listed(&seen, &findings)
    };
    call.output.answer(|| answer::history_checkup(&past.history, &account, &findings), checked)?;
    ended(&findings)
}

fn show(CheckReport { agents, messages, findings, mended }: &CheckReport) -> String {
    let mut shown =
        listed(&format!("{}, {}", text::count(*agents, "agent"), text::count(*messages, "message")), findings);
    for Mended { from, to } in mended {
        shown += &format!("\nmoved {} to {BUS_DIR}/{to}", escape_line(from));
    }
    shown
}

/// Lists what was found in what was seen.
fn listed(seen: &str, findings: &[Diagnostic]) -> String {
    let mark = if findings.iter().all(|finding| finding.severity == Severity::Info) { "✅" } else { "⚠️" };
    let mut lines = vec![format!("{mark} Checked {seen}: {}", text::count(findings.len(), "finding"))];
    lines.extend(findings.iter().take(MAX_LISTED).map(|Diagnostic { severity, code, place, message, hint }| {
        let hint = if hint.is_empty() { String::new() } else { format!("\n  hint: {hint}") };
        format!("{severity}[{code}]: {message}: {place}{hint}")
    }));
    lines.extend(output::more(findings.len().saturating_sub(MAX_LISTED)));
    lines.join("\n")
}
