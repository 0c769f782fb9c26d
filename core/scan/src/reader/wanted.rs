//! Reading only the lines that may be wanted. What is found is the same as if all were read.

use super::{LogReader, MAX_LINE, Sink};
use crate::json::scan_object;
use crate::needles::Needles;

impl LogReader {
    /// Takes the next bytes of the file, and passes over lines that cannot have what is looked for.
    ///
    /// Whoever uses it uses it for the whole file. Lines are not counted, and damage is told only where it was met.
    pub fn feed_wanted(&mut self, chunk: &[u8], needles: &Needles, sink: &mut dyn Sink) {
        let Some(end) = memchr::memrchr(b'\n', chunk).filter(|_| !needles.is_empty()) else {
            return self.feed(chunk, sink);
        };
        let mut done = 0;
        if self.is_in_line() {
            done = memchr::memchr(b'\n', chunk).map_or(0, |end| end + 1);
            self.feed(&chunk[..done], sink);
        }
        let lines = &chunk[..=end];
        done = self.other_halves(lines, done, sink);
        let mut candidates = needles.candidates(lines, done);
        while let Some(place) = candidates.next(lines) {
            if place >= done {
                done = self.around(lines, done, place, sink);
            }
        }
        if done < lines.len() {
            // The last line is always read: the next chunk may begin with its other half.
            self.around(lines, done, end, sink);
        }
        self.feed(&chunk[end + 1..], sink);
    }

    /// Reads the line at a place, with those beside it if it is only a part of something; tells where the last one ends.
    fn around(&mut self, lines: &[u8], done: usize, place: usize, sink: &mut dyn Sink) -> usize {
        let start = memchr::memrchr(b'\n', &lines[done..place]).map_or(done, |end| done + end + 1);
        let end = line_end(lines, place);
        let line = &lines[start..end];
        let is_record = |length: usize| length == line.len() && length <= MAX_LINE;
        if scan_object(line, &mut self.fields).is_ok_and(is_record) {
            self.skip(&lines[done..start]);
            self.one_record(line, sink);
            return end + 1;
        }
        // It may be the other half of the line before it.
        let before = start.checked_sub(1).filter(|end| *end >= done);
        let from =
            before.map_or(start, |end| memchr::memrchr(b'\n', &lines[done..end]).map_or(done, |at| done + at + 1));
        self.skip(&lines[done..from]);
        self.feed(&lines[from..=end], sink);
        self.other_halves(lines, end + 1, sink)
    }

    /// Reads lines as long as the last one was only a part of something; tells where the last one ends.
    fn other_halves(&mut self, lines: &[u8], mut done: usize, sink: &mut dyn Sink) -> usize {
        while self.torn.is_some() && done < lines.len() {
            let end = line_end(lines, done);
            self.feed(&lines[done..=end], sink);
            done = end + 1;
        }
        done
    }

    fn skip(&mut self, lines: &[u8]) {
        self.at += lines.len() as u64;
        self.account.skipped += lines.len() as u64;
    }
}

/// Finds the end of the line at a place; every line here has one.
fn line_end(lines: &[u8], place: usize) -> usize {
    place + memchr::memchr(b'\n', &lines[place..]).unwrap_or(lines.len() - 1 - place)
}
