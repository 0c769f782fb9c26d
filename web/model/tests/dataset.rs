//! The worker's answers about every fixture, asked as the page asks.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking, and so do its helpers")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use huddle_core::history::Loader;
use huddle_core::model::Timestamp;
use huddle_web_model::dataset::Dataset;
use huddle_web_model::dataset::file_store::{FileBytes, FileStore};
use huddle_web_model::protocol::{Format, Goal, Key, List, Passage, Request, RequestError, Response, Row, Rows};

const LISTS: [List; 2] = [List { threads: false, found: false }, List { threads: true, found: false }];

fn fixtures() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures")
}

/// Opens a directory as the page would.
fn open(name: &str) -> Dataset {
    let mut paths = Vec::new();
    walk(&fixtures().join(name), &mut paths);
    paths.sort();
    let shown = |path: &Path| path.strip_prefix(fixtures()).unwrap().to_str().unwrap().to_owned();
    let list = paths.iter().map(|path| (shown(path), fs::metadata(path).unwrap().len(), false)).collect();
    let (mut loader, mut texts) = (Loader::new(list), FileStore::default());
    for (number, path) in paths.iter().enumerate() {
        let bytes = fs::read(path).unwrap();
        if loader.files()[number].role.is_read() {
            loader.feed(number as u32, &bytes);
            loader.end();
        }
        texts.put(shown(path), FileBytes::Local(bytes.into()));
    }
    Dataset::new(loader.finish(), texts, Timestamp::parse("2025-02-01T00:00:00Z").unwrap()).unwrap()
}

fn walk(dir: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { walk(&path, paths) } else { paths.push(path) }
    }
}

