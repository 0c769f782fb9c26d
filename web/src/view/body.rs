//! What somebody wrote, as readable structure. Everything is text: nothing that is written is ever taken for markup.

use std::sync::Arc;

use leptos::prelude::*;

use crate::format;
use crate::protocol::Body;

/// A text of more lines than this is folded.
const LINES: usize = 40;

/// A text of more characters than this is folded, however few lines it has.
const CHARACTERS: usize = 6_000;

/// A list of more parts than this is folded.
const PARTS: usize = 50;

/// Parts that lie deeper than this are folded.
const DEPTH: usize = 3;

/// Draws what somebody wrote.
pub fn body(body: &Body) -> AnyView {
    part(body, 0)
}

/// Draws named parts.
pub fn fields(fields: &[(String, Body)]) -> AnyView {
    named(fields, 0)
}

fn part(body: &Body, depth: usize) -> AnyView {
    match body {
        Body::Text(text) => self::text(text),
        Body::Word(word) => view! { <code class="word">{word.clone()}</code> }.into_any(),
        Body::List(parts) if parts.is_empty() => view! { <span class="quiet">"an empty list"</span> }.into_any(),
        Body::Fields(parts) if parts.is_empty() => view! { <span class="quiet">"nothing"</span> }.into_any(),
        Body::List(_) | Body::Fields(_) if depth > DEPTH => folded(sum(body), body.clone()),
        Body::List(parts) => list(parts, depth),
        Body::Fields(parts) => named(parts, depth),
    }
}

/// Draws a part that the reader has to open; what is in it is made only then.
fn folded(sum: String, inside: Body) -> AnyView {
    let (open, inside) = (RwSignal::new(false), Arc::new(inside));
    view! {
        <details class="deep" on:toggle=move |_| open.set(true)>
            <summary>{sum}</summary>
            {move || open.get().then(|| part(&inside, 0))}
        </details>
    }
    .into_any()
}

fn list(parts: &[Body], depth: usize) -> AnyView {
    let item = |part: &Body| view! { <li>{self::part(part, depth + 1)}</li> };
    let shown: Vec<_> = parts.iter().take(PARTS).map(item).collect();
    let class = match parts {
        parts if parts.iter().all(|part| matches!(part, Body::Word(_))) => "parts words",
        parts if parts.iter().all(short) => "parts short",
        _ => "parts",
    };
    let rest = parts.get(PARTS..).filter(|rest| !rest.is_empty()).map(|rest| {
        let sum = format!("{} more", format::number(rest.len() as u64));
        folded_rest(sum, rest.to_vec())
    });
    view! { <ul class=class>{shown}</ul>{rest} }.into_any()
}

/// Draws the rest of a long list, again in pieces.
fn folded_rest(sum: String, rest: Vec<Body>) -> AnyView {
    folded(sum, Body::List(rest))
}

fn named(fields: &[(String, Body)], depth: usize) -> AnyView {
    let field = |(name, body): &(String, Body)| {
        let class = if short(body) { "field" } else { "field tall" };
        view! { <div class=class><dt>{readable(name)}</dt><dd>{part(body, depth + 1)}</dd></div> }
    };
    let shown: Vec<_> = fields.iter().take(PARTS).map(field).collect();
    let rest = fields
        .get(PARTS..)
        .filter(|rest| !rest.is_empty())
        .map(|rest| folded(format!("{} more", format::number(rest.len() as u64)), Body::Fields(rest.to_vec())));
    view! { <dl class="fields">{shown}</dl>{rest} }.into_any()
}

fn text(text: &str) -> AnyView {
    let Some((shown, lines)) = beginning(text) else {
        return view! { <span class="text">{text.to_owned()}</span> }.into_any();
    };
    let (all, shown, whole) = (RwSignal::new(false), shown.to_owned(), text.to_owned());
    let label = match lines {
        0 | 1 => format!("Show all {}", format::count(text.chars().count() as u64, "character")),
        lines => format!("Show all {} lines", format::number(lines as u64)),
    };
    view! {
        <span class="text">{move || if all.get() { whole.clone() } else { shown.clone() }}</span>
        {move || (!all.get()).then(|| {
            view! { <button type="button" class="more" on:click=move |_| all.set(true)>{label.clone()}</button> }
        })}
    }
    .into_any()
}

/// Gives the beginning of a text that is too long to be shown at once, and how many lines the whole has.
fn beginning(text: &str) -> Option<(&str, usize)> {
    let by_lines = text.match_indices('\n').nth(LINES - 1).map(|(at, _)| at);
    let by_characters = text.char_indices().nth(CHARACTERS).map(|(at, _)| at);
    let end = by_lines.into_iter().chain(by_characters).min()?;
    // A few more lines or characters are shorter than the way to them.
    if text.len() - end < 200 && text[end..].lines().count() < 5 {
        return None;
    }
    Some((text.get(..end)?, text.lines().count()))
}

/// Whether a part has room in a line.
fn short(body: &Body) -> bool {
    match body {
        Body::Text(text) => text.len() <= 60 && !text.contains('\n'),
        Body::Word(_) => true,
        Body::List(parts) => parts.is_empty(),
        Body::Fields(parts) => parts.is_empty(),
    }
}

/// Says what is folded.
fn sum(body: &Body) -> String {
    match body {
        Body::Text(text) => format::count(text.chars().count() as u64, "character"),
        Body::Word(word) => word.clone(),
        Body::List(parts) => format::count(parts.len() as u64, "item"),
        Body::Fields(parts) => {
            let names: Vec<&str> = parts.iter().take(4).map(|(name, _)| name.as_str()).collect();
            format!("{}{}", names.join(", "), if parts.len() > 4 { "…" } else { "" })
        }
    }
}

/// Writes a name as people do: `next_actions` is `next actions`. Names that say more by their signs stay as they are.
fn readable(name: &str) -> String {
    let plain = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_');
    if plain && !name.starts_with('_') { name.replace('_', " ") } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_begin_with_forty_lines() {
        let long = "line\n".repeat(100);
        let (shown, lines) = beginning(&long).unwrap();
        assert_eq!((shown.lines().count(), lines), (40, 100));
        assert_eq!(beginning(&"line\n".repeat(42)), None);
        assert_eq!(beginning("short"), None);
    }

    #[test]
    fn one_long_line_is_cut_between_characters() {
        let long = "ä".repeat(20_000);
        let (shown, lines) = beginning(&long).unwrap();
        assert_eq!((shown.chars().count(), lines), (CHARACTERS, 1));
    }

    #[test]
    fn names_are_readable() {
        assert_eq!(readable("next_actions"), "next actions");
        for name in ["src/main.rs", "_id", "camelCase", "<b>"] {
            assert_eq!(readable(name), name);
        }
    }

    #[test]
    fn what_is_folded_says_what_it_is() {
        let fields =
            |count: usize| Body::Fields((0..count).map(|it| (format!("f{it}"), Body::Word("1".into()))).collect());
        assert_eq!(sum(&fields(2)), "f0, f1");
        assert_eq!(sum(&fields(9)), "f0, f1, f2, f3…");
        assert_eq!(sum(&Body::List(vec![fields(1)])), "1 item");
    }
}
