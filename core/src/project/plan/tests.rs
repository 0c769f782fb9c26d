//! Plans read, imported and ticked.

use super::*;
use crate::engine::fs::{FileSystem, memory::MemoryFs};
use crate::host::FixedHost;
use crate::model::handoff::Decision;
use crate::model::{JsonMap, Member};

const PLAN: &str = "\
# Multi-agent plan

- [x] T0: Set up @architect-1
- [ ] T1: Create the model @builder-1 (requires: T0)
  * [ ] **T2**: Create the endpoint, depends on T1 @builder-2
- [ ] write the docs

## Task T3: Review everything
- **Assigned To**: validator-1
- **Status**: Not started
- **Dependencies**: T1, T2

```
- [ ] T9: an example
```
";

fn shown(task: &PlanTask) -> String {
    let PlanTask { id, title, agent, requires, status, line, .. } = task;
    let agent = agent.as_ref().map_or("-", AgentName::as_str);
    format!("{line} {id}|{title}|{agent}|{}|{status}", requires.join(","))
}

#[test]
fn tasks_are_items_with_a_box_or_headings() {
    let expected = [
        "3 T0|Set up|architect-1||completed",
        "4 T1|Create the model|builder-1|T0|waiting",
        "5 T2|Create the endpoint|builder-2|T1|waiting",
        "6 |write the docs|-||waiting",
        "8 T3|Review everything|validator-1|T1,T2|waiting",
    ];
    assert_eq!(read(PLAN).iter().map(shown).collect::<Vec<_>>(), expected);
    for odd in
        ["", "- [ ]", "- [ ] :", "## Task:", "## Task", "- [ ] requires", "1. [x] a", "#", "- [ ] é: requires é)"]
    {
        read(odd);
    }
}

#[test]
fn a_plan_becomes_a_session() {
    let (plan, findings) = import(&read(PLAN), "orchestrator", "/p");
    let agents: Vec<String> = plan.agents.iter().map(|(name, needs)| format!("{name}:{}", needs.join(","))).collect();
    let expected = ["architect-1:", "builder-1:architect-1", "builder-2:builder-1", "validator-1:builder-1,builder-2"];
    assert_eq!(agents, expected);
    let places: Vec<_> = findings.iter().map(|finding| (finding.code, finding.place.as_str())).collect();
    assert_eq!(places, [("unassigned-task", "MULTI_AGENT_PLAN.md:6")]);
    let (_, findings) = import(&read("- [ ] T1: a @x (requires: T7)"), "o", "/p");
    assert_eq!(findings[0].code, "unknown-requirement");
}

fn session(members: &[(&str, &str)]) -> Session {
    let member =
        |(name, status): &(&str, &str)| Member { status: Status::parse(status), ..Member::new(&name.parse().unwrap()) };
    Session { members: members.iter().map(member).collect(), ..Session::new(&"s".parse().unwrap()) }
}

fn accepted(from: &str, task: &str) -> Handoff {
    let [from, to]: [AgentName; 2] = [from, "validator-1"].map(|name| name.parse().unwrap());
    let decision = Decision { by: to.clone(), at: None, notes: String::new() };
    let (id, status) = ("handoff_1".parse().unwrap(), HandoffStatus::Accepted(decision));
    let (task, artifacts, extra) = (task.to_owned(), Vec::new(), JsonMap::new());
    Handoff { id, from, to, task, created_at: None, status, artifacts, extra }
}

#[test]
fn sessions_and_handoffs_tick_off_what_is_done() {
    let session = session(&[("builder-1", "in_progress"), ("builder-2", "completed"), ("validator-1", "in_progress")]);
    let found = status(&read(PLAN), Some(&session), &[accepted("builder-1", "T1 is ready for review")]);
    let shown: Vec<String> = found.iter().map(|one| format!("{} {}", one.task.name(), one.status)).collect();
    assert_eq!(shown, ["T0 completed", "T1 completed", "T2 completed", "write the docs waiting", "T3 in_progress"]);
    assert_eq!(found[1].evidence.as_deref(), Some("handoff handoff_1 was accepted"));
    let (text, now) = ticked(PLAN, &found);
    assert_eq!(now, ["T1", "T2"]);
    let expected = PLAN.replace("- [ ] T1", "- [x] T1").replace("* [ ] **T2", "* [x] **T2");
    assert_eq!(text, expected);
    assert_eq!(status(&read(PLAN), None, &[accepted("builder-2", "T1")])[1].status, Status::Waiting, "it is another's");
    assert_eq!(status(&read(PLAN), None, &[accepted("builder-1", "T10")])[1].status, Status::Waiting);
    let whole = session_of_reviewer();
    let (text, now) = ticked(PLAN, &status(&read(PLAN), Some(&whole), &[]));
    assert_eq!((now, text), (vec!["T3".to_owned()], PLAN.replace("Not started", "Completed")));
}

fn session_of_reviewer() -> Session {
    session(&[("validator-1", "completed")])
}

#[test]
fn the_plan_of_a_project_is_updated_in_place() {
    let (fs, host) = (MemoryFs::new(), FixedHost::at("2025-11-29T14:30:52Z"));
    let done = |text: &str| status(&read(text), Some(&session_of_reviewer()), &[]);
    assert_eq!(update(&fs, &host, &done).unwrap(), None);
    fs.write_new(FILE, PLAN.as_bytes()).unwrap();
    assert_eq!(update(&fs, &host, &done).unwrap().unwrap().ticked, ["T3"]);
    assert_eq!(update(&fs, &host, &done).unwrap().unwrap().ticked, [""; 0]);
    assert_eq!(fs.files(), [FILE]);
    assert_eq!(fs.read(FILE, u64::MAX).unwrap().unwrap(), PLAN.replace("Not started", "Completed").as_bytes());
}
