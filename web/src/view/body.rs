//! What somebody wrote, as readable structure. Everything is text: nothing that is written is ever taken for markup.

use leptos::prelude::*;
use wasm_bindgen::JsCast;

use crate::dom::{El, el, together};
use crate::format;
use crate::protocol::Body;
use huddle_web_model::body::{beginning, readable, short, sum};

/// A list of more parts than this is folded.
const PARTS: usize = 50;

/// Parts that lie deeper than this are folded.
const DEPTH: usize = 3;

/// Draws what somebody wrote, to be put into an element: it may be several elements.
pub fn body(body: &Body) -> El {
    together(part(body, 0))
}

/// Draws named parts, to be put into an element: it may be several elements.
pub fn fields(fields: &[(String, Body)]) -> El {
    together(named(fields, 0))
}

fn part(body: &Body, depth: usize) -> Vec<El> {
    match body {
        Body::Text(text) => self::text(text),
        Body::Word(word) => vec![el("code").class("word").text(word)],
        Body::List(parts) if parts.is_empty() => vec![quiet("an empty list")],
        Body::Fields(parts) if parts.is_empty() => vec![quiet("nothing")],
        Body::List(_) | Body::Fields(_) if depth > DEPTH => vec![folded(&sum(body), body.clone())],
        Body::List(parts) => list(parts, depth),
        Body::Fields(parts) => named(parts, depth),
    }
}

fn quiet(words: &str) -> El {
    el("span").class("quiet").text(words)
}

/// Draws a part that the reader has to open; what is in it is made only then, and stays.
fn folded(sum: &str, inside: Body) -> El {
    let open = RwSignal::new(false);
    let opened = move |_| {
        if !open.get_untracked() {
            open.set(true);
        }
    };
    let inside = move || if open.get() { part(&inside, 0) } else { Vec::new() };
    el("details").class("deep").on("toggle", opened).with(el("summary").text(sum)).live(inside)
}

fn list(parts: &[Body], depth: usize) -> Vec<El> {
    let class = match parts {
        parts if parts.iter().all(|part| matches!(part, Body::Word(_))) => "parts words",
        parts if parts.iter().all(short) => "parts short",
        _ => "parts",
    };
    let (shown, rest) = parts.split_at(parts.len().min(PARTS));
    let items = shown.iter().map(|part| el("li").all(self::part(part, depth + 1)));
    let mut drawn = vec![el("ul").class(class).all(items)];
    if !rest.is_empty() {
        drawn.push(folded(&more(rest.len()), Body::List(rest.to_vec())));
    }
    drawn
}

fn named(fields: &[(String, Body)], depth: usize) -> Vec<El> {
    let (shown, rest) = fields.split_at(fields.len().min(PARTS));
    let items = shown.iter().map(|(name, body)| {
        let class = if short(body) { "field" } else { "field tall" };
        let name = el("dt").text(&readable(name));
        el("div").class(class).with(name).with(el("dd").all(part(body, depth + 1)))
    });
    let mut drawn = vec![el("dl").class("fields").all(items)];
    if !rest.is_empty() {
        drawn.push(folded(&more(rest.len()), Body::Fields(rest.to_vec())));
    }
    drawn
}

/// Says how many parts are folded; they are shown in pieces again.
fn more(many: usize) -> String {
    format!("{} more", format::number(many as u64))
}

fn text(text: &str) -> Vec<El> {
    let shown = el("span").class("text");
    let Some((start, lines)) = beginning(text) else {
        return vec![shown.text(text)];
    };
    let label = match lines {
        0 | 1 => format!("Show all {}", format::count(text.chars().count() as u64, "character")),
        lines => format!("Show all {} lines", format::number(lines as u64)),
    };
    let (shown, whole) = (shown.text(start), text.to_owned());
    let span = shown.clone();
    let button = el("button").attr("type", "button").class("more").text(&label).on("click", move |event| {
        span.element().set_text_content(Some(&whole));
        if let Some(button) = event.current_target() {
            button.unchecked_into::<web_sys::Element>().remove();
        }
    });
    vec![shown, button]
}
