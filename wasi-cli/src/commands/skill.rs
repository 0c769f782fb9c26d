//! `huddle skill`

use serde::Serialize;

use crate::call::Call;
use crate::failure::Failure;

const SKILL: &str = include_str!("../skill.md");

/// Print a SKILL.md for agents that load skills
///
/// As in: huddle skill > .claude/skills/huddle/SKILL.md
#[derive(Debug, clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct SkillArgs;

#[derive(Serialize)]
struct Skill {
    skill: &'static str,
}

impl SkillArgs {
    pub(super) fn run(self, call: &mut Call<'_>) -> Result<(), Failure> {
        call.answer(&Skill { skill: SKILL }, |skill| skill.skill.to_owned())
    }
}

#[cfg(test)]
mod tests {
    use super::SKILL;

    #[test]
    fn skill_is_short() {
        assert!(huddle_core::compress::estimate(SKILL) < 700);
    }

    #[test]
    fn skill_begins_with_its_name_and_when_to_use_it() {
        let front = SKILL.strip_prefix("---\n").and_then(|rest| rest.split_once("\n---\n")).unwrap().0;
        let fields: Vec<_> = front.lines().filter_map(|line| line.split_once(": ")).collect();
        assert_eq!(fields[0], ("name", "huddle"));
        assert!(fields[1].0 == "description" && fields[1].1.contains("Use when"), "{front}");
    }
}
