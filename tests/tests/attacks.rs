//! The catalogue of attacks against the component under wasmtime.
//!
//! Forged and poisoned files are tried all. Of the large products (names, links, contents and fields times commands)
//! every seventh diagonal is tried, which meets every row and every column; `HUDDLE_ALL=1` tries all of them.

#![cfg(unix)]

mod read_only;

use std::path::Path;

use huddle_attacks::{Counts, Extent, Ran, Target, within_time_limit};
use huddle_tests::{Run, artifact};

/// The component, with the project as the only directory in reach.
struct Component;

impl Target for Component {
    fn run(&self, root: &Path, args: &[String]) -> Ran {
        let (root, args) = (root.to_owned(), args.to_vec());
        within_time_limit(move || {
            let guest = artifact::component().unwrap_or_else(|error| panic!("{error:#}"));
            let run = Run::new(guest).args(args).dir(root, ".").start();
            let outcome = run.unwrap_or_else(|error| panic!("{error:#}"));
            let err = outcome.stderr + outcome.trap.as_deref().unwrap_or_default();
            Ran { code: outcome.code, out: outcome.stdout, err }
        })
    }

    fn root(&self, _: &Path) -> String {
        ".".to_owned()
    }
}

fn extent() -> Extent {
    if std::env::var_os("HUDDLE_ALL").is_some_and(|all| all == "1") { Extent::Whole } else { Extent::Sample }
}

fn report(part: &str, counts: Counts) {
    println!("{part}: {counts}");
}
#[test]
fn names() {
    report("names", huddle_attacks::names(&Component, extent()));
}

#[test]
fn links() {
    report("links", huddle_attacks::links(&Component, extent()));
}

#[test]
fn forged_journal_entries() {
    report("forged journal entries", huddle_attacks::forged_entries(&Component));
}

#[test]
fn forged_leases() {
    report("forged leases, registries, keys, logs and archives", huddle_attacks::forged_leases(&Component));
}

#[test]
fn poisoned_inboxes() {
    report("poisoned inboxes", huddle_attacks::poisoned_inboxes(&Component));
}

#[test]
fn contents() {
    report("contents", huddle_attacks::contents(&Component, extent()));
}

#[test]
fn fields() {
    report("fields", huddle_attacks::fields(&Component, extent()));
}

#[test]
fn undeliverable_mail() {
    report("undeliverable mail", huddle_attacks::undeliverable_mail(&Component));
}

#[test]
fn mending() {
    report("mending", huddle_attacks::mending(&Component));
}

#[test]
fn clone_runs_no_code() {
    report("code in a clone", huddle_attacks::clone_runs_no_code(&Component));
}

#[test]
fn dangling_links_stay_dangling() {
    report("dangling links", huddle_attacks::dangling_links_stay_dangling(&Component));
}

#[test]
fn escapes_stay_in_the_text() {
    report("escapes", huddle_attacks::escapes_stay_in_the_text(&Component));
}

#[test]
fn headers_are_not_imitated() {
    report("imitated headers", huddle_attacks::headers_are_not_imitated(&Component));
}

#[test]
fn long_fields_are_refused_or_listed() {
    report("long fields", huddle_attacks::long_fields_are_refused_or_listed(&Component));
}

#[test]
fn odd_subjects_are_answered() {
    report("odd subjects", huddle_attacks::odd_subjects_are_answered(&Component));
}

#[test]
fn large_bodies_are_refused() {
    report("large bodies", huddle_attacks::large_bodies_are_refused(&Component));
}

#[test]
fn many_foreign_files_cost_little() {
    report("many foreign files", huddle_attacks::many_foreign_files_cost_little(&Component));
}
