//! Recipients: who a row is for, by name.

use huddle_scan::{Flags, Symbol, Table};

/// The recipient that stands for all agents.
const EVERYBODY: &str = "ALL";
/// The separator of recipient names.
const BETWEEN: &str = ", ";

/// Builds a symbol of every name in lists of recipients. Whoever fills a table calls it before anything is derived: a name
/// that came up in lists only has no symbol otherwise, and is passed over.
pub fn intern_recipients(table: &mut Table) {
    let mut seen = vec![false; table.symbols.len()];
    for row in 0..table.len() {
        let list = table.to()[row];
        if std::mem::replace(&mut seen[list.index()], true) || !table.text(list).contains(BETWEEN) {
            continue;
        }
        let list = table.text(list).to_owned();
        for name in list.split(BETWEEN) {
            table.symbols.intern(name.trim());
        }
    }
}

/// Returns whether a row is for everybody.
pub fn is_for_everybody(table: &Table, row: u32) -> bool {
    let flags = table.flags()[row as usize];
    !flags.contains(Flags::EVENT)
        && (flags.contains(Flags::BROADCAST) || table.text(table.to()[row as usize]) == EVERYBODY)
}

/// Lists who a row names, each once, by symbol. What is for everybody, or for those who listen, names nobody; a document is
/// one recipient's copy, and names that one whoever else has a copy.
pub fn named_recipients(table: &Table, row: u32, names: &mut Vec<Symbol>) {
    names.clear();
    let (to, flags) = (table.to()[row as usize], table.flags()[row as usize]);
    if to.is_none() || flags.contains(Flags::EVENT) {
        return;
    }
    match table.text(to) {
        EVERYBODY => {}
        list if list.contains(BETWEEN) => {
            for name in list.split(BETWEEN).filter_map(|name| table.symbols.find(name.trim())) {
                if let Err(place) = names.binary_search(&name)
                    && !name.is_none()
                {
                    names.insert(place, name);
                }
            }
        }
        _ => names.push(to),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::history::fixture::Fixture;

    #[test]
    fn a_list_names_each_once_and_everybody_is_nobody_by_name() {
        let check = |line: &str, wanted: &[&str]| {
            let fixture = Fixture::new(&["10:00:00 bob>ann", line]);
            let mut names = vec![Symbol::NONE];
            named_recipients(&fixture.table, 1, &mut names);
            let names: Vec<&str> = names.iter().map(|name| fixture.table.text(*name)).collect();
            assert_eq!(names, wanted, "{line}");
            let everybody = line.ends_with("ALL") || line.ends_with("all");
            assert_eq!(is_for_everybody(&fixture.table, 1), everybody, "{line}");
        };
        check("10:00:01 ann>bob", &["bob"]);
        check("10:00:01 ann>dan,bob,cat,,bob", &["bob", "dan", "cat"]);
        check("10:00:01 ann>", &[]);
        check("10:00:01 ann>ALL", &[]);
        check("10:00:01 ann>bob all", &["bob"]);
        check("10:00:01 ann>ALL all", &[]);
        check("10:00:01 ann>bob event", &[]);
    }
}
