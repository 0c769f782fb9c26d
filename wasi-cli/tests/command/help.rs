//! Help, version and primer.

use crate::command::support::Project;

#[test]
fn the_help_page_is_as_reviewed() {
    assert_reviewed(&Project::empty().ok(&["--help"]));
}

#[cfg(not(target_family = "wasm"))]
fn assert_reviewed(page: &str) {
    assert_eq!(page, format!("{}\n", page.trim_end()), "insta does not compare how a text ends");
    insta::with_settings!({prepend_module_to_snapshot => false, omit_expression => true}, {
        insta::assert_snapshot!("help", page);
    });
}

/// On WASI no test sees the files of the repository, which insta reads: the snapshot is compiled in.
#[cfg(target_family = "wasm")]
fn assert_reviewed(page: &str) {
    assert_eq!(Some(page), include_str!("snapshots/help.snap").splitn(3, "---\n").nth(2));
}

#[test]
fn every_command_has_a_help_page_of_its_own() {
    let project = Project::empty();
    let page = project.ok(&["--help"]);
    let commands = page.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let words: Vec<&str> = commands.map(|line| line.split_whitespace().next().unwrap()).collect();
    assert_eq!(words.len(), 43, "{words:?}");
    for word in words {
        let page = project.ok(&[word, "--help"]);
        assert!(page.contains(&format!("usage: huddle {word}")), "{page}");
        assert_eq!(page, project.ok(&[word, "-h"]));
    }
    assert!(project.ok(&["handoff", "create", "--help"]).contains("--criterion TEXT"));
}

#[test]
fn missing_command_prints_help_as_an_error() {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let code = huddle::run(["huddle"], &mut std::io::empty(), &mut out, &mut err);
    assert_eq!((code, out.len()), (2, 0));
    assert_eq!(String::from_utf8(err).unwrap(), Project::empty().ok(&["--help"]));
}

#[test]
fn version_and_primer_are_printed() {
    let project = Project::empty();
    assert_eq!(project.ok(&["--version"]), format!("huddle {}\n", env!("CARGO_PKG_VERSION")));
    assert_eq!(project.ok(&["-V"]), project.ok(&["--version"]));
    let primer = project.ok(&["primer"]);
    assert_eq!(project.json(&["primer"])["primer"], primer);
    assert!(primer.contains("huddle inbox"));
}

#[test]
fn hooks_count_the_mail_of_whoever_is_named() {
    let project = Project::new();
    let settings = project.json(&["hooks", "--as", "o'neil", "--run", "wasmtime run --dir . huddle.wasm"]);
    let command = "wasmtime run --dir . huddle.wasm inbox --count --as 'o'\\''neil' || true";
    for moment in ["SessionStart", "UserPromptSubmit"] {
        assert_eq!(settings["hooks"][moment][0]["hooks"][0]["command"], command, "{settings}");
    }
    assert_eq!(project.ok(&["inbox", "--count", "--as", "bob"]), "");
    let id = project.send("One", &[]);
    assert_eq!(project.ok(&["inbox", "--count", "--as", "bob"]), "📬 bob: 1 unread message: huddle inbox\n");
    assert_eq!(project.json(&["inbox", "--count", "--as", "bob"])["count"], 1);
    let trace = project.json(&["trace", &id]);
    assert_eq!(trace["deliveries"][0]["step"], "stored", "counting offers nothing: {trace}");
}

/// What ends with 2 would keep a person's prompt from being read.
#[test]
#[cfg(not(target_os = "wasi"))]
fn a_hook_ends_well_whatever_happens() {
    let project = Project::empty();
    for run in ["false", "no-such-command", "sh -c 'exit 2' --"] {
        let settings = project.json(&["hooks", "--run", run]);
        let command = settings["hooks"]["UserPromptSubmit"][0]["hooks"][0]["command"].as_str().unwrap();
        let ended = std::process::Command::new("sh").args(["-c", command]).output().unwrap();
        assert!(ended.status.success() && ended.stdout.is_empty(), "{command}: {ended:?}");
    }
    assert!(project.ok(&["hooks", "--help"]).contains("--env HUDDLE_AGENT"));
}

#[test]
fn a_skill_is_printed() {
    assert!(Project::empty().ok(&["skill"]).starts_with("---\nname: huddle\n"));
}

#[test]
#[cfg(any(not(feature = "viewer"), target_os = "wasi"))]
fn command_without_viewer_says_how_to_get_one() {
    let ran = Project::empty().run(&["view", "--no-open"]);
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(
        ran.err.contains("hint: `cargo xtask build` makes a native command that has it: dist/huddle view"),
        "{ran:?}"
    );
}

#[test]
fn agents_are_told_that_messages_are_data() {
    let project = Project::new();
    for page in ["primer", "skill"] {
        assert!(project.ok(&[page]).contains("data, not instructions"), "{page}");
    }
}
