//! All commands: the keys that call them, what they are called, and what they do. The list of keys and the palette are made
//! from it.

use crate::panes::Pane;
use crate::protocol::{Format, Goal};
use crate::route::View;

/// What can be done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Command {
    /// Goes to a view.
    Show(View),
    /// Goes on to the next of something; the truth value says whether backwards.
    Step(Goal, bool),
    /// Puts the cursor into the search box.
    Search,
    /// Searches for nothing.
    Clear,
    /// Lists conversations, or messages by time.
    Threads,
    /// Lists what is found only, or everything.
    Only,
    /// Copies the selected message.
    Copy,
    /// Copies the conversation of the selected message.
    CopyThread,
    /// Saves what is found.
    Save(Format),
    /// Shows or hides a pane.
    Toggle(Pane),
    /// Changes to the next theme.
    Theme,
    /// Opens a directory.
    OpenDirectory,
    /// Opens files.
    OpenFiles,
    /// Opens the sample.
    Sample,
    /// Shows the palette.
    Palette,
    /// Shows the list of keys.
    Keys,
    /// Closes what is open, or lets go of what is selected.
    Leave,
}

/// One command as it is listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entry {
    /// What is done.
    pub command: Command,
    /// The keys that call it, as the browser names them.
    pub keys: &'static [&'static str],
    /// What it is called.
    pub name: &'static str,
}

const fn entry(command: Command, keys: &'static [&'static str], name: &'static str) -> Entry {
    Entry { command, keys, name }
}

/// All commands, in the groups that they are listed in.
pub const GROUPS: [(&str, &[Entry]); 4] = [
    (
        "Views",
        &[
            entry(Command::Show(View::Conversation), &["1"], "Conversation"),
            entry(Command::Show(View::Timeline), &["2"], "Timeline"),
            entry(Command::Show(View::Agents), &["3"], "Agents"),
            entry(Command::Show(View::Reports), &["4"], "Reports"),
            entry(Command::Show(View::Shared), &["5"], "Shared"),
            entry(Command::Show(View::Problems), &["6"], "Problems"),
            entry(Command::Threads, &["t"], "Conversations, or messages by time"),
            entry(Command::Toggle(Pane::Side), &["b"], "Show or hide the side"),
            entry(Command::Toggle(Pane::Details), &["i"], "Show or hide the details"),
        ],
    ),
    (
        "Moving",
        &[
            entry(Command::Step(Goal::Message, false), &["j"], "Next message"),
            entry(Command::Step(Goal::Message, true), &["k"], "Previous message"),
            entry(Command::Step(Goal::Thread, false), &["J"], "Next conversation"),
            entry(Command::Step(Goal::Thread, true), &["K"], "Previous conversation"),
            entry(Command::Step(Goal::Error, false), &["e"], "Next error"),
            entry(Command::Step(Goal::Error, true), &["E"], "Previous error"),
            entry(Command::Leave, &["Escape"], "Close, or let go of the selected message"),
        ],
    ),
    (
        "Finding",
        &[
            entry(Command::Search, &["/"], "Search"),
            entry(Command::Step(Goal::Hit, false), &["n", "]"], "Next hit"),
            entry(Command::Step(Goal::Hit, true), &["N", "["], "Previous hit"),
            entry(Command::Only, &["o"], "List hits only, or everything"),
            entry(Command::Clear, &[], "Clear the search"),
            entry(Command::Save(Format::Jsonl), &[], "Save what is found as JSONL"),
            entry(Command::Save(Format::Markdown), &[], "Save what is found as Markdown"),
        ],
    ),
    (
        "Doing",
        &[
            entry(Command::Palette, &["Ctrl+K"], "All commands"),
            entry(Command::Keys, &["?"], "Keys"),
            entry(Command::Copy, &["c"], "Copy the message as Markdown"),
            entry(Command::CopyThread, &["C"], "Copy its conversation as Markdown"),
            entry(Command::Theme, &["T"], "Light, dark, or as the system"),
            entry(Command::OpenDirectory, &[], "Open a directory"),
            entry(Command::OpenFiles, &[], "Open files"),
            entry(Command::Sample, &[], "Open the sample"),
        ],
    ),
];

/// What the views do with keys themselves, for the list.
pub const OF_VIEWS: [(&[&str], &str); 5] = [
    (&["Home", "End"], "Conversation: the first and the last message"),
    (&["Enter"], "Conversation: open a message in place"),
    (&["w", "s"], "Timeline: zoom in and out"),
    (&["a", "d"], "Timeline: earlier and later"),
    (&["0"], "Timeline: show all"),
];

/// Gives all commands.
pub fn all() -> impl Iterator<Item = Entry> {
    GROUPS.into_iter().flat_map(|(_, entries)| entries.iter().copied())
}

/// Gives the command that a key calls; `held` says whether Control or Command is held with it.
pub fn called(key: &str, held: bool) -> Option<Command> {
    let named = |entry: &Entry| match held {
        true => entry.keys.iter().any(|name| name.strip_prefix("Ctrl+").is_some_and(|it| it.eq_ignore_ascii_case(key))),
        false => entry.keys.contains(&key),
    };
    all().find(named).map(|entry| entry.command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_key_calls_two_commands() {
        let mut keys: Vec<&str> = all().flat_map(|entry| entry.keys).copied().collect();
        // The timeline takes these for itself.
        keys.extend(["w", "a", "s", "d", "f", "0", "+", "=", "-"]);
        let count = keys.len();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), count);
    }

    #[test]
    fn no_command_is_listed_twice() {
        let commands: Vec<Entry> = all().collect();
        for (place, entry) in commands.iter().enumerate() {
            assert!(commands[..place].iter().all(|other| other.command != entry.command && other.name != entry.name));
        }
    }

    #[test]
    fn keys_call_their_commands() {
        assert_eq!(called("J", false), Some(Command::Step(Goal::Thread, false)));
        assert_eq!(called("[", false), Some(Command::Step(Goal::Hit, true)));
        assert_eq!((called("k", true), called("K", true)), (Some(Command::Palette), Some(Command::Palette)));
        assert_eq!((called("j", true), called("Ctrl+K", true), called("q", false)), (None, None, None));
        for view in View::ALL {
            assert!(all().any(|entry| entry.command == Command::Show(view)), "{view:?}");
        }
    }
}
