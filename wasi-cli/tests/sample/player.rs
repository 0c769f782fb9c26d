//! Plays a story: the command, run at the times and by the agents that the story says.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::{env, fs};

use huddle::system_host::SystemHost;
use huddle_core::Host;
use huddle_core::host::FixedHost;
use huddle_core::model::{Span, Timestamp};
use serde_json::Value;

/// The day of the story.
const DAY: &str = "2026-03-12";

/// What Huddle keeps for those who write and list: locks, the keys of messages that were sent, and indexes.
const WRITERS: [&str; 5] = ["/.huddle/index/", "/.huddle/keys/", "/.huddle/leases/", "/.huddle/origin/", ".md.lock"];

/// A project, and the clock of those who work on it.
pub(crate) struct Player {
    root: PathBuf,
    host: FixedHost,
    ids: BTreeMap<String, String>,
}

/// A line of a story.
#[derive(Debug, Default)]
struct Deed {
    words: Vec<String>,
    text: String,
}

impl Player {
    /// Creates an empty project, and goes there: what a story names are paths in it.
    pub(crate) fn new() -> Self {
        let root = huddle_scratch::root().join(format!("huddle-sample-{:032x}", SystemHost.random()));
        fs::create_dir(&root).unwrap();
        env::set_current_dir(&root).unwrap();
        Self { root, host: FixedHost::at(&format!("{DAY}T00:00:00Z")), ids: BTreeMap::new() }
    }

    /// Plays a story.
    pub(crate) fn play(&mut self, story: &str) {
        for deed in deeds(story) {
            let [time, agent, words @ ..] = deed.words.as_slice() else { panic!("too short: {deed:?}") };
            self.wait_until(time);
            let (name, words) = match words {
                [name, sign, rest @ ..] if sign == "=" => (Some(name), rest),
                _ => (None, words),
            };
            let words: Vec<String> = words.iter().map(|word| self.filled(word)).collect();
            let told = self.act(agent, &words, &deed.text);
            if let Some(name) = name {
                let id = ["id", "event_id"].iter().find_map(|key| told[key].as_str());
                self.ids.insert(name.clone(), id.unwrap_or_else(|| panic!("no id: {told}")).to_owned());
            }
        }
    }

    /// Lets time pass.
    pub(crate) fn wait_until(&self, time: &str) {
        let then = Timestamp::parse(&format!("{DAY}T{time}Z")).unwrap_or_else(|| panic!("no time: {time}"));
        let now = self.host.now();
        assert!(now <= then, "the story goes back in time at {time}");
        self.host.advance(then.since(now));
    }

    /// Lets much time pass.
    pub(crate) fn let_years_pass(&self) {
        self.host.advance(Span::from_hours(3 * 365 * 24));
    }

    /// Runs a command that answers with a document; it may only end well, or because of the damage that the story does.
    pub(crate) fn json(&self, args: &[&str]) -> Value {
        let args = ["huddle"].iter().chain(args).chain(&["--json"]).map(OsString::from).collect();
        let (mut out, mut err) = (Vec::new(), Vec::new());
        let code = huddle::run_on(&self.host, args, &mut std::io::empty(), &mut out, &mut err);
        let (out, err) = (String::from_utf8(out).unwrap(), String::from_utf8(err).unwrap());
        assert!(matches!(code, 0 | 6), "{out}{err}");
        serde_json::from_str(&out).unwrap()
    }

    /// Returns every file of the protocols that was left behind, by path; not the notes that only writers need.
    pub(crate) fn files(&self) -> Vec<(String, String)> {
        let mut files = Vec::new();
        collect(&self.root, "", &mut files);
        files.retain(|(path, _)| path.starts_with('.') && !WRITERS.iter().any(|part| path.contains(part)));
        files.sort();
        files
    }

    fn act(&self, agent: &str, words: &[String], text: &str) -> Value {
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        match words.as_slice() {
            ["write", path] => written(&self.root.join(path), text),
            ["append", path] => {
                let mut file = fs::OpenOptions::new().append(true).open(self.root.join(path)).unwrap();
                file.write_all(text.as_bytes()).unwrap();
            }
            ["change", path, old, new] => {
                let text = fs::read_to_string(self.root.join(path)).unwrap();
                assert!(text.contains(old), "there is no {old} in {text}");
                written(&self.root.join(path), &text.replace(old, new));
            }
            ["catch-up"] => {
                let unread = self.json(&["inbox", "--as", agent]);
                for message in unread["notifications"].as_array().unwrap() {
                    self.json(&["read", message["id"].as_str().unwrap(), "--as", agent]);
                }
            }
            command => return self.json(&[command, &["--as", agent]].concat()),
        }
        Value::Null
    }

    /// Puts in the ids that were kept.
    fn filled(&self, word: &str) -> String {
        match word.strip_prefix('$') {
            Some(name) => self.ids.get(name).unwrap_or_else(|| panic!("nothing is called {name}")).clone(),
            None => word.to_owned(),
        }
    }
}

impl Drop for Player {
    fn drop(&mut self) {
        // What is left in a temporary directory harms nobody.
        drop(fs::remove_dir_all(&self.root));
    }
}

fn written(path: &Path, text: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

fn collect(dir: &Path, above: &str, files: &mut Vec<(String, String)>) {
    for entry in fs::read_dir(dir).unwrap() {
        let entry = entry.unwrap();
        let path = format!("{above}{}", entry.file_name().into_string().unwrap());
        if entry.path().is_dir() {
            collect(&entry.path(), &format!("{path}/"), files);
        } else {
            files.push((path, fs::read_to_string(entry.path()).unwrap()));
        }
    }
}

/// Reads a story.
fn deeds(story: &str) -> Vec<Deed> {
    let mut deeds: Vec<Deed> = Vec::new();
    let mut quoted = false;
    for line in story.lines() {
        if !quoted && (line.is_empty() || line.starts_with('#')) {
            continue;
        }
        if let Some(text) = line.strip_prefix('|').filter(|_| !quoted) {
            let deed = deeds.last_mut().unwrap();
            deed.text += text.strip_prefix(' ').unwrap_or(text);
            deed.text.push('\n');
            continue;
        }
        if !quoted && !line.starts_with(' ') {
            deeds.push(Deed::default());
        }
        quoted = take_words(line, quoted, &mut deeds.last_mut().unwrap().words);
    }
    deeds
}

/// Takes the words of a line, and says whether a quotation goes on in the next.
fn take_words(line: &str, mut quoted: bool, words: &mut Vec<String>) -> bool {
    let mut inside = quoted;
    if quoted {
        words.last_mut().unwrap().push('\n');
    }
    for letter in line.chars() {
        match letter {
            '\'' => {
                if !quoted && !inside {
                    words.push(String::new());
                }
                (quoted, inside) = (!quoted, true);
            }
            ' ' if !quoted => inside = false,
            letter => {
                if !inside {
                    words.push(String::new());
                }
                inside = true;
                words.last_mut().unwrap().push(letter);
            }
        }
    }
    quoted
}
