//! Where all bytes went: a bar, and the same as a table.

use leptos::prelude::*;

use crate::components::panels::Panel;
use crate::format;
use huddle_web_model::problems::bytes::percent;

/// What became of bytes: the class of its color, what it is called, and what that means.
const FATES: [(&str, &str, &str); 5] = [
    ("parsed", "Read", "records as they should be"),
    ("recovered", "Recovered", "records that were damaged and could be read all the same"),
    ("quarantined", "Set aside", "damage that no record could be made of"),
    ("between", "Between records", "line breaks and empty lines"),
    ("writing", "Being written", "a last line that has no end yet"),
];

/// Shows where all bytes went, if there are any.
#[component]
pub(super) fn ByteAccount(bytes: [u64; 5], recoveries: Vec<(String, u64)>) -> impl IntoView {
    let whole: u64 = bytes.iter().sum();
    (whole > 0).then(|| {
        let shown = || FATES.into_iter().zip(bytes).filter(|(_, bytes)| *bytes > 0);
        let bar = shown().map(|((class, ..), bytes)| {
            // In thousandths of the whole: a float would lose the digits of very many bytes, and nothing is that thin anyway.
            let share = (u128::from(bytes) * 1_000 / u128::from(whole)).to_string();
            view! { <span class=format!("fate-{class}") style:flex-grow=share></span> }
        });
        let bar = bar.collect_view();
        let rows = shown().map(|((class, name, meaning), bytes)| {
            view! {
                <tr>
                    <th scope="row">
                        <span class=format!("key fate-{class}") aria-hidden="true"></span>
                        {name}
                    </th>
                    <td class="many">{format::count(bytes, "byte")}</td>
                    <td class="many">{percent(bytes, whole)}</td>
                    <td class="quiet">{meaning}</td>
                </tr>
            }
        });
        let rows = rows.collect_view();
        view! {
            <Panel title="Where all bytes went">
                <div class="bytes" aria-hidden="true">{bar}</div>
                <table class="account">
                    <caption class="unseen">{format!("{} in all", format::count(whole, "byte"))}</caption>
                    <tbody>{rows}</tbody>
                </table>
                <Recoveries recoveries />
            </Panel>
        }
    })
}

/// Lists how records were recovered, if any were.
#[component]
fn Recoveries(recoveries: Vec<(String, u64)>) -> impl IntoView {
    (!recoveries.is_empty()).then(|| {
        let rows = recoveries.into_iter().map(|(damage, count)| {
            let words = describe(&damage).to_owned();
            view! { <li><span class="panels-count">{format::number(count)}</span> " " {words}</li> }
        });
        let rows = rows.collect_view();
        view! { <h3>"Recovered records"</h3> <ul class="recoveries">{rows}</ul> }
    })
}

/// Describes what was wrong with records.
fn describe(damage: &str) -> &str {
    match damage {
        "glued" => "stood on one line with another",
        "torn" => "had a line break in the middle",
        "bom" => "stood after a byte-order mark",
        "crlf" => "had a line's end of another system",
        "nul" => "had zero bytes in it",
        other => other,
    }
}
