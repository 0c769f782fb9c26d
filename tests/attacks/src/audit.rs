//! Runs that are held to the same rules, and what came of them.

use std::fmt;

use crate::project::SECRET;
use crate::{AttackedProject, Ran, Target};

/// How much was tried, without a violation.
#[derive(Debug, Clone, Copy, Default)]
pub struct Counts {
    /// How many different things were planted or given.
    pub attacks: usize,
    /// How many commands were run.
    pub runs: usize,
    /// How many of them were refused or failed, as they may.
    pub refused: usize,
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { attacks, runs, refused } = self;
        write!(
            f,
            "{attacks} attacks, {runs} runs ({refused} refused): 0 outside reads or writes, 0 hangs, 0 crashes, \
             0 raw control characters, 0 failures because of others' files"
        )
    }
}

/// What a run must come to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Expect {
    /// It has to work.
    Success,
    /// It may be refused, in an orderly way.
    Any,
}

/// A part of the catalogue while it runs.
pub(crate) struct Audit<'t> {
    target: &'t dyn Target,
    counts: Counts,
    violations: Vec<String>,
    /// What is being tried, for those who read of a violation.
    attack: String,
}

impl<'t> Audit<'t> {
    pub(crate) fn new(target: &'t dyn Target) -> Self {
        Self { target, counts: Counts::default(), violations: Vec::new(), attack: String::new() }
    }

    /// Begins the next attack.
    pub(crate) fn begin(&mut self, attack: impl Into<String>) {
        self.counts.attacks += 1;
        self.attack = attack.into();
    }

    /// Runs a command that is given as words separated by spaces.
    pub(crate) fn run(&mut self, project: &AttackedProject, words: &str, expect: Expect) -> Ran {
        self.run_words(project, &words.split(' ').collect::<Vec<_>>(), expect)
    }

    /// Runs a command and checks what holds for every run.
    pub(crate) fn run_words(&mut self, project: &AttackedProject, words: &[&str], expect: Expect) -> Ran {
        let ran = project.run(self.target, words);
        self.counts.runs += 1;
        self.counts.refused += usize::from(ran.code != 0);
        let (out, err) = (&ran.out, &ran.err);
        // What is wrong with the bus is what it is to report; that it did is its success.
        let is_report = words[0] == "check" && (out.contains("Checked") || out.contains("\"findings\""));
        let fault = if let Some(crash) = ran.crash() {
            Some(crash.to_owned())
        } else if out.contains(SECRET) || err.contains(SECRET) {
            Some("showed what lies outside".to_owned())
        } else if (out.contains(is_raw) && !is_exact(words)) || err.contains(is_raw) {
            Some("printed a raw control character".to_owned())
        } else if expect == Expect::Success && ran.code != 0 && !is_report {
            Some("failed".to_owned())
        } else {
            project.escaped().map(|path| format!("changed {path}"))
        };
        if let Some(fault) = fault {
            let shown = |text: &str| text.chars().take(600).collect::<String>();
            let words = words.iter().map(|word| shown(word)).collect::<Vec<_>>().join(" ");
            self.violation(&format!("`{words}` {fault} ({}): {}{}", ran.code, shown(out), shown(err)));
        }
        ran
    }

    /// Notes a violation, unless something holds.
    pub(crate) fn check(&mut self, holds: bool, message: impl FnOnce() -> String) {
        if !holds {
            self.violation(&message());
        }
    }

    /// Checks that nothing of what lies outside was copied into the project.
    pub(crate) fn check_leaks(&mut self, project: &AttackedProject) {
        if let Some(path) = project.leaked() {
            self.violation(&format!("what lies outside was copied to {path}"));
        }
    }

    fn violation(&mut self, message: &str) {
        self.violations.push(format!("{}: {message}", self.attack));
    }

    /// Ends the part.
    ///
    /// # Panics
    /// When there were violations, with the first of them.
    pub(crate) fn finish(self) -> Counts {
        const SHOWN: usize = 60;
        let Self { violations, counts, .. } = self;
        let first = violations.iter().take(SHOWN).map(String::as_str).collect::<Vec<_>>().join("\n\n");
        assert!(violations.is_empty(), "{} violations in {} runs:\n{first}", violations.len(), counts.runs);
        counts
    }
}

/// Returns whether a command passes bytes on as they are, to whatever its output goes to that is no terminal.
fn is_exact(words: &[&str]) -> bool {
    matches!(
        words,
        ["export" | "expand" | "compress", ..] | ["handoff", "artifact", ..] | ["session", "data", "get", ..]
    )
}

/// Returns whether a character controls a terminal or hides others.
fn is_raw(character: char) -> bool {
    let is_layout = matches!(character, '\n' | '\t');
    let is_hidden =
        matches!(character, '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    character.is_control() && !is_layout || is_hidden
}
