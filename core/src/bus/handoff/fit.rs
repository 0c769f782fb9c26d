//! Makes what a handoff transfers fit into the limit of a context.

use super::HandoffDraft;
use crate::bus::Bus;
use crate::bus::orchestrator::{TokenUsage, tokens};
use crate::model::Json;
use crate::state::Settings;
use crate::wire::orchestrator::package;

/// How often the room is shared anew when the parts take more than they were given.
const TRIES: usize = 4;

/// A part of a draft that may be shortened.
enum Part<'d> {
    Text(&'d mut String),
    List(&'d mut Vec<String>),
}

impl Part<'_> {
    fn size(&self) -> usize {
        match self {
            Self::Text(text) => tokens(text),
            Self::List(items) => items.iter().map(|item| tokens(item) + 1).sum(),
        }
    }
}

impl Bus<'_> {
    /// Shortens the parts of a draft until all of them together have as few tokens as a context may have; what is left out is
    /// saved, and the parts refer to it. Gives how many tokens go over, and how many it would have been.
    pub(super) fn fit(&self, draft: &mut HandoffDraft, rules: &Settings) -> TokenUsage {
        let full = transferred(draft);
        let is_bounded = self.orchestrator.is_some() && (draft.package.is_some() || rules.is_configured);
        if !is_bounded || full <= rules.max_context_tokens {
            return TokenUsage { tokens: full, full };
        }
        let whole = draft.clone();
        let mut room = rules.max_context_tokens;
        for _ in 0..TRIES {
            draft.clone_from(&whole);
            self.shorten(draft, room, rules);
            let over = transferred(draft).saturating_sub(rules.max_context_tokens);
            if over == 0 {
                break;
            }
            room = room.saturating_sub(over);
        }
        TokenUsage { tokens: transferred(draft), full }
    }

    fn shorten(&self, draft: &mut HandoffDraft, room: usize, rules: &Settings) {
        let total = transferred(draft);
        let mut parts = parts(draft);
        let sizes: Vec<usize> = parts.iter().map(Part::size).collect();
        // What frames the parts cannot be shortened.
        let frame = total.saturating_sub(sizes.iter().sum());
        let shares = Self::shares(&sizes, room.saturating_sub(frame));
        for ((part, size), share) in parts.iter_mut().zip(sizes).zip(shares).filter(|((_, size), share)| size > share) {
            debug_assert!(size > 0, "what is empty needs no share");
            match part {
                Part::Text(text) => **text = self.fitted(text, share, rules),
                Part::List(items) => **items = self.fitted_list(items, share, rules),
            }
        }
    }

    /// Keeps the items that come first, and refers to all of them.
    fn fitted_list(&self, items: &[String], share: usize, rules: &Settings) -> Vec<String> {
        let whole = items.iter().map(|item| format!("- {item}\n")).collect::<String>();
        let link = self.fitted(&whole, 0, rules);
        let mut left = share.saturating_sub(tokens(&link) + 6);
        let mut kept = Vec::new();
        for item in items {
            let cost = tokens(item) + 1;
            if cost > left {
                break;
            }
            left -= cost;
            kept.push(item.clone());
        }
        let more = items.len() - kept.len();
        kept.push(if kept.is_empty() { link } else { format!("and {more} more: {link}") });
        kept
    }
}

/// Counts the tokens that a draft transfers: its task, its context package, and what the giver tells beside it.
fn transferred(draft: &HandoffDraft) -> usize {
    let package = draft.package.as_ref().map(package::encode).map_or(0, |package: Json| tokens(&package.to_string()));
    let texts = [&draft.task, &draft.context, &draft.done].into_iter();
    let lists = [&draft.next, &draft.issues, &draft.questions, &draft.criteria].into_iter().flatten();
    package + texts.chain(lists).map(|text| tokens(text)).sum::<usize>()
}

fn parts(draft: &mut HandoffDraft) -> Vec<Part<'_>> {
    let HandoffDraft { context, done, next, issues, questions, criteria, package, .. } = draft;
    let mut parts = vec![Part::Text(context), Part::Text(done)];
    parts.extend([next, issues, questions, criteria].map(Part::List));
    if let Some(package) = package {
        parts.push(Part::Text(&mut package.summary));
        parts.push(Part::List(&mut package.key_findings));
        parts.push(Part::List(&mut package.requires));
        parts.extend(package.next_action.as_mut().map(Part::Text));
        parts.extend(package.output_ref.as_mut().map(Part::Text));
    }
    parts
}
