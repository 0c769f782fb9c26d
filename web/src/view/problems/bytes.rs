//! Where all bytes went: a bar, and the same as a table.

use super::super::papers::paper;
use crate::dom::{El, el};
use crate::format;
use crate::protocol::papers::ProblemsView;
use huddle_web_model::problems::bytes::percent;

/// What became of bytes: the class of its colour, what it is called, and what that means.
const FATES: [(&str, &str, &str); 5] = [
    ("parsed", "Read", "records as they should be"),
    ("recovered", "Recovered", "records that were damaged and could be read all the same"),
    ("quarantined", "Set aside", "damage that no record could be made of"),
    ("between", "Between records", "line breaks and empty lines"),
    ("writing", "Being written", "a last line that has no end yet"),
];

/// Draws where all bytes went.
pub(super) fn account(all: &ProblemsView) -> Option<El> {
    let whole: u64 = all.bytes.iter().sum();
    if whole == 0 {
        return None;
    }
    let mut bar = el("div").class("bytes").attr("aria-hidden", "true");
    let mut rows = el("tbody");
    for ((class, name, meaning), bytes) in FATES.into_iter().zip(all.bytes) {
        if bytes == 0 {
            continue;
        }
        // In thousandths of the whole: a float would lose the digits of very many bytes, and nothing is that thin anyway.
        let share = (u128::from(bytes) * 1_000 / u128::from(whole)).to_string();
        bar = bar.with(el("span").class(&format!("fate-{class}")).style("flex-grow", &share));
        let key = el("span").class(&format!("key fate-{class}")).attr("aria-hidden", "true");
        let row = el("tr")
            .with(el("th").attr("scope", "row").with(key).text(name))
            .with(el("td").class("many").text(&format::count(bytes, "byte")))
            .with(el("td").class("many").text(&percent(bytes, whole)))
            .with(el("td").class("quiet").text(meaning));
        rows = rows.with(row);
    }
    let caption = el("caption").class("unseen").text(&format!("{} in all", format::count(whole, "byte")));
    let table = el("table").class("account").with(caption).with(rows);
    Some(paper("Where all bytes went", None).with(bar).with(table).all(recoveries(&all.recoveries)))
}

/// Says what was wrong with records.
fn wrong_with(what: &str) -> &str {
    match what {
        "glued" => "stood on one line with another",
        "torn" => "had a line break in the middle",
        "bom" => "stood after a byte-order mark",
        "crlf" => "had a line's end of another system",
        "nul" => "had zero bytes in it",
        other => other,
    }
}

/// Draws how records were recovered.
fn recoveries(recoveries: &[(String, u64)]) -> Vec<El> {
    if recoveries.is_empty() {
        return Vec::new();
    }
    let rows = recoveries.iter().map(|(what, many)| {
        let many = el("span").class("papers-count").text(&format::number(*many));
        el("li").with(many).text(" ").text(wrong_with(what))
    });
    vec![el("h3").text("Recovered records"), el("ul").class("recoveries").all(rows)]
}
