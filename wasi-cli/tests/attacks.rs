//! The catalogue of attacks against the native command, whole.

#![cfg(unix)]

mod read_only;

use std::path::Path;

use huddle_attacks::{Counts, Extent, Ran, Target, within_time_limit};

/// The command as a library: a panic in it is one in its thread.
struct Native;

impl Target for Native {
    fn run(&self, root: &Path, args: &[String]) -> Ran {
        let words = ["huddle".to_owned(), "--root".to_owned(), root.display().to_string()];
        let words: Vec<String> = words.into_iter().chain(args.iter().cloned()).collect();
        within_time_limit(move || {
            let (mut out, mut err) = (Vec::new(), Vec::new());
            let code = huddle::run(words, &mut std::io::empty(), &mut out, &mut err);
            let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("output is text");
            Ran { code: code.into(), out: text(out), err: text(err) }
        })
    }
}

fn report(part: &str, counts: Counts) {
    println!("{part}: {counts}");
}

#[test]
fn names() {
    report("names", huddle_attacks::names(&Native, Extent::Whole));
}

#[test]
fn links() {
    report("links", huddle_attacks::links(&Native, Extent::Whole));
}

#[test]
fn forged_journal_entries() {
    report("forged journal entries", huddle_attacks::forged_entries(&Native));
}

#[test]
fn forged_leases() {
    report("forged leases, registries, keys, logs and archives", huddle_attacks::forged_leases(&Native));
}

#[test]
fn poisoned_inboxes() {
    report("poisoned inboxes", huddle_attacks::poisoned_inboxes(&Native));
}

#[test]
fn contents() {
    report("contents", huddle_attacks::contents(&Native, Extent::Whole));
}

#[test]
fn fields() {
    report("fields", huddle_attacks::fields(&Native, Extent::Whole));
}

#[test]
fn undeliverable_mail() {
    report("undeliverable mail", huddle_attacks::undeliverable_mail(&Native));
}

#[test]
fn mending() {
    report("mending", huddle_attacks::mending(&Native));
}

#[test]
fn clone_runs_no_code() {
    report("code in a clone", huddle_attacks::clone_runs_no_code(&Native));
}

#[test]
fn dangling_links_stay_dangling() {
    report("dangling links", huddle_attacks::dangling_links_stay_dangling(&Native));
}

#[test]
fn escapes_stay_in_the_text() {
    report("escapes", huddle_attacks::escapes_stay_in_the_text(&Native));
}

#[test]
fn headers_are_not_imitated() {
    report("imitated headers", huddle_attacks::headers_are_not_imitated(&Native));
}

#[test]
fn long_fields_are_refused_or_listed() {
    report("long fields", huddle_attacks::long_fields_are_refused_or_listed(&Native));
}

#[test]
fn odd_subjects_are_answered() {
    report("odd subjects", huddle_attacks::odd_subjects_are_answered(&Native));
}

#[test]
fn large_bodies_are_refused() {
    report("large bodies", huddle_attacks::large_bodies_are_refused(&Native));
}

#[test]
fn many_foreign_files_cost_little() {
    report("many foreign files", huddle_attacks::many_foreign_files_cost_little(&Native));
}
