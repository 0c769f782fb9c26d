//! The legend below the lanes: what each shape that was used means.

use super::super::{Class, Severity};
use super::Plot;
use super::glyphs::{FOLD, GLYPHS, Glyphs};
use crate::model::Span;

/// Writes the legend in lines of at most `width` characters.
pub(super) fn write(page: &mut String, plot: &Plot<'_>, glyphs: &Glyphs, width: usize) {
    page.push('\n');
    let mut line = String::new();
    for item in items(plot, glyphs) {
        if !line.is_empty() && line.chars().count() + 3 + item.chars().count() > width {
            page.push_str(&line);
            page.push('\n');
            line.clear();
        }
        if !line.is_empty() {
            line.push_str("   ");
        }
        line.push_str(&item);
    }
    page.push_str(&line);
    page.push('\n');
}

fn items(plot: &Plot<'_>, glyphs: &Glyphs) -> Vec<String> {
    let mut items = Vec::new();
    if let Some(peak) = glyphs.peak {
        items.push(format!("▁ few … █ up to {peak} in a column"));
    }
    // Errors and what is of high severity are counted at the end of lines, too.
    let counted = [plot.total.of(Class::Error) > 0, plot.total.at(Severity::High) > 0];
    for (mark, (shape, meaning)) in GLYPHS.into_iter().enumerate() {
        if glyphs.used[mark] || counted.get(mark) == Some(&true) {
            items.push(format!("{shape} {meaning}"));
        }
    }
    if glyphs.peak.is_some() && glyphs.used[0] {
        items.push("! in a column: mostly errors".to_owned());
    }
    if glyphs.work_used {
        items.push("─ at work".to_owned());
    }
    match left_out(plot) {
        0 => {}
        idle if glyphs.fold_used => items.push(format!("{FOLD} idle, {} left out", span(idle))),
        idle => items.push(format!("idle times left out: {}", span(idle))),
    }
    items.push(format!("1 column: {}", span((plot.edges[plot.columns()] - plot.edges[0]) / plot.columns() as i64)));
    items
}

/// Returns how long the folds in the window are together.
fn left_out(plot: &Plot<'_>) -> i64 {
    let (start, end) = (plot.edges[0], plot.edges[plot.columns()]);
    let folds = plot.timeline.time_scale().folds();
    let shown = folds.iter().filter(|fold| start <= fold.position && fold.position < end);
    shown.fold(0, |sum: i64, fold| sum.saturating_add(fold.end - fold.start))
}

fn span(micros: i64) -> String {
    match micros {
        1_000.. => Span::from_millis(micros / 1_000).to_string(),
        _ => format!("{micros} µs"),
    }
}
