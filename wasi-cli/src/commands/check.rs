//! `huddle check`

use huddle_core::bus::{Checkup, Kind};
use huddle_core::model::{Finding, Severity};
use huddle_core::wire::answer;

use crate::args::{Args, Spec};
use crate::call::Call;
use crate::failure::Failure;
use crate::text;

pub(super) const SPEC: Spec =
    Spec::command("huddle check", "Find what is wrong with the bus, and how to mend it", &[], run)
        .more("Exit code 6 when there is data that cannot be used.");

fn run(_: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    let checkup = call.bus.check()?;
    call.output.answer(|| answer::checkup(&checkup), || show(&checkup))?;
    let bad = checkup.findings.iter().any(|finding| finding.severity == Severity::Error);
    if bad { Err(Failure::said(Kind::Invalid)) } else { Ok(()) }
}

fn show(Checkup { agents, messages, findings }: &Checkup) -> String {
    let mark = if findings.iter().all(|finding| finding.severity == Severity::Info) { "✅" } else { "⚠️" };
    let seen = format!("{}, {}", text::count(*agents, "agent"), text::count(*messages, "message"));
    let mut lines = vec![format!("{mark} Checked {seen}: {}", text::count(findings.len(), "finding"))];
    lines.extend(findings.iter().map(|Finding { severity, code, place, message, hint }| {
        let hint = if hint.is_empty() { String::new() } else { format!("\n  hint: {hint}") };
        format!("{severity}[{code}]: {message}: {place}{hint}")
    }));
    lines.join("\n")
}
