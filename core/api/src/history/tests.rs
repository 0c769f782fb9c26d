//! Histories from a source in memory.

use std::io;
use std::rc::Rc;

use huddle_core::engine::fs::memory::MemoryFs;
use huddle_core::engine::memory::MemoryEngine;
use huddle_core::history::record::ByteSource;
use huddle_core::host::FixedHost;
use huddle_core::model::{Diagnostic, ErrorKind, Remedy};

use crate::{
    Context, Error, HistoryFiles, HistorySource, ListHistoryThreads, Project, SearchHistory, ShowHistoryThread,
    document,
};

const LOG: &str = concat!(
    r#"{"id":"m1","from":"ann","to":"bob","thread_id":"t","subject":"Which port?","timestamp":"2025-11-29T14:00:00Z"}"#,
    "\n",
    r#"{"id":"m2","from":"bob","to":"ann","thread_id":"t","subject":"8080","timestamp":"2025-11-29T14:01:00Z"}"#,
    "\n",
);

/// A log in memory.
#[derive(Clone)]
struct MemoryLog {
    files: Rc<[(String, bool)]>,
}

impl HistorySource for MemoryLog {
    fn open(&self, paths: &[String]) -> Result<Box<dyn HistoryFiles>, Error> {
        match paths {
            [path] if *path == self.files[0].0 => Ok(Box::new(self.clone())),
            _ => Err(Error::new(ErrorKind::NotFound, format!("no such file: {paths:?}"), Remedy::NONE)),
        }
    }
}

impl HistoryFiles for MemoryLog {
    fn files(&self) -> &[(String, bool)] {
        &self.files
    }

    fn diagnostics(&self) -> &[Diagnostic] {
        &[]
    }

    fn feed(&self, _: &str, _: u64, _: &mut Vec<u8>, take: &mut dyn FnMut(&[u8])) -> io::Result<()> {
        take(LOG.as_bytes());
        Ok(())
    }

    fn parts(&self) -> Box<dyn ByteSource> {
        Box::new(self.clone())
    }

    fn unreadable(&self, path: &str, error: &io::Error) -> Error {
        Error::new(ErrorKind::Failed, format!("{error}: {path}"), Remedy::NONE)
    }
}

impl ByteSource for MemoryLog {
    fn read(&mut self, _: &str, offset: u64, length: u64) -> io::Result<Vec<u8>> {
        let rest = &LOG.as_bytes()[offset as usize..];
        Ok(rest[..rest.len().min(length as usize)].to_vec())
    }
}

fn with_context(check: impl FnOnce(&mut Context<'_>)) {
    let (host, files) = (FixedHost::at("2025-11-29T14:30:52Z"), MemoryFs::default());
    let project = Project::new(&host, Box::new(MemoryEngine::new(&host)), "memory", &files);
    let log = MemoryLog { files: Rc::new([("log.jsonl".to_owned(), true)]) };
    check(&mut Context::new(&project, None).with_histories(&log));
}

#[test]
fn history_is_read_from_the_source_of_the_context() {
    with_context(|context| {
        let paths = vec!["log.jsonl".to_owned()];
        let threads = context.execute(ListHistoryThreads { paths: paths.clone(), limit: None }).unwrap();
        let listed: Vec<_> = threads.threads.iter().map(|one| (one.thread_id.as_str(), one.message_count)).collect();
        assert_eq!((threads.count, listed), (1, vec![("t", 2)]));
        let request = ShowHistoryThread { thread_id: "m2".to_owned(), paths: paths.clone() };
        let thread = document(&context.execute(request).unwrap());
        assert_eq!((&thread["threadId"], &thread["messages"][1]["subject"]), (&"t".into(), &"8080".into()));
        let search = |query: &str| SearchHistory { query: query.to_owned(), limit: Some(1), paths: paths.clone() };
        let found = context.execute(search("from:ann OR from:bob")).unwrap();
        assert_eq!((found.count, found.listed, found.hits[0].id.as_str()), (2, 1, "m1"));
    });
}

#[test]
fn missing_thread_and_missing_path_are_not_found() {
    with_context(|context| {
        let mut find = |thread: &str, path: &str| {
            let request = ShowHistoryThread { thread_id: thread.to_owned(), paths: vec![path.to_owned()] };
            let error = context.execute(request).unwrap_err();
            (error.kind, error.remedy.clone())
        };
        assert_eq!(find("t2", "log.jsonl"), (ErrorKind::NotFound, Remedy::ListHistoryThreads));
        assert_eq!(find("t", "other.jsonl"), (ErrorKind::NotFound, Remedy::NONE));
    });
}

#[test]
fn context_without_a_source_reads_no_history() {
    let (host, files) = (FixedHost::at("2025-11-29T14:30:52Z"), MemoryFs::default());
    let project = Project::new(&host, Box::new(MemoryEngine::new(&host)), "memory", &files);
    let error = Context::new(&project, None).execute(ListHistoryThreads::default()).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Usage);
}
