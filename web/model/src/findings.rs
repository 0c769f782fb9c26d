//! The findings of reports, by how much they matter.

use crate::protocol::papers::ReportFinding;

/// The severities that the protocol knows; whatever else there is comes last.
pub const KNOWN: [&str; 3] = ["high", "medium", "low"];

/// Gives what there is of something, with how often, in the order of first appearance.
pub fn tally<'a>(values: impl Iterator<Item = &'a str>) -> Vec<(String, usize)> {
    let mut tally: Vec<(String, usize)> = Vec::new();
    for value in values {
        match tally.iter_mut().find(|(known, _)| known == value) {
            Some((_, many)) => *many += 1,
            None => tally.push((value.to_owned(), 1)),
        }
    }
    tally
}

/// Gives the severities in the order they matter, with how many findings have each.
pub fn by_severity(findings: &[ReportFinding]) -> Vec<(String, usize)> {
    let mut tally = tally(findings.iter().map(|finding| finding.severity.as_str()));
    tally.sort_by_key(|(name, _)| KNOWN.iter().position(|known| known == name).unwrap_or(KNOWN.len()));
    tally
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn severities_come_in_the_order_they_matter() {
        let findings = ["low", "dire", "high", "low"];
        let findings = findings.map(|severity| ReportFinding { severity: severity.into(), ..ReportFinding::default() });
        let wanted = [("high", 1), ("low", 2), ("dire", 1)].map(|(name, many)| (name.to_owned(), many));
        assert_eq!(by_severity(&findings), wanted);
    }
}
