//! What is wrong.

use huddle_core::model::Finding;
use huddle_scan::Recovery;

use crate::protocol::ProblemsView;
use crate::protocol::papers::Problem;
use crate::worker::book::Book;

/// How much of a file is shown for a problem that does not say how much it is about.
const PART: u32 = 2_000;

impl Book {
    /// Gives all that the checks found, each with the place that it leads to.
    pub(super) fn problems(&self) -> ProblemsView {
        let account = self.history.account();
        let recoveries = Recovery::ALL.iter().zip(account.recoveries).filter(|(_, count)| *count > 0);
        ProblemsView {
            problems: self.findings.iter().map(|finding| self.problem(finding)).collect(),
            bytes: [account.parsed, account.recovered, account.quarantined, account.between, account.being_written],
            recoveries: recoveries.map(|(kind, count)| (kind.as_str().to_owned(), count)).collect(),
        }
    }

    fn problem(&self, finding: &Finding) -> Problem {
        let at = self.history.locate(&finding.place);
        let row = at.and_then(|(file, offset)| self.history.row_near(file, offset.unwrap_or_default()));
        let said = finding.place.strip_prefix("message ").and_then(|id| self.position(&format!("id:{id}")));
        let position = said.or_else(|| row.and_then(|row| self.history.position_of(row)));
        Problem {
            severity: finding.severity.to_string(),
            code: finding.code.to_owned(),
            place: finding.place.clone(),
            message: finding.message.clone(),
            hint: finding.hint.clone(),
            key: position.map(|position| self.key(position)),
            part: at.map(|(file, offset)| self.part_of(file, offset)).or_else(|| said.map(|said| self.record_of(said))),
        }
    }

    /// Gives where a message lies.
    fn record_of(&self, position: u32) -> (String, u64, u32) {
        let row = self.history.table.row(self.history.entries[position as usize]);
        (self.history.files[row.file as usize].path.clone(), row.offset, row.length)
    }

    fn part_of(&self, file: u32, offset: Option<u64>) -> (String, u64, u32) {
        let damage = self.history.table.damages.iter().find(|one| one.file == file && Some(one.offset) == offset);
        let length = damage.and_then(|damage| u32::try_from(damage.length).ok()).unwrap_or(PART);
        (self.history.files[file as usize].path.clone(), offset.unwrap_or_default(), length)
    }
}
