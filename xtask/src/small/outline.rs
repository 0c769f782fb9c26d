//! What is written more than once becomes a function, which is called instead.
//!
//! A sequence of instructions can become one if control comes in at its beginning and goes out at its end. Its parameters are
//! the values that it takes from the stack, the locals that it reads, and the numbers in which its places differ; its result is
//! the value that it leaves there, or the one local that somebody reads afterwards. `look` tells what has to be known of
//! every instruction, `alike` finds sequences that look alike, `worth` tells what a function of them would save, and
//! `write` makes it.

mod alike;
mod flow;
mod live;
mod look;
mod worth;
mod write;

use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};

use anyhow::{Result, bail};

use super::module::Module;
use worth::Free;
use write::Rewriting;

/// Sequences of calls that were sequences before are found in the next round; after so many there is little left.
const ROUNDS: usize = 4;

/// A function that saves fewer bytes costs more time than it is worth.
const LEAST: usize = 8;

/// What the names of functions have in them where a call more is time that is felt: those that read and search logs, which
/// take up to twice as long otherwise, and those that every command is made of, memory, texts and JSON. In the symbols of the
/// compiler every part of a path comes after its length.
const HOT: [&str; 12] = [
    "huddle_scan",
    "huddle_core7history",
    "memchr",
    "regex_lite",
    "dlmalloc",
    "dlfree",
    "7raw_vec",
    "10serde_json2de",
    "8indexmap",
    "4core3str",
    "4core3fmt",
    "4core4hash",
];

/// Puts what repeats into functions, but for what has to be fast, which it knows by its names.
pub(crate) fn share(mut bytes: Vec<u8>) -> Result<Vec<u8>> {
    let hot = look::named(&bytes, &HOT)?;
    if hot.is_empty() {
        bail!(
            "putting what repeats into functions: no function is named as those that must stay fast \
             (looked for {}; the profile has to keep names: strip = \"debuginfo\")",
            HOT.join(", ")
        );
    }
    for _ in 0..ROUNDS {
        let shared = round(&bytes, &hot)?;
        if shared.len() >= bytes.len() {
            break;
        }
        bytes = shared;
    }
    Ok(bytes)
}

/// Makes functions of what repeats, those that save most first, as long as any does. Functions that are hot stay.
fn round(bytes: &[u8], hot: &BTreeSet<usize>) -> Result<Vec<u8>> {
    let looks = look::all(bytes, hot)?;
    let groups = alike::groups(&looks);
    let mut free = Free::all(&looks);
    let mut rewriting = Rewriting::of(Module::read(bytes)?);
    let mut promising = BinaryHeap::new();
    for (number, group) in groups.iter().enumerate() {
        promising.extend(worth::best(&looks, &free, group).map(|choice| (choice.saved, Reverse(number))));
    }
    while let Some((promised, Reverse(number))) = promising.pop() {
        let Some(choice) = worth::best(&looks, &free, &groups[number]) else { continue };
        // Others have taken some of its places meanwhile: those that promise more come first.
        if choice.saved == promised {
            rewriting.apply(&looks, &choice)?;
            free.take(&choice);
        }
        promising.push((choice.saved, Reverse(number)));
    }
    rewriting.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts the functions after one round.
    fn functions(functions: &str, hot: &[usize]) -> usize {
        let bytes = wat::parse_str(format!("(module (memory 1) {functions})")).unwrap();
        let bytes = round(&bytes, &hot.iter().copied().collect()).unwrap();
        wasmparser::Validator::new().validate_all(&bytes).unwrap();
        Module::read(&bytes).unwrap().functions.len()
    }

    /// Checks how many functions come to those that have these bodies.
    fn check(bodies: &[&str], more: usize) {
        let function = |body: &&str| format!("(func (param i32 i32) (local i32 i32) {body})\n");
        let before: String = bodies.iter().map(function).collect();
        assert_eq!(functions(&before, &[]), bodies.len() + more, "{before}");
    }

    /// Writes 31 bytes that do something with two locals and a number.
    fn long(first: u32, second: u32, number: i32) -> String {
        let store = format!("(i32.store offset=70000 (local.get {first}) (local.get {second}))");
        format!("{} (i32.store (local.get {first}) (i32.const {number}))", store.repeat(3))
    }

    #[test]
    fn the_same_is_written_once() {
        check(&[&long(0, 1, 7)], 0);
        check(&[&long(0, 1, 7), &long(0, 1, 7)], 1);
    }

    #[test]
    fn locals_and_numbers_may_differ() {
        check(&[&long(0, 1, 7), &long(1, 0, 7)], 1);
        check(&[&long(0, 1, 7), &long(1, 2, 9)], 1);
        // Two locals are not one.
        check(&[&long(0, 1, 7), &long(1, 1, 7)], 0);
    }

    #[test]
    fn what_leads_elsewhere_stays() {
        let around = |branch: &str| format!("(block {0} (br_if {branch} (local.get 0)) {0})", long(0, 1, 7));
        check(&[&around("0")], 1);
        let within = |depth: u32| {
            let store = "(i32.store offset=70000 (local.get 0) (local.get 1))";
            format!("(block {store} (br_if {depth} (local.get 0)) {store} (br_if {depth} (local.get 1)) {store})")
        };
        check(&[&within(0), &within(0)], 1);
        check(&[&within(1), &within(1)], 0);
    }

    #[test]
    fn one_local_that_is_read_afterwards_is_the_result() {
        let load = |to: u32, from: u32| format!("(local.set {to} (i32.load offset=70000 (local.get {from})))");
        let both = format!("{} {} (br_if 0 (local.get 0))", load(2, 0), load(3, 1));
        let one_is_read = format!("{both} (i32.store (local.get 0) (local.get 3))");
        check(&[one_is_read.as_str(); 4], 1);
        // Two are one too many.
        let both_are_read = format!("{both} (i32.store (local.get 2) (local.get 3))");
        check(&[both_are_read.as_str(); 4], 0);
    }

    #[test]
    fn values_may_come_over_the_stack() {
        let steps = "i32.const 70000 i32.mul i32.const 80000 i32.xor ".repeat(4);
        let body = |first: &str| format!("local.get 0 local.get 1 {first} {steps} i32.store");
        check(&[&body("i32.eqz"), &body("i32.popcnt")], 1);
    }

    #[test]
    fn what_is_hot_stays() {
        let both = format!("(func (param i32 i32) {})", long(0, 1, 7)).repeat(2);
        assert_eq!(functions(&both, &[0]), 2);
        assert_eq!(functions(&both, &[]), 3);
    }

    #[test]
    fn without_names_nothing_is_done() {
        let error = share(wat::parse_str("(module (func))").unwrap()).unwrap_err().to_string();
        assert!(error.contains("strip"), "{error}");
    }
}
