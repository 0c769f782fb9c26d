//! For people: conversations as a Markdown document. Whatever was said stays text, however much it looks like markup.

use super::Exported;
use crate::model::Timestamp;

const FILE: &str = "history.md";
/// How many levels answers are set in: beyond that, lines become too narrow to read.
const DEEPEST: usize = 5;

/// A message to write as Markdown.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct MarkdownMessage<'a> {
    /// When.
    pub at: Option<Timestamp>,
    /// By whom.
    pub from: &'a str,
    /// To whom.
    pub to: &'a str,
    /// Its type.
    pub kind: &'a str,
    /// Its severity.
    pub severity: &'a str,
    /// Its subject.
    pub subject: String,
    /// Its contents.
    pub body: String,
    /// Its progress.
    pub delivery: String,
    /// Its id.
    pub id: &'a str,
    /// How many messages it answers, one through another.
    pub depth: usize,
}

/// Writes conversations, each under its title, as one document.
pub fn to_markdown(title: &str, threads: &[(String, Vec<MarkdownMessage<'_>>)]) -> Exported {
    let mut text = format!("# {}\n\n{}\n", line(title), extent(threads));
    for (title, messages) in threads {
        text.push_str(&format!("\n## {}\n", line(title)));
        for one in messages {
            text.push('\n');
            let depth = one.depth.min(DEEPEST);
            for line in message_to_markdown(one).lines() {
                text.push_str(format!("{}{line}", "> ".repeat(depth)).trim_end());
                text.push('\n');
            }
        }
    }
    Exported { files: vec![(FILE.to_owned(), text.into_bytes())], ..Exported::default() }
}

/// Returns how much there is, and from when to when.
fn extent(threads: &[(String, Vec<MarkdownMessage<'_>>)]) -> String {
    let all = || threads.iter().flat_map(|(_, messages)| messages);
    let times = all().filter_map(|message| message.at);
    let span = times.clone().min().zip(times.max()).map(|(first, last)| format!(", from {first} to {last}"));
    let count =
        format!("{} in {}", super::count(all().count(), "message"), super::count(threads.len(), "conversation"));
    format!("{count}{}.", span.unwrap_or_default())
}

/// Writes one message: who to whom, what is known about it, what it says.
pub fn message_to_markdown(message: &MarkdownMessage<'_>) -> String {
    let to = if message.to.trim().is_empty() { String::new() } else { format!(" → {}", line(message.to)) };
    let subject =
        if message.subject.trim().is_empty() { String::new() } else { format!(": {}", line(&message.subject)) };
    let mut text = format!("### {}{to}{subject}\n", line(message.from));
    let facts = [message.kind, message.severity, &message.delivery, message.id];
    let facts = facts.into_iter().filter(|fact| !fact.trim().is_empty()).map(line);
    let facts: Vec<String> = message.at.map(|at| at.to_string()).into_iter().chain(facts).collect();
    if !facts.is_empty() {
        text.push_str(&format!("\n{}\n", facts.join(" · ")));
    }
    if !message.body.trim().is_empty() {
        let body = plain(&message.body);
        let fence = "`".repeat(longest_run(&body).max(2) + 1);
        text.push_str(&format!("\n{fence}\n{}\n{fence}\n", body.trim_end_matches('\n')));
    }
    text
}

/// Makes one line of a text, without anything that Markdown or HTML would take for markup.
fn line(text: &str) -> String {
    let words: Vec<String> = plain(text).split_whitespace().map(escaped).collect();
    if words.is_empty() { "(nothing)".to_owned() } else { words.join(" ") }
}

/// Escapes a word. Renderers make links of addresses too, so what they are known by is escaped as well.
fn escaped(word: &str) -> String {
    const MARKUP: &str = "\\`*_{}[]<>&#|~!$=^:@";
    let mut escaped = String::with_capacity(word.len());
    for c in word.chars() {
        let is_address = c == '.' && escaped.as_bytes().iter().rev().take(3).filter(|b| b"wW".contains(b)).count() == 3;
        if is_address || MARKUP.contains(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// Makes line ends alike, because every line of an answer is set in by itself, and replaces what steers terminals.
fn plain(text: &str) -> String {
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    text.chars().map(|c| if c.is_control() && c != '\n' && c != '\t' { '\u{fffd}' } else { c }).collect()
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(title: &str, threads: &[(String, Vec<MarkdownMessage<'_>>)]) -> String {
        String::from_utf8(to_markdown(title, threads).files.remove(0).1).unwrap()
    }

    #[test]
    fn a_conversation_reads_from_top_to_bottom() {
        let question = MarkdownMessage {
            at: Timestamp::parse("2026-01-10T10:30:00Z"),
            from: "ann",
            to: "bob",
            kind: "question",
            subject: "Which port?".to_owned(),
            body: "For the API.\n\nSee ```x```".to_owned(),
            delivery: "answered".to_owned(),
            id: "m1",
            ..MarkdownMessage::default()
        };
        let answer = MarkdownMessage {
            at: Timestamp::parse("2026-01-10T10:31:00Z"),
            from: "bob",
            severity: "high",
            body: "{\n  \"port\": 80\n}\n".to_owned(),
            depth: 1,
            ..MarkdownMessage::default()
        };
        let wanted = "\
# Session 7

2 messages in 1 conversation, from 2026-01-10T10:30:00Z to 2026-01-10T10:31:00Z.

## Which port?

### ann → bob: Which port?

2026-01-10T10:30:00Z · question · answered · m1

````
For the API.

See ```x```
````

> ### bob
>
> 2026-01-10T10:31:00Z · high
>
> ```
> {
>   \"port\": 80
> }
> ```
";
        assert_eq!(written("Session 7", &[("Which port?".to_owned(), vec![question, answer])]), wanted);
        assert_eq!(written("", &[]), "# (nothing)\n\n0 messages in 0 conversations.\n");
    }

    #[test]
    fn message_text_does_not_become_markup() {
        let check = |text: &str, wanted: &str| assert_eq!(line(text), wanted);
        check("a\n# b", "a \\# b");
        check("<img src=x onerror=y>", "\\<img src\\=x onerror\\=y\\>");
        check("[a](javascript:b)", "\\[a\\](javascript\\:b)");
        check("https://x.y www.x.y WWW.x a@b.c", "https\\://x.y www\\.x.y WWW\\.x a\\@b.c");
        check("**b** _i_ `c` ~~s~~ &lt; $m$", "\\*\\*b\\*\\* \\_i\\_ \\`c\\` \\~\\~s\\~\\~ \\&lt; \\$m\\$");
        check("back\\slash \u{1b}[31m", "back\\\\slash \u{fffd}\\[31m");
    }

    #[test]
    fn body_cannot_close_its_fence() {
        for body in ["```\n# out", "`````\r<b>\r````", "> ```\n```", "~~~\n```js", "a\r# b", "````"] {
            for depth in [0, 1, 9] {
                let message = MarkdownMessage { from: "a", body: body.to_owned(), depth, ..MarkdownMessage::default() };
                let text = written("T", &[("t".to_owned(), vec![message])]);
                let set_in = "> ".repeat(depth.min(DEEPEST));
                let lines: Vec<&str> = text.lines().skip_while(|line| !line.contains("### ")).collect();
                assert!(lines.iter().all(|line| line.starts_with(set_in.trim_end())), "{text}");
                let fences: Vec<_> = lines.iter().filter(|line| line.contains("```")).collect();
                let fence = fences[0].trim_start_matches("> ");
                assert_eq!(fences[0], fences[fences.len() - 1], "{text}");
                assert!(!plain(body).contains(fence), "{text}");
            }
        }
    }
}
