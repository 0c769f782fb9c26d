//! Hostile names in every place that takes one.

use crate::audit::{Audit, Expect};
use crate::{Counts, Extent, Target, Template};

/// Names that lead elsewhere, mean something to a shell, a terminal or a file system, or pass for other names.
fn hostile() -> Vec<String> {
    let mut names: Vec<String> = [
        "..",
        ".",
        "../x",
        "../../outside/x",
        "..\\x",
        "/etc/passwd",
        "//x",
        "a/b",
        "a/../../x",
        "a\\b",
        "./x",
        "x/.",
        "x/",
        "~",
        "~/x",
        "$HOME",
        "`id`",
        "$(id)",
        ";id",
        "a|b",
        "a&b",
        "<a>",
        "a*b",
        "a?b",
        "[x]",
        "{x}",
        "'",
        "\"",
        "-rf",
        "@/etc/passwd",
        "@../outside/secret.json",
        "%2e%2e%2fx",
        "a\0b",
        "a\nb",
        "a\rb",
        "\u{1b}[2J",
        "\u{9b}2J",
        "\u{7f}",
        "CON",
        "con.txt",
        "NUL",
        "a:b",
        "a.",
        "a ",
        " a",
        "",
        "\u{430}nn",
        "ANN",
        "a\u{301}nn",
        "an\u{200b}n",
        "\u{202e}nna",
        "\u{feff}ann",
        "\u{2028}",
        "\u{fffd}",
        ".huddle",
        ".git",
        "registry.json",
        "ALL",
        "a,b",
        "🦀",
        "日本",
    ]
    .map(str::to_owned)
    .into();
    names.extend(["x".repeat(100), "x".repeat(101), "x".repeat(256), "日".repeat(90), "x".repeat(70_000)]);
    names
}

/// Commands with `NAME` in the place of every kind of name.
const COMMANDS: &[&str] = &[
    "register NAME --role builder",
    "deregister NAME",
    "heartbeat --as NAME",
    "send NAME Hello --as ann",
    "send bob Hello --as NAME",
    "send bob Hello --as ann --thread NAME",
    "inbox --as NAME",
    "inbox --from NAME --as bob",
    "read NAME --as bob",
    "reply NAME --body x --as bob",
    "ack NAME --as bob",
    "trace NAME",
    "thread NAME",
    "dead-letters retry NAME",
    "context create NAME text --as ann",
    "context show NAME",
    "context update NAME text --as ann",
    "handoff create NAME --task Task --as ann",
    "handoff show NAME",
    "handoff accept NAME --as bob",
    "handoff artifact {h} NAME",
    "subscribe NAME --as ann",
    "publish NAME --as ann --data 1",
    "session start --id NAME --agent ann --as ann",
    "session start --id s2 --agent NAME --as ann",
    "session status --id NAME",
    "session join NAME --id s1",
    "session log NAME status --message x --id s1",
    "session report put NAME {\"status\":\"partial\",\"summary\":\"s\",\"findings\":[]} --id s1",
    "session report show NAME --id s1",
    "session data put NAME {} --id s1 --from ann",
    "session data get NAME --id s1",
    "state agent NAME completed --as ann",
    "expand NAME",
];

/// Returns every hostile name to every command that takes one.
pub fn names(target: &dyn Target, extent: Extent) -> Counts {
    let template = Template::new(target);
    let mut audit = Audit::new(target);
    for (row, name) in hostile().iter().enumerate() {
        audit.begin(format!("{:?}", name.chars().take(40).collect::<String>()));
        let project = template.copy();
        let tried = COMMANDS.iter().enumerate().filter(|(column, _)| extent.includes(row, *column));
        for (_, command) in tried {
            let words: Vec<&str> =
                command.split(' ').map(|word| if word == "NAME" { name.as_str() } else { word }).collect();
            audit.run_words(&project, &words, Expect::Any);
        }
        // Whatever was accepted keeps nobody from looking.
        for command in ["agents", "inbox --as bob", "context list", "session list", "check", "threads"] {
            audit.run(&project, command, Expect::Success);
        }
        audit.check_leaks(&project);
    }
    audit.finish()
}
