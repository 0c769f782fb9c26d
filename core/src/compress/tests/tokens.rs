//! The estimate beside what real tokenizers count.

use super::{DOCUMENTS, compress, reviewed};
use crate::compress::estimate;

/// What was counted once by npm's gpt-tokenizer 4.0.0: for each file, cl100k_base and o200k_base.
const COUNTS: &str = include_str!("../testdata/counts.txt");

macro_rules! texts {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../testdata/", $name)))),*]
    };
}

const TEXTS: &[(&str, &str)] = texts![
    "mailbox.md",
    "documents.md",
    "orchestrator.md",
    "session.md",
    "texts/base64.txt",
    "texts/chinese.txt",
    "texts/code.js.txt",
    "texts/code.py.txt",
    "texts/code.rs.txt",
    "texts/cyrillic.txt",
    "texts/emoji.txt",
    "texts/export.jsonl.txt",
    "texts/french.txt",
    "texts/german.txt",
    "texts/handoff.md.txt",
    "texts/hex.txt",
    "texts/letters.txt",
    "texts/messages.jsonl.txt",
    "texts/numbers.txt",
    "texts/prose.txt",
    "texts/registry.json.txt",
    "texts/report.json.txt",
    "texts/state.json.txt",
];

/// Returns the larger of what two tokenizers counted.
fn counted(name: &str) -> usize {
    let line = COUNTS.lines().find(|line| line.ends_with(&format!(" {name}")));
    let mut numbers = line.unwrap_or_else(|| panic!("{name} was not counted")).split(' ');
    let mut next = || numbers.next().unwrap().parse::<usize>().unwrap();
    next().max(next())
}

#[test]
fn the_estimate_is_never_much_too_low_and_seldom_much_too_high() {
    let compressed = DOCUMENTS.map(|(name, _)| (format!("{name}.short.snap"), reviewed(name)));
    let texts: Vec<_> = TEXTS.iter().map(|(name, text)| ((*name).to_owned(), *text)).chain(compressed).collect();
    assert_eq!(COUNTS.lines().filter(|line| !line.starts_with('#')).count(), texts.len());
    for (name, text) in texts {
        let (estimate, counted) = (estimate(text), counted(&name));
        assert!(estimate * 100 >= counted * 98, "{name}: {estimate} is too low for {counted}");
        assert!(estimate * 100 <= counted * 130, "{name}: {estimate} is too high for {counted}");
    }
}

#[test]
fn token_estimate_under_limit_is_under_it() {
    for (name, text) in DOCUMENTS {
        let output = compress(text.as_bytes(), 500);
        // The snapshot is what was counted, so it must be what comes out.
        assert_eq!(output.text, reviewed(name), "{name} changed: count it anew");
        let counted = counted(&format!("{name}.short.snap"));
        assert!(counted <= output.after && output.after < 500, "{name}: {} for {counted}", output.after);
    }
}

#[test]
fn pieces_are_cut_as_tokenizers_cut_them() {
    let check = |text: &str, tokens: usize| assert_eq!(estimate(text), tokens, "{text:?}");
    check("", 0);
    check(" ", 1);
    check("a", 1);
    check("123456789012", 4);
    check("1234", 2);
    check("\n\n\n", 1);
    check("    ", 1);
    check("checkInbox", 3);
    check("--------------------", 3);
    check("🎉", 3);
    check("\u{0}", 1);
}
