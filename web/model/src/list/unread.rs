//! What is new: the messages that came since the reader last looked, and which of them were in sight.

/// What is new. Messages go by their places among all by time: what comes later stands later.
#[derive(Debug, Default)]
pub struct News {
    /// All messages before this place are known; none before anything was counted.
    known: Option<u32>,
    /// Places from there on that were in sight, in order.
    seen: Vec<u32>,
}

impl News {
    /// Counts the messages; only what comes while a source is followed is new.
    pub fn count(&mut self, messages: u32, followed: bool) {
        if !followed || self.known.is_none_or(|known| known > messages) {
            self.know(messages);
        }
    }

    /// Takes so many messages as known.
    pub fn know(&mut self, messages: u32) {
        (self.known, self.seen) = (Some(messages), Vec::new());
    }

    /// Takes notice of a message that is in sight.
    pub fn see(&mut self, place: u32) {
        if place >= self.since()
            && let Err(at) = self.seen.binary_search(&place)
        {
            self.seen.insert(at, place);
        }
    }

    /// Gives the place from which on messages may be new.
    pub fn since(&self) -> u32 {
        self.known.unwrap_or(u32::MAX)
    }

    /// Gives how many of so many messages are new and were not in sight.
    pub fn left(&self, messages: u32) -> u32 {
        messages.saturating_sub(self.since()).saturating_sub(self.seen.len() as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::News;

    #[test]
    fn only_what_was_in_sight_is_seen() {
        let mut news = News::default();
        news.see(7);
        news.count(10, true);
        assert_eq!(news.left(10), 0);
        news.count(13, true);
        for place in [12, 3, 12, 10] {
            news.see(place);
        }
        assert_eq!((news.left(13), news.since()), (1, 10));
        news.know(13);
        assert_eq!((news.left(13), news.left(14)), (0, 1));
    }

    #[test]
    fn nothing_is_new_in_what_is_not_followed_or_has_become_less() {
        let mut news = News::default();
        news.count(10, false);
        news.count(20, false);
        assert_eq!(news.left(20), 0);
        news.count(5, true);
        assert_eq!((news.left(5), news.left(6)), (0, 1));
    }
}
