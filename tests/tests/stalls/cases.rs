//! What a command is, whom it meets, and what each of them leaves when it is done.

use anyhow::{Result, ensure};
use huddle_tests::Project;
use serde_json::Value;

use super::view::View;

/// Something that a command makes, and how often it is there.
pub(crate) type Fact = (&'static str, fn(&View) -> u64);

/// A command that is suspended, and what others do meanwhile.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) agent: &'static str,
    /// Prepares the bus, and returns what `{id}` stands for in commands.
    pub(crate) prepare: fn(&Project) -> Result<String>,
    pub(crate) command: &'static [&'static str],
    /// What others do while it is suspended: who, and which command.
    pub(crate) rivals: &'static [(&'static str, &'static [&'static str])],
    pub(crate) meeting: Meeting,
    /// What the command leaves: each of it once.
    pub(crate) own: &'static [Fact],
    /// What the others leave: each of it once.
    pub(crate) others: &'static [Fact],
    /// Checks the answers of all who were told that they are done.
    pub(crate) answers: fn(&[Value]) -> Result<()>,
}

/// What becomes of commands that meet.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Meeting {
    /// Each does its work.
    Beside,
    /// One of the two does its work, and the other is refused.
    Instead,
    /// They are the same work, which is done once, and both may be told so.
    Same,
}

impl Case {
    /// Checks what is left, given who was told that it is done.
    pub(crate) fn check(&self, view: &View, is_confirmed: bool, are_others_confirmed: bool) -> Result<()> {
        let count =
            |facts: &[Fact]| -> Vec<(&str, u64)> { facts.iter().map(|(what, times)| (*what, times(view))).collect() };
        let (own, others) = (count(self.own), count(self.others));
        let is_whole = |facts: &[(&str, u64)]| facts.iter().all(|(_, times)| *times == 1);
        let is_absent = |facts: &[(&str, u64)]| facts.iter().all(|(_, times)| *times == 0);
        match self.meeting {
            Meeting::Beside => {
                ensure!(are_others_confirmed, "the others were refused");
                ensure!(is_whole(&others), "what others were told is done: {others:?}");
                ensure!(is_whole(&own) || !is_confirmed && is_absent(&own), "what it was told is done: {own:?}");
            }
            Meeting::Instead => {
                ensure!(
                    is_confirmed != are_others_confirmed,
                    "confirmed: {is_confirmed}, others: {are_others_confirmed}"
                );
                ensure!(is_whole(&own) == is_confirmed, "confirmed: {is_confirmed}, and there is {own:?}");
                ensure!(
                    is_whole(&others) == are_others_confirmed,
                    "others: {are_others_confirmed}, and there is {others:?}"
                );
            }
            Meeting::Same => {
                ensure!(
                    is_confirmed && are_others_confirmed,
                    "confirmed: {is_confirmed}, others: {are_others_confirmed}"
                );
                ensure!(is_whole(&own) && is_whole(&others), "{own:?} {others:?}");
            }
        }
        Ok(())
    }
}

/// For commands whose answers say no more than that they are done.
pub(crate) fn any(_: &[Value]) -> Result<()> {
    Ok(())
}
