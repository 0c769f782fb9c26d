//! What the tip says of what the pointer is at.

use super::hit::Hit;
use super::marks::{CLASSES, CLASSES_MANY, column_length};
use super::scale::{exact, idle, time_at};
use crate::format::{clock, count, moment, number, span};
use crate::protocol::{Line, TimelineView};

/// What is said: a heading and lines below it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Said {
    /// The heading.
    pub head: String,
    /// The lines below it.
    pub lines: Vec<String>,
}

/// Gives where a tip begins, beside the pointer, and before it where there is no room after it.
pub fn beside(at: f64, room: f64, size: f64) -> f64 {
    if at + 14.0 + size > room { (at - 14.0 - size).max(0.0) } else { at + 14.0 }
}

/// Gives the message that a thing stands for, if it is one.
pub fn single(view: &TimelineView, hit: Hit) -> Option<u32> {
    match hit {
        Hit::Cell(place) => view.cells.get(place).filter(|cell| cell.count == 1).map(|cell| cell.first),
        Hit::Arrow(place) => view.arrows.get(place).map(|arrow| arrow.entry),
        _ => None,
    }
}

/// Says what is known of a thing.
pub fn tell(view: &TimelineView, hit: Hit, line: Option<&Line>) -> Option<Said> {
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
/// Counts messages by class.
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
    use crate::protocol::timeline::{Arrow, Cell, Fold};

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
