//! What a new name must be beyond valid: the same file on every system, and no other name to a reader's eye.

use unicode_normalization::{UnicodeNormalization, is_nfc};
use unicode_security::mixed_script::AugmentedScriptSet;
use unicode_security::skeleton;

/// Windows opens a device by these names, whatever ending follows.
const DEVICES: [&str; 4] = ["con", "prn", "aux", "nul"];

/// A rule that a valid name breaks, and what to do about it.
pub(super) type Fault = (&'static str, &'static str);

/// Finds the first rule for new names that `text` breaks.
pub(super) fn fault_of(text: &str) -> Option<Fault> {
    if text.contains(is_bidi_control) {
        return Some((
            "contains a bidirectional control character",
            "leave it out: it shows the name in another order",
        ));
    }
    if text.contains(is_invisible) {
        return Some(("contains an invisible character", "leave it out: nobody sees the difference"));
    }
    if text.contains(|c: char| c.is_whitespace() && c != ' ') {
        return Some(("contains a space other than U+0020", "use a plain space or a hyphen"));
    }
    if !is_nfc(text) {
        return Some(("is not in Unicode normalization form C", "write it with composed characters (NFC)"));
    }
    if text.contains(['<', '>', ':', '"', '|', '?', '*']) {
        return Some(("contains one of < > : \" | ? *, which Windows reserves", "use a hyphen or a dot instead"));
    }
    if text.ends_with(['.', ' ']) {
        return Some(("ends with a dot or a space, which Windows drops", "end it with a letter or a digit"));
    }
    if is_device(text) {
        return Some(("is the name of a device on Windows", "choose another name, or put a word before it"));
    }
    if mixes_scripts(text) {
        return Some((
            "mixes letters of different scripts",
            "write it in one script: look-alikes pass for other names",
        ));
    }
    None
}

/// Returns whether two different names pass for each other: they differ in case alone, or look the same.
pub(super) fn is_look_alike(a: &str, b: &str) -> bool {
    a != b && (folded(a) == folded(b) || skeleton(a).eq(skeleton(b)) || skeleton(&folded(a)).eq(skeleton(&folded(b))))
}

/// Upper case first: what has several lower-case forms, as sigma does, becomes one.
fn folded(text: &str) -> String {
    text.to_uppercase().to_lowercase().nfc().collect()
}

fn is_bidi_control(c: char) -> bool {
    matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The characters that Unicode calls default-ignorable, the annotation marks and the blank Braille pattern.
fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}'
        | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
        | '\u{e0000}'..='\u{e0fff}')
}

fn is_device(text: &str) -> bool {
    let stem = text.split('.').next().unwrap_or(text).trim_end().to_ascii_lowercase();
    // Windows takes superscript digits for digits here.
    let is_port = |rest: &str| matches!(rest, "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "¹" | "²" | "³");
    DEVICES.contains(&stem.as_str())
        || stem.strip_prefix("com").or_else(|| stem.strip_prefix("lpt")).is_some_and(is_port)
}

/// Returns whether letters are of more scripts than people write together: one, or Latin beside Chinese, Japanese or Korean
/// (UTS #39, "highly restrictive").
fn mixes_scripts(text: &str) -> bool {
    if !AugmentedScriptSet::for_str(text).is_empty() {
        return false;
    }
    let others: String = text.chars().filter(|c| !is_latin(*c)).collect();
    let set = AugmentedScriptSet::for_str(&others);
    !(set.hanb || set.jpan || set.kore)
}

fn is_latin(c: char) -> bool {
    AugmentedScriptSet::for_char(c).base.contains_script(unicode_script::Script::Latin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_pass_for_others_or_fail_elsewhere_are_found() {
        for (text, fault) in [
            ("аnn", "mixes letters"),
            ("αnn", "mixes letters"),
            ("a\u{200b}nn", "invisible"),
            ("a\u{ad}nn", "invisible"),
            ("a\u{2060}nn", "invisible"),
            ("ann\u{feff}", "invisible"),
            ("ann\u{fe0f}", "invisible"),
            ("\u{202e}nna", "bidirectional"),
            ("ann\u{2067}", "bidirectional"),
            ("two\u{a0}words", "space other than"),
            ("e\u{301}", "normalization form C"),
            ("a:b", "Windows reserves"),
            ("a?", "Windows reserves"),
            ("<a>", "Windows reserves"),
            ("a.", "ends with a dot"),
            ("CON", "device"),
            ("con.txt", "device"),
            ("Nul .tar.gz", "device"),
            ("com1", "device"),
            ("LPT9.log", "device"),
            ("com²", "device"),
        ] {
            let found = fault_of(text);
            assert!(found.is_some_and(|(said, _)| said.contains(fault)), "{text:?}: {found:?}");
        }
    }

    #[test]
    fn ordinary_names_are_portable() {
        for text in [
            "ann",
            "Ünï",
            "é",
            "two words",
            "builder-1",
            "api.contracts",
            "console",
            "com10",
            "com",
            "lpt",
            "null",
            "анна",
            "Ελένη",
            "レビュー担当",
            "レビューapi",
            "검토자",
            "审阅者-1",
            "🦀-builder",
            "a_b+c@d#1",
            "x,y",
            "it's",
        ] {
            assert_eq!(fault_of(text), None, "{text:?}");
        }
    }

    #[test]
    fn names_that_look_the_same_are_told() {
        for (a, b) in [
            ("ann", "ANN"),
            ("ann", "аnn"),
            ("cope", "соре"),
            ("builder-1", "builder-l"),
            ("straße", "STRASSE"),
            ("ΣΑΣ", "σας"),
        ] {
            assert!(is_look_alike(a, b) && is_look_alike(b, a), "{a} {b}");
        }
        for (a, b) in [("ann", "ann"), ("ann", "anne"), ("builder-1", "builder-2"), ("a-b", "a_b"), ("Ünï", "Uni")] {
            assert!(!is_look_alike(a, b), "{a} {b}");
        }
    }
}
