//! Ids in the mailbox protocol's form, sorted by time to the microsecond and safe to make anywhere at once.

use uuid::Uuid;

use super::Bus;
use crate::model::{HandoffId, MessageId, ThreadId, Timestamp};

const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";

/// Writes the low `len` base-36 digits of a number.
fn base36(mut number: u128, len: usize) -> String {
    let mut digits = vec![b'0'; len];
    for digit in digits.iter_mut().rev() {
        *digit = DIGITS[(number % 36) as usize];
        number /= 36;
    }
    String::from_utf8_lossy(&digits).into_owned()
}

/// Writes `prefix_20251129_143052_` and ten characters: four for the microsecond, so that ids sort as they were made,
/// and six rolled, so that two agents never make the same.
pub fn timestamped_id(prefix: &str, now: Timestamp, random: u128) -> String {
    let micros = now.micros().rem_euclid(1_000_000) as u128;
    format!("{prefix}_{}_{}{}", now.compact(), base36(micros, 4), base36(random, 6))
}

/// Reads the time that an id carries, to the second, whoever made it.
pub fn time_in(id: &str) -> Option<Timestamp> {
    let (_, rest) = id.split_once('_')?;
    Timestamp::parse_compact(rest.get(..15)?)
}

/// Makes the same short name from the same words, every time. What is no text may be a word too.
pub fn fingerprint<W: AsRef<[u8]>>(words: &[W]) -> String {
    let mut bytes = Vec::new();
    for word in words.iter().map(W::as_ref) {
        bytes.extend_from_slice(&(word.len() as u64).to_le_bytes());
        bytes.extend_from_slice(word);
    }
    Uuid::new_v5(&Uuid::NAMESPACE_OID, &bytes).simple().to_string()
}

impl Bus<'_> {
    fn new_id(&self, prefix: &str) -> String {
        timestamped_id(prefix, self.host.now(), self.host.random())
    }

    /// Creates a message id: `msg_…`, `resp_…`, `bcast_…` or `evt_…`.
    pub(super) fn new_message_id(&self, prefix: &str) -> MessageId {
        MessageId::new(self.new_id(prefix)).expect("a stamp is a valid name")
    }

    /// Creates a conversation id.
    pub(super) fn new_thread_id(&self) -> ThreadId {
        ThreadId::new(self.new_id("conv")).expect("a stamp is a valid thread id")
    }

    /// Creates a handoff id.
    pub(super) fn new_handoff_id(&self) -> HandoffId {
        HandoffId::new(self.new_id("handoff")).expect("a stamp is a valid name")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_sort_as_they_were_made() {
        let at = Timestamp::parse("2025-11-29T14:30:52.000001Z").unwrap();
        let first = timestamped_id("msg", at, u128::MAX);
        let second = timestamped_id("msg", Timestamp::from_micros(at.micros() + 1), 0);
        assert_eq!(first, "msg_20251129_143052_0001zmsp33");
        assert!(first < second);
        assert_eq!(time_in(&first), Some(at.floor()));
        assert_eq!(time_in("msg_20251129_143052_001"), Some(at.floor()));
        assert_eq!(time_in("note"), None);
        assert_eq!(time_in("msg_ünïcödé_ünïcödé"), None);
    }

    #[test]
    fn fingerprints_keep_words_apart() {
        assert_eq!(fingerprint(&["a", "bc"]), fingerprint(&["a", "bc"]));
        assert_ne!(fingerprint(&["a", "bc"]), fingerprint(&["ab", "c"]));
    }
}
