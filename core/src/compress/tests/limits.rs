//! The limit holds whatever comes in.

use super::{DOCUMENTS, Form, compress, document};
use crate::compress::{LEAST_LIMIT, Reference, compress_with, estimate};

/// Numbers that look random and are the same every time.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }
}

/// Compresses, and checks all that must hold for any input.
fn holds(input: &[u8], limit: usize) {
    let short = compress(input, limit);
    assert_eq!(short.after, estimate(&short.text));
    assert!(short.after < limit.max(LEAST_LIMIT), "{} for {limit}:\n{}", short.after, short.text);
    assert_eq!(short.parts[0].range, 0..input.len());
    for part in &short.parts {
        assert_eq!(part.reference, Reference::to(&input[part.range.clone()], Reference::SHORT));
    }
    let links = short.text.matches("[expand:").count();
    let whole = short.parts.iter().filter(|part| short.text.contains(&part.link())).count();
    if !String::from_utf8_lossy(input).contains("[expand:") {
        assert!(links == 0 || whole == short.parts.len(), "a reference was cut: {}", short.text);
    }
}

#[test]
fn every_limit_is_kept() {
    for (name, text) in DOCUMENTS {
        for limit in (50..200).step_by(13).chain((200..2000).step_by(357)) {
            holds(text.as_bytes(), limit);
            let short = compress(text.as_bytes(), limit);
            assert!(short.summary.starts_with("Agent Communication"), "{name} at {limit}: {}", short.summary);
            assert_eq!(short, compress(text.as_bytes(), limit), "the same every time");
            let is_used = limit > 1000 || limit * 2 > short.before || short.after * 10 > limit * 8;
            assert!(limit < 60 || is_used, "{name} wastes {limit}: {}", short.text);
        }
    }
}

#[test]
fn the_most_important_goes_last() {
    let text = document("orchestrator");
    let short = compress(text.as_bytes(), 60);
    assert!(short.text.contains("Objective: Define how agents communicate"), "{}", short.text);
    assert!(short.text.ends_with(&short.parts[0].link()));
}

#[test]
fn truncated_documents_are_read_all_the_same() {
    let mut dice = Dice(7);
    for (_, text) in DOCUMENTS {
        for _ in 0..12 {
            let (a, b) = (dice.roll(text.len()), dice.roll(text.len()));
            holds(&text.as_bytes()[a.min(b)..a.max(b)], 60 + dice.roll(500));
        }
    }
    let json = include_bytes!("../testdata/texts/report.json.txt");
    for end in (0..json.len()).step_by(5) {
        holds(&json[..end], 120);
    }
}

#[test]
fn jumbled_marks_are_read_all_the_same() {
    let pieces = [
        "# ",
        "## ",
        "```\n",
        "```json\n",
        "- ",
        "| a | b |\n",
        "|---|---|\n",
        "---\n",
        "key: ",
        "**",
        "`",
        "[",
        "](",
        "{",
        "}",
        "\"",
        "\\",
        "\n",
        "  ",
        "…",
        "é",
        "🎉",
        "Decision: ",
        "1. ",
        "> ",
        "word ",
        "Done. ",
        ":",
        "===\n",
        "\r\n",
        "\t",
    ];
    let mut dice = Dice(11);
    for _ in 0..200 {
        let text: String = (0..dice.roll(120)).map(|_| pieces[dice.roll(pieces.len())]).collect();
        holds(text.as_bytes(), 50 + dice.roll(100));
        // Anything in braces may be taken for JSON.
        holds(format!("{{{text}}}").as_bytes(), 60);
    }
}

#[test]
fn a_megabyte_is_no_matter() {
    let log: String =
        (0..12_000).map(|n| format!("{{\"type\": \"status\", \"message\": \"step {n} of many is done\"}}\n")).collect();
    let list: String = (0..40_000).map(|n| format!("- item {n} has words in it\n")).collect();
    let line = "word ".repeat(200_000);
    let dots = "a.".repeat(500_000);
    let fences = "```a\n```a\n```\n".repeat(5_000);
    let deep = "[".repeat(500_000);
    for text in [log, list, line, dots, fences, deep] {
        holds(text.as_bytes(), 500);
    }
    let mut bytes = vec![b'x'; 1 << 20];
    bytes[1 << 19] = 0xff;
    assert_eq!(compress(&bytes, 500).form, Form::Binary);
}

#[test]
fn longer_references_keep_the_limit_too() {
    for digits in [15, 24, 36] {
        let short = compress_with(document("session").as_bytes(), 100, digits);
        assert!(short.after < 100);
        assert!(short.parts.iter().all(|part| part.reference.as_str().len() == digits));
    }
}
