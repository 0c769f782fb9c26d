//! What is said of the thing under the pointer.

use std::cell::Cell;
use std::sync::Arc;

use gloo::timers::callback::Timeout;
use leptos::prelude::*;

use super::chart::Chart;
use super::hit::Hit;
use super::marks::{CLASSES, CLASSES_MANY, column_length};
use super::scale::{exact, idle, px, time_at};
use crate::dom::{El, effect, el, memo};
use crate::format::{clock, count, moment, number, span};
use crate::protocol::{Answer, Ask, Line, TimelineView};

/// The pointer rests on a thing for so many milliseconds before the worker is asked about it.
const REST: u32 = 60;

/// How wide and high a tip is at most, in pixels, so that it stays on the drawing.
const WIDTH: f64 = 320.0;
const HEIGHT: f64 = 110.0;

/// What is said: a heading and lines below it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Said {
    head: String,
    lines: Vec<String>,
}

/// Draws the tip into the drawing.
pub(super) fn tip(drawing: El, chart: Chart) -> El {
    let line = line_at_pointer(chart);
    // As one list, whose first is the heading.
    let said = memo(move || {
        let said = || {
            let hit = chart.pointer.get()?.2?;
            let (view, line) = (chart.shown.get()?, line.get());
            let line =
                line.as_deref().and_then(|answer| if let Answer::Line(line) = answer { Some(&**line) } else { None });
            tell(&view, hit, line)
        };
        let Some(Said { head, mut lines }) = said() else { return Vec::new() };
        lines.insert(0, head);
        lines
    });
    let x = move || chart.pointer.get().map_or(0.0, |(x, ..)| beside(x, chart.room.get_untracked().width, WIDTH));
    let y = move || chart.pointer.get().map_or(0.0, |(_, y, _)| beside(y, chart.room.get_untracked().height, HEIGHT));
    drawing.live_one(move || {
        let said = said.get();
        let (head, lines) = said.split_first()?;
        let tip = el("div").class("tl-tip").attr("aria-hidden", "true");
        let tip = tip.live_style("left", move || px(x())).live_style("top", move || px(y()));
        let tip = tip.with(el("p").class("tl-tip-head").text(head));
        Some(tip.all(lines.iter().map(|line| el("p").text(line))))
    })
}

/// Asks for the message under the pointer as soon as that rests, and holds the answer while it stays.
fn line_at_pointer(chart: Chart) -> RwSignal<Option<Arc<Answer>>> {
    let line: RwSignal<Option<Arc<Answer>>> = RwSignal::new(None);
    let (before, waiting) = (Cell::new(None), Cell::new(None));
    effect(move || {
        let hit = chart.pointer.get().and_then(|(.., hit)| hit);
        let view = chart.shown.get();
        let entry = view.zip(hit).and_then(|(view, hit)| single(&view, hit));
        if before.replace(entry) == entry {
            return;
        }
        line.set(None);
        let ask = move |entry| {
            // What is answered for an earlier one comes too late.
            let now = move || single(&*chart.view()?, chart.pointer.get_untracked()?.2?);
            chart.store.ask(&Ask::Entry(entry), move |answer| {
                if chart.parts().is_some() && now() == Some(entry) {
                    line.try_set(Some(Arc::new(answer)));
                }
            });
        };
        waiting.set(entry.map(|entry| Timeout::new(REST, move || ask(entry))));
    });
    line
}

/// Gives where a tip begins, beside the pointer, and before it where there is no room after it.
fn beside(at: f64, room: f64, size: f64) -> f64 {
    if at + 14.0 + size > room { (at - 14.0 - size).max(0.0) } else { at + 14.0 }
}

/// Gives the message that a thing stands for, if it is one.
fn single(view: &TimelineView, hit: Hit) -> Option<u32> {
    match hit {
        Hit::Cell(place) => view.cells.get(place).filter(|cell| cell.count == 1).map(|cell| cell.first),
        Hit::Arrow(place) => view.arrows.get(place).map(|arrow| arrow.entry),
        _ => None,
    }
}

