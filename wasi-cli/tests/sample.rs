//! The sample that the viewer offers is what today's command leaves behind when it plays `story.txt`.
//!
//! The page reads the file, so it has no header and is no snapshot of insta's; it is updated in the same way.

#![cfg(not(target_family = "wasm"))]
#![expect(clippy::unwrap_used, clippy::expect_used, reason = "a test fails by panicking, and so do its helpers")]

#[path = "sample/player.rs"]
mod player;

use std::path::{Path, PathBuf};
use std::{env, fs};

use player::Player;
use serde_json::json;

fn listing() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/sample/index.json")
}

/// Writes all files as the page takes them: one a line, so that a difference can be read.
fn listed(files: &[(String, String)]) -> String {
    let lines: Vec<String> = files.iter().map(|(path, text)| json!({"path": path, "text": text}).to_string()).collect();
    format!("{{\"name\": \"A sample session\", \"files\": [\n{}\n]}}\n", lines.join(",\n"))
}

#[test]
fn the_sample_is_what_the_story_leaves_behind() {
    let mut player = Player::new();
    player.play(include_str!("sample/story.txt"));
    let new = listed(&player.files());
    if env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") {
        fs::create_dir_all(listing().parent().unwrap()).unwrap();
        fs::write(listing(), &new).unwrap();
    }
    let old = fs::read_to_string(listing()).expect("INSTA_UPDATE=always makes the sample");
    for (old, new) in old.lines().zip(new.lines()) {
        assert_eq!(old, new, "INSTA_UPDATE=always if it is meant");
    }
    assert_eq!(old.lines().count(), new.lines().count(), "INSTA_UPDATE=always if it is meant");
    assert!(new.len() < 140_000, "a sample is small: {} bytes", new.len());
    // The page shows it at any time: what is wrong with it may not depend on that.
    player.let_years_pass();
    teaches(&player);
}

/// Holds the sample to what it is for: there is something to see in every view, and nothing is wrong that is not meant.
fn teaches(player: &Player) {
    let told = player.json(&["history", "."]);
    assert_eq!(told["agents"].as_array().unwrap().len(), 5, "{told}");
    for state in ["unread", "unanswered", "overdue", "crossed"] {
        assert!(told["states"][state].as_u64().unwrap() > 0, "nothing is {state}: {told}");
    }
    for many in [&told["handoffs"], &told["contexts"], &told["reports"]["reports"], &told["sessions"][0]["agents"][4]] {
        assert!(!many.is_null() && *many != 0, "{told}");
    }
    let problems = player.json(&["check", "."]);
    let codes: Vec<_> = problems["findings"].as_array().unwrap().iter().map(|found| found["code"].as_str()).collect();
    let wanted = ["damaged-line", "absent-artifact", "overdue-answer", "crossed-messages", "recovered-records"];
    assert_eq!(codes, wanted.map(Some), "{problems}");
}
