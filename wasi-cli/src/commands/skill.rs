//! `huddle skill`

use huddle_core::model::Json;

use crate::args::{Args, Spec};
use crate::call::Call;
use crate::failure::Failure;

const SKILL: &str = include_str!("../skill.md");

pub(super) const SPEC: Spec = Spec::command("huddle skill", "Print a SKILL.md for agents that load skills", &[], run)
    .more("As in: huddle skill > .claude/skills/huddle/SKILL.md");

fn run(_: &Args, call: &mut Call<'_>) -> Result<(), Failure> {
    call.output.answer(|| Json::from_iter([("skill", SKILL)]), || SKILL.to_owned())
}

#[cfg(test)]
mod tests {
    use super::SKILL;

    #[test]
    fn the_skill_is_short() {
        assert!(huddle_core::compress::estimate(SKILL) < 700);
    }

    #[test]
    fn the_skill_begins_with_its_name_and_when_to_use_it() {
        let front = SKILL.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n")).unwrap().0;
        let fields: Vec<_> = front.lines().filter_map(|line| line.split_once(": ")).collect();
        assert_eq!(fields[0], ("name", "huddle"));
        assert!(fields[1].0 == "description" && fields[1].1.contains("Use when"), "{front}");
    }
}
