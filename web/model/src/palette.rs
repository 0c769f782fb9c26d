//! What the palette offers, and which of it is meant.

use crate::commands::{Command, all};
use crate::protocol::Overview;
use crate::theme::Theme;

/// How many are listed at once.
const MANY: usize = 60;

/// What happens when an offer is taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Act {
    /// A command.
    Run(Command),
    /// A value of a field is put into the query, or taken out.
    Search(&'static str, String),
    /// A theme.
    Wear(Theme),
}

/// Something that is offered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// What happens.
    pub act: Act,
    /// What it is called.
    pub name: String,
    /// The key that does it too.
    pub key: &'static str,
}

/// Lists everything that can be done: all commands, everybody's messages, each state and kind, the themes.
pub fn everything(overview: Option<&Overview>, runs: impl Fn(Command) -> bool) -> Vec<Offer> {
    let commands = all()
        .filter(|entry| runs(entry.command) && !matches!(entry.command, Command::Palette | Command::Leave))
        .map(|entry| Offer {
            act: Act::Run(entry.command),
            name: match entry.command {
                Command::Show(_) => format!("View: {}", entry.name),
                _ => entry.name.to_owned(),
            },
            key: entry.keys.first().copied().unwrap_or_default(),
        });
    let mut offers: Vec<Offer> = commands.collect();
    let mut ask = |field, value: &str, name: String| {
        offers.push(Offer { act: Act::Search(field, value.to_owned()), name, key: "" });
    };
    if let Some(overview) = overview {
        overview.agents.iter().for_each(|(name, _)| ask("from", name, format!("Messages from {name}")));
        overview.agents.iter().for_each(|(name, _)| ask("to", name, format!("Messages to {name}")));
        overview.states.iter().for_each(|(state, _)| ask("is", state, format!("Messages that are {state}")));
        overview.kinds.iter().for_each(|(kind, _)| ask("type", kind, format!("Messages of the kind {kind}")));
    }
    offers.extend(Theme::ALL.map(|theme| Offer {
        act: Act::Wear(theme),
        name: format!("Theme: {}", theme.title()),
        key: "",
    }));
    offers
}

/// Gives the offers that have all the words in their names; those that begin with what is typed come first.
pub fn meant(offers: &[Offer], typed: &str) -> Vec<Offer> {
    let typed = typed.trim().to_lowercase();
    let words: Vec<&str> = typed.split_whitespace().collect();
    let mut ranked: Vec<(usize, &Offer)> =
        offers.iter().filter_map(|offer| Some((rank(&offer.name, &typed, &words)?, offer))).collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    ranked.into_iter().take(MANY).map(|(_, offer)| offer.clone()).collect()
}

/// Says how well a name fits, less being better; none if it does not.
fn rank(name: &str, typed: &str, words: &[&str]) -> Option<usize> {
    let name = name.to_lowercase();
    if !words.iter().all(|word| name.contains(word)) {
        return None;
    }
    let begins = |word: &&str| name.split([' ', ':', '-', '_']).any(|part| part.starts_with(*word));
    Some(if name.starts_with(typed) { 0 } else { 1 + usize::from(!words.iter().all(begins)) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn offers() -> Vec<Offer> {
        let overview = Overview {
            agents: vec![("ann".into(), 3), ("Joann".into(), 1)],
            states: vec![("unread".into(), 2)],
            kinds: vec![("finding".into(), 1)],
            ..Overview::default()
        };
        everything(Some(&overview), |_| true)
    }

    fn names(typed: &str) -> Vec<String> {
        meant(&offers(), typed).into_iter().map(|offer| offer.name).collect()
    }

    #[test]
    fn everything_is_offered_until_something_is_typed() {
        assert_eq!(names(""), offers().into_iter().map(|offer| offer.name).take(MANY).collect::<Vec<_>>());
        assert!(everything(None, |command| command == Command::Theme).len() == 1 + Theme::ALL.len());
    }

    #[test]
    fn what_begins_with_the_words_comes_first() {
        assert_eq!(names("from ann"), ["Messages from ann", "Messages from Joann"]);
        assert_eq!(names("time")[0], "View: Timeline");
        assert_eq!(names("theme D"), ["Theme: dark"]);
        assert_eq!(names("unread"), ["Messages that are unread"]);
        assert!(names("xyzzy").is_empty());
    }
}