/// Says what is known of a thing.
fn tell(view: &TimelineView, hit: Hit, line: Option<&Line>) -> Option<Said> {
    let name = |lane: u32| match view.lanes.get(lane as usize).map_or("", String::as_str) {
        "" => "no author".to_owned(),
        name => name.to_owned(),
    };
    let at = |position: i64| moment(time_at(view, position as f64));
    Some(match hit {
        Hit::Cell(place) => {
            let cell = view.cells.get(place)?;
            let column = column_length(view);
            let start = view.start as f64 + f64::from(cell.column) * column;
            match line {
                Some(line) => of_line(line),
                None if cell.count == 1 => Said { head: name(cell.lane), lines: vec![at(start as i64)] },
                None => {
                    let (from, to) = (time_at(view, start), time_at(view, start + column));
                    let mut lines = vec![
                        format!("{} – {}", exact(from, column * 16.0), exact(to, column * 16.0)),
                        classes(&cell.classes),
                    ];
                    if cell.hits > 0 {
                        lines.push(format!("{} found", number(cell.hits.into())));
                    }
                    lines.push("Double click to zoom in".to_owned());
                    Said { head: format!("{}: {}", name(cell.lane), count(cell.count.into(), "message")), lines }
                }
            }
        }
        Hit::Arrow(place) => {
            let arrow = view.arrows.get(place)?;
            let mut said = line.map(of_line).unwrap_or_else(|| Said {
                head: format!("{} → {}", name(arrow.from), name(arrow.to)),
                lines: vec![at(arrow.position)],
            });
            if arrow.arrived > arrow.position {
                let (sent, seen) = (time_at(view, arrow.position as f64), time_at(view, arrow.arrived as f64));
                said.lines.push(format!("seen by {} after {}", name(arrow.to), span(seen - sent)));
            }
            said
        }
        Hit::Fold(place) => {
            let fold = view.folds.get(place)?;
            let head = format!("Idle for {}", idle(fold.to.saturating_sub(fold.from)));
            Said { head, lines: vec![format!("{} – {}", moment(fold.from), moment(fold.to))] }
        }
        Hit::Work(place) => {
            let work = view.works.get(place)?;
            let head = format!("{}: {}", name(work.lane), work.state.replace('_', " "));
            Said { head, lines: vec![format!("{} – {}", at(work.start), at(work.end))] }
        }
    })
}

fn of_line(line: &Line) -> Said {
    let head = match (line.from.as_str(), line.to.as_str()) {
        (from, "") => from.to_owned(),
        (from, to) => format!("{from} → {to}"),
    };
    let mut about = vec![line.kind.as_str(), line.severity.as_str()];
    let time = line.at.map(clock).unwrap_or_default();
    about.push(&time);
    about.retain(|part| !part.is_empty());
    Said { head, lines: vec![about.join(" · "), line.subject.clone()] }
}

/// Counts what there is of each class.
fn classes(counts: &[u32; 7]) -> String {
    let named = counts.iter().enumerate().filter(|(_, count)| **count > 0).map(|(class, count)| {
        let name = if *count == 1 { CLASSES[class] } else { CLASSES_MANY[class] };
        format!("{} {name}", number((*count).into()))
    });
    named.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::time::{Arrow, Cell, Fold};

    fn view() -> TimelineView {
        let block = Cell { count: 3, hits: 1, classes: [2, 0, 0, 1, 0, 0, 0], ..Cell::default() };
        TimelineView {
            end: 10_000_000,
            length: 10_000_000,
            columns: 10,
            lanes: vec!["ann".into(), "bob".into()],
            cells: vec![block, Cell { count: 1, first: 7, column: 2, ..Cell::default() }],
            folds: vec![Fold { position: 5_000_000, length: 10, from: 0, to: 7_200_000_000 }],
            arrows: vec![Arrow { entry: 7, position: 2_000_000, arrived: 4_000_000, from: 0, to: 1 }],
            ..TimelineView::default()
        }
    }

    #[test]
    fn a_block_is_told_by_its_counts() {
        let said = tell(&view(), Hit::Cell(0), None).unwrap();
        assert_eq!(said.head, "ann: 3 messages");
        assert!(said.lines.contains(&"2 messages, 1 error".to_owned()), "{said:?}");
        assert!(said.lines.contains(&"1 found".to_owned()), "{said:?}");
        assert_eq!(single(&view(), Hit::Cell(0)), None);
    }

    #[test]
    fn one_message_is_told_by_its_subject() {
        assert_eq!(single(&view(), Hit::Cell(1)), Some(7));
        let line =
            Line { from: "ann".into(), to: "bob".into(), kind: "task".into(), subject: "Go".into(), ..Line::default() };
        let said = tell(&view(), Hit::Cell(1), Some(&line)).unwrap();
        assert_eq!((said.head.as_str(), said.lines), ("ann → bob", vec!["task".to_owned(), "Go".to_owned()]));
    }

    #[test]
    fn arrows_and_breaks_are_told() {
        let said = tell(&view(), Hit::Arrow(0), None).unwrap();
        assert_eq!(said.head, "ann → bob");
        assert_eq!(said.lines.last().unwrap(), "seen by bob after 2 s");
        assert_eq!(tell(&view(), Hit::Fold(0), None).unwrap().head, "Idle for 2 h");
        assert_eq!(tell(&view(), Hit::Work(3), None), None);
    }

    #[test]
    fn a_tip_stays_on_the_drawing() {
        assert_eq!(beside(10.0, 1000.0, 300.0), 24.0);
        assert_eq!(beside(900.0, 1000.0, 300.0), 586.0);
        assert_eq!(beside(100.0, 200.0, 300.0), 0.0);
    }
}
