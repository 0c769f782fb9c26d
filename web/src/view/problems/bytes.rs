//! Where all bytes went: a bar, and the same as a table.

use leptos::prelude::*;

use super::super::papers::heading;
use crate::format;
use crate::protocol::papers::ProblemsView;

/// What became of bytes: the class of its colour, what it is called, and what that means.
const FATES: [(&str, &str, &str); 5] = [
    ("parsed", "Read", "records as they should be"),
    ("recovered", "Recovered", "records that were damaged and could be read all the same"),
    ("quarantined", "Set aside", "damage that no record could be made of"),
    ("between", "Between records", "line breaks and empty lines"),
    ("writing", "Being written", "a last line that has no end yet"),
];

/// Writes a part of a whole in percent; what is more than nothing is never written as nothing, nor less than all as all.
fn percent(part: u64, whole: u64) -> String {
    let thousandths = u128::from(part) * 1_000 / u128::from(whole.max(1));
    match thousandths {
        _ if part == 0 => "0 %".to_owned(),
        0 => "< 0.1 %".to_owned(),
        1_000 => "100 %".to_owned(),
        _ => format!("{}.{} %", thousandths / 10, thousandths % 10),
    }
}

/// Draws where all bytes went.
pub(super) fn account(all: &ProblemsView) -> AnyView {
    let whole: u64 = all.bytes.iter().sum();
    if whole == 0 {
        return ().into_any();
    }
    let present = || FATES.iter().zip(all.bytes).filter(|(_, bytes)| *bytes > 0);
    let bar = present().map(|((class, ..), bytes)| {
        // In thousandths of the whole: a float would lose the digits of very many bytes, and nothing is that thin anyway.
        let share = (u128::from(bytes) * 1_000 / u128::from(whole)).to_string();
        view! { <span class=format!("fate-{class}") style:flex-grow=share></span> }
    });
    let rows = present().map(|((class, name, meaning), bytes)| {
        view! {
            <tr>
                <th scope="row"><span class=format!("key fate-{class}") aria-hidden="true"></span>{*name}</th>
                <td class="many">{format::count(bytes, "byte")}</td>
                <td class="many">{percent(bytes, whole)}</td>
                <td class="quiet">{*meaning}</td>
            </tr>
        }
    });
    view! {
        <section class="paper">
            {heading("Where all bytes went", None)}
            <div class="bytes" aria-hidden="true">{bar.collect_view()}</div>
            <table class="account">
                <caption class="unseen">{format!("{} in all", format::count(whole, "byte"))}</caption>
                <tbody>{rows.collect_view()}</tbody>
            </table>
            {recoveries(&all.recoveries)}
        </section>
    }
    .into_any()
}

/// Draws how records were recovered.
fn recoveries(recoveries: &[(String, u64)]) -> AnyView {
    if recoveries.is_empty() {
        return ().into_any();
    }
    let rows = recoveries.iter().map(|(what, many)| {
        view! { <li><span class="papers-count">{format::number(*many)}</span>" "{what.clone()}</li> }
    });
    view! {
        <h3>"How records were recovered"</h3>
        <ul class="recoveries">{rows.collect_view()}</ul>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_little_is_not_nothing_and_almost_all_is_not_all() {
        assert_eq!(percent(0, 10), "0 %");
        assert_eq!(percent(1, 1_000_000), "< 0.1 %");
        assert_eq!(percent(999_999, 1_000_000), "99.9 %");
        assert_eq!(percent(7, 7), "100 %");
        assert_eq!(percent(u64::MAX, u64::MAX), "100 %");
    }
}
