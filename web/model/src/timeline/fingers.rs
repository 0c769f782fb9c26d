//! The fingers on the timeline, and where dragging them leads.

use super::scale::{Frame, Span, distance};

/// A finger or another pointer that is down: its id, and where it is.
pub type Finger = (i32, f64, f64);

/// Returns the middle of all fingers, and how far apart they are.
pub fn middle(fingers: &[Finger]) -> (f64, f64, f64) {
    match *fingers {
        [(_, x, y)] => (x, y, 0.0),
        [(_, x, y), (_, to_x, to_y), ..] => {
            ((x + to_x) / 2.0, (y + to_y) / 2.0, distance(to_x - x, to_y - y).max(20.0))
        }
        [] => (0.0, 0.0, 0.0),
    }
}

/// Gives the window that a drag leads to: what was under the fingers stays under them.
pub fn dragged(frame: &Frame, (from, apart): (f64, f64), (to, now_apart): (f64, f64)) -> Span {
    let at = frame.position(from);
    let factor = if apart > 0.0 && now_apart > 0.0 { apart / now_apart } else { 1.0 };
    let zoomed = Frame { span: frame.span.zoomed(at, factor), ..*frame };
    zoomed.span.panned(at - zoomed.position(to))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame() -> Frame {
        Frame { span: Span { start: 0.0, end: 1000.0 }, width: 100.0, ..Frame::default() }
    }

    #[test]
    fn what_is_held_stays_under_the_pointer() {
        assert_eq!(dragged(&frame(), (50.0, 0.0), (70.0, 0.0)), Span { start: -200.0, end: 800.0 });
        let pinched = Frame { span: dragged(&frame(), (50.0, 20.0), (60.0, 40.0)), ..frame() };
        assert_eq!(pinched.span.width(), 500.0);
        assert_eq!(pinched.position(60.0), 500.0);
    }

    #[test]
    fn two_fingers_have_a_middle() {
        assert_eq!(middle(&[]), (0.0, 0.0, 0.0));
        assert_eq!(middle(&[(1, 10.0, 20.0)]), (10.0, 20.0, 0.0));
        assert_eq!(middle(&[(1, 10.0, 20.0), (2, 40.0, 60.0)]), (25.0, 40.0, 50.0));
    }
}