fn all_fixtures() -> Vec<String> {
    let names = fs::read_dir(fixtures()).unwrap().map(|entry| entry.unwrap());
    let names = names.filter(|entry| entry.path().is_dir()).map(|entry| entry.file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    assert!(names.len() >= 10, "{names:?}");
    names
}

fn rows(book: &mut Dataset, list: List) -> Rows {
    match book.respond(&Request::Rows { list, start: 0, count: 1_000 }) {
        Ok(Response::Rows(rows)) => rows,
        other => panic!("{other:?}"),
    }
}

fn keys(rows: &Rows) -> Vec<Key> {
    let said = rows.rows.iter().filter_map(|row| if let Row::Said(line) = row { Some(line.key.clone()) } else { None });
    said.collect()
}

#[test]
fn both_lists_hold_every_message_once_and_each_is_found_by_its_key() {
    for name in all_fixtures() {
        let mut book = open(&name);
        let entries = book.overview().entries;
        for list in LISTS {
            let rows = rows(&mut book, list);
            let keys = keys(&rows);
            assert_eq!(keys.len() as u32, entries, "{name} {list:?}");
            assert_eq!(keys.iter().collect::<BTreeSet<_>>().len(), keys.len(), "{name} has a key twice");
            for (index, row) in rows.rows.iter().enumerate() {
                let Row::Said(line) = row else { continue };
                let found = book.respond(&Request::Find { list, key: line.key.clone() });
                assert_eq!(found, Ok(Response::Index(Some((index as u32, line.key.clone())))), "{name}");
                let Ok(Response::Details(details)) = book.respond(&Request::Details(line.key.clone())) else {
                    panic!("{name}: there are no details of {}", line.key)
                };
                assert_eq!(details.line.subject, line.subject);
                assert!(!details.raw.is_empty());
            }
        }
    }
}

#[test]
fn steps_go_over_all_messages_and_back() {
    for name in all_fixtures() {
        let mut book = open(&name);
        for list in LISTS {
            let wanted = keys(&rows(&mut book, list));
            let mut walk = |back: bool| {
                let (mut from, mut seen) = (None, Vec::new());
                while let Ok(Response::Index(Some((index, key)))) =
                    book.respond(&Request::Step { list, from, to: Goal::Message, back })
                {
                    seen.push(key);
                    from = Some(index);
                }
                seen
            };
            assert_eq!(walk(false), wanted, "{name}");
            assert_eq!(walk(true), wanted.into_iter().rev().collect::<Vec<_>>(), "{name}");
        }
    }
}

#[test]
fn hits_are_the_same_in_the_list_in_conversations_and_on_the_timeline() {
    for name in all_fixtures() {
        let mut book = open(&name);
        for query in ["type:*", "e", "is:unread OR is:overdue", "-from:\"\"", "nothing says this"] {
            let Ok(Response::Found { count }) = book.respond(&Request::Search(query.to_owned())) else {
                panic!("{query}")
            };
            let marked =
                |rows: &Rows| rows.rows.iter().filter(|row| matches!(row, Row::Said(line) if line.hit)).count() as u64;
            for threads in [false, true] {
                for found in [false, true] {
                    let rows = rows(&mut book, List { threads, found });
                    assert_eq!(marked(&rows), count, "{name}: {query}");
                }
            }
            let flat = rows(&mut book, List { threads: false, found: true });
            assert_eq!(u64::from(flat.total), count, "{name}: {query}");
            let timed = flat.rows.iter().filter(|row| matches!(row, Row::Said(line) if line.at.is_some())).count();
            let Ok(Response::Timeline(seen)) = book.respond(&Request::Timeline { window: None, columns: 300 }) else {
                panic!()
            };
            assert_eq!(seen.cells.iter().map(|cell| cell.hits as usize).sum::<usize>(), timed, "{name}: {query}");
        }
        let misread = book.respond(&Request::Search("from:ann is:red".to_owned()));
        assert!(matches!(misread, Err(RequestError::Query(error)) if error.at == 12));
    }
}

#[test]
fn hits_are_marked_with_agents_problems_handoffs_and_in_details() {
    let mut book = open("troubled-mailbox");
    for query in ["", "type:*", "-type:*"] {
        book.respond(&Request::Search(query.to_owned())).unwrap();
        let lines = rows(&mut book, LISTS[0]).rows;
        let named = |row: &&Row| matches!(row, Row::Said(line) if line.hit && !line.from.is_empty());
        let Ok(Response::Agents(agents)) = book.respond(&Request::Agents) else { panic!() };
        assert_eq!(agents.searching, !query.is_empty());
        let found: u32 = agents.agents.iter().map(|card| card.found).sum();
        assert_eq!(found as usize, lines.iter().filter(named).count(), "{query}");
        let all = query == "type:*";
        let Ok(Response::Problems(problems)) = book.respond(&Request::Problems) else { panic!() };
        let about = problems.problems.iter().filter(|problem| problem.key.is_some());
        assert!(about.clone().count() > 0 && about.clone().all(|problem| problem.hit == all), "{query}");
        let Ok(Response::Shared(shared)) = book.respond(&Request::Shared) else { panic!() };
        assert!(all || shared.handoffs.iter().all(|card| !card.hit), "{query}");
        let key = keys(&rows(&mut book, LISTS[0]))[0].clone();
        let Ok(Response::Details(details)) = book.respond(&Request::Details(key)) else { panic!() };
        assert_eq!(details.line.hit, all, "{query}");
    }
}

#[test]
fn what_is_new_is_found_in_conversations_too() {
    let mut book = open("troubled-mailbox");
    let entries = book.overview().entries;
    let list = LISTS[1];
    let rows = rows(&mut book, list);
    for since in [0, entries / 2, entries - 1] {
        let wanted = rows.rows.iter().position(|row| matches!(row, Row::Said(line) if line.place >= since)).unwrap();
        let step = book.respond(&Request::Step { list, from: None, to: Goal::Since(since), back: false });
        assert!(matches!(step, Ok(Response::Index(Some((row, _)))) if row as usize == wanted), "{since}: {step:?}");
    }
    let step = book.respond(&Request::Step { list, from: None, to: Goal::Since(entries), back: false });
    assert_eq!(step, Ok(Response::Index(None)));
}

#[test]
fn the_timeline_shows_all_that_has_a_time() {
    for name in all_fixtures() {
        let mut book = open(&name);
        let Ok(Response::Timeline(all)) = book.respond(&Request::Timeline { window: None, columns: 700 }) else {
            panic!()
        };
        let drawn: u32 = all.cells.iter().map(|cell| cell.count).sum();
        assert_eq!(drawn + all.untimed, book.overview().entries, "{name}");
        assert_eq!(drawn, all.whole.iter().sum::<u32>(), "{name}");
        assert_eq!(drawn, all.counts.iter().sum::<u32>(), "{name}");
        assert!(all.ticks.is_sorted() && all.ticks.iter().all(|(at, _)| (all.start..all.end).contains(at)), "{name}");
        let each = (0..all.lanes.len() as u32).map(|lane| {
            let ask = Request::Lane { lane, start: all.start, end: all.end, limit: 1_000 };
            let Ok(Response::Lane(found)) = book.respond(&ask) else { panic!("{name}") };
            assert_eq!(found.lines.len() as u32, found.total, "{name}");
            found.total
        });
        assert_eq!(each.collect::<Vec<_>>(), all.counts, "{name}");
    }
}

#[test]
fn papers_are_answered_and_problems_lead_somewhere() {
    for name in all_fixtures() {
        let mut book = open(&name);
        let Ok(Response::Agents(agents)) = book.respond(&Request::Agents) else { panic!("{name}") };
        assert!(agents.talk.iter().all(|(from, to, _)| agents.agents.len() as u32 > *from.max(to)), "{name}");
        assert!(matches!(book.respond(&Request::Shared), Ok(Response::Shared(_))), "{name}");
        let Ok(Response::Reports(reports)) = book.respond(&Request::Reports) else { panic!("{name}") };
        for number in 0..reports.findings.len() {
            let title = reports.findings[number].title.clone();
            let other = book.respond(&Request::Markdown(Passage::Finding(number as u32, format!("not {title}"))));
            assert!(matches!(other, Err(RequestError::Failed(_))), "{name}: another finding is copied: {other:?}");
            let copied = book.respond(&Request::Markdown(Passage::Finding(number as u32, title)));
            let Ok(Response::Text { text, .. }) = copied else { panic!("{name}") };
            assert!(text.starts_with("###"), "{text}");
        }
        let Ok(Response::Problems(found)) = book.respond(&Request::Problems) else { panic!("{name}") };
        let counts = book.overview().problems;
        assert_eq!(counts.iter().sum::<u32>() as usize, found.problems.len(), "{name}");
        for problem in &found.problems {
            if let Some(key) = &problem.key {
                assert!(
                    matches!(book.respond(&Request::Details(key.clone())), Ok(Response::Details(_))),
                    "{name}: {problem:?}"
                );
            }
            if let Some((path, offset, length)) = problem.part.clone() {
                let part = book.respond(&Request::Part { path, offset, length });
                assert!(matches!(part, Ok(Response::Text { .. })), "{name}: {problem:?}: {part:?}");
            }
        }
    }
}

#[test]
fn what_is_saved_can_be_opened_again() {
    for name in all_fixtures() {
        let mut book = open(&name);
        let entries = book.overview().entries as usize;
        let (_, bytes) = book.save(Format::Jsonl).unwrap();
        assert_eq!(bytes.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()).count(), entries, "{name}");
        assert!(book.save(Format::Markdown).is_ok(), "{name}");
        for key in keys(&rows(&mut book, LISTS[0])) {
            assert!(matches!(
                book.respond(&Request::Markdown(Passage::Thread(key.clone()))),
                Ok(Response::Text { .. })
            ));
            assert!(matches!(book.respond(&Request::Markdown(Passage::Message(key))), Ok(Response::Text { .. })));
        }
    }
}

#[test]
fn problems_with_messages_lead_to_them() {
    let mut book = open("troubled-mailbox");
    let Ok(Response::Problems(all)) = book.respond(&Request::Problems) else { panic!("no problems") };
    let about: Vec<_> = all.problems.iter().filter(|problem| problem.place.starts_with("message ")).collect();
    assert!(!about.is_empty(), "{all:?}");
    for problem in about {
        let id = problem.place.trim_start_matches("message ");
        assert_eq!(problem.key.as_deref(), Some(format!("id:{id}").as_str()), "{problem:?}");
        assert!(problem.part.as_ref().is_some_and(|(path, _, length)| path.contains(id) && *length > 0), "{problem:?}");
    }
}
