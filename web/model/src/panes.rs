//! The panes beside the view: side by side with it where there is room, over it where there is none.

/// A pane beside the view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pane {
    /// Source, agents and filters.
    Side,
    /// The selected message.
    Details,
}

/// Which panes there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Panes {
    /// Whether there is room for one pane only.
    pub narrow: bool,
    /// Whether the side stands beside the view where there is room.
    pub side: bool,
    /// Whether the details do.
    pub details: bool,
    /// What lies over the view where there is no room.
    pub over: Option<Pane>,
}

impl Panes {
    /// Says whether a pane is to be seen.
    pub fn shows(&self, pane: Pane) -> bool {
        match pane {
            _ if self.narrow => self.over == Some(pane),
            Pane::Side => self.side,
            Pane::Details => self.details,
        }
    }

    /// Shows a pane, or hides it.
    pub fn toggle(&mut self, pane: Pane) {
        match pane {
            _ if self.narrow => self.over = if self.over == Some(pane) { None } else { Some(pane) },
            Pane::Side => self.side = !self.side,
            Pane::Details => self.details = !self.details,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_there_is_no_room_one_pane_lies_over_the_view() {
        let mut panes = Panes { narrow: true, side: true, details: true, over: None };
        assert!(!panes.shows(Pane::Side) && !panes.shows(Pane::Details));
        panes.toggle(Pane::Side);
        assert!(panes.shows(Pane::Side) && !panes.shows(Pane::Details));
        panes.toggle(Pane::Details);
        assert!(!panes.shows(Pane::Side) && panes.shows(Pane::Details));
        panes.toggle(Pane::Details);
        assert_eq!(panes.over, None);
    }

    #[test]
    fn where_there_is_room_panes_are_shown_and_hidden_alone() {
        let mut panes = Panes { narrow: false, side: true, details: true, over: Some(Pane::Side) };
        panes.toggle(Pane::Details);
        assert!(panes.shows(Pane::Side) && !panes.shows(Pane::Details));
    }
}
