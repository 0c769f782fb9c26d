//! The frame on the minimap, and how it is dragged.

use super::scale::Span;

/// How near to an edge of the frame the pointer takes hold of it, in pixels.
pub const NEAR: f64 = 7.0;

/// What the pointer holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Grip {
    /// Its left edge.
    Start,
    /// Its right edge.
    End,
    /// All of it.
    Whole,
}

/// Gives where the frame's edges are.
pub fn edges(span: Span, all: Span, width: f64) -> (f64, f64) {
    let x = |position: f64| (position - all.start) / all.width() * width;
    (x(span.start), x(span.end))
}

/// Tells what the pointer takes hold of. A narrow frame is moved rather than resized from within.
pub fn grip(x: f64, (from, to): (f64, f64)) -> Grip {
    let inside = if to - from < NEAR * 3.0 { 0.0 } else { NEAR };
    if x > from - NEAR && x < from + inside {
        Grip::Start
    } else if x < to + NEAR && x > to - inside {
        Grip::End
    } else {
        Grip::Whole
    }
}

/// Moves the window, or one of its ends, to where the pointer is. An end that is drawn past the other stops there.
pub fn moved(span: Span, grip: Grip, at: f64, by: f64) -> Span {
    match grip {
        Grip::Start => Span { start: at.min(span.end - 1.0), ..span },
        Grip::End => Span { end: at.max(span.start + 1.0), ..span },
        Grip::Whole => span.panned(by),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edges_are_held_near_them_and_the_frame_elsewhere() {
        let wide = (100.0, 200.0);
        for (x, wanted) in [(96.0, Grip::Start), (104.0, Grip::Start), (150.0, Grip::Whole), (196.0, Grip::End)] {
            assert_eq!(grip(x, wide), wanted, "{x}");
        }
        assert_eq!(grip(400.0, wide), Grip::Whole);
        let narrow = (100.0, 110.0);
        for (x, wanted) in [(97.0, Grip::Start), (105.0, Grip::Whole), (113.0, Grip::End)] {
            assert_eq!(grip(x, narrow), wanted, "{x}");
        }
    }

    #[test]
    fn ends_do_not_pass_each_other() {
        let span = Span { start: 10.0, end: 20.0 };
        assert_eq!(moved(span, Grip::Start, 30.0, 0.0), Span { start: 19.0, end: 20.0 });
        assert_eq!(moved(span, Grip::End, 15.0, 0.0), Span { start: 10.0, end: 15.0 });
        assert_eq!(moved(span, Grip::Whole, 0.0, 5.0), Span { start: 15.0, end: 25.0 });
    }
}
