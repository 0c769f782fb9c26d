//! What mailboxes claim: the checks of a bus, on the files of one.

use std::io;

use crate::bus::check_stored;
use crate::history::record::Bytes;
use crate::history::{History, RootKind};
use crate::model::{Directory, Finding, Handoff, Timestamp};

pub(super) fn check(history: &History, now: Timestamp, from: &mut dyn Bytes) -> io::Result<Vec<Finding>> {
    let mut findings = Vec::new();
    for (root, _) in history.roots.iter().enumerate().filter(|(_, root)| root.kind == RootKind::Mailbox) {
        let survey = history.survey(root, from)?;
        findings.extend(survey.findings);
        let registry = history.papers.registries.iter().find(|paper| paper.root == Some(root));
        let directory = registry.map_or_else(Directory::default, |paper| paper.says.clone());
        let handoffs = history.papers.handoffs.iter().filter(|paper| paper.root == Some(root));
        let handoffs: Vec<Handoff> = handoffs.map(|paper| paper.says.clone()).collect();
        findings.extend(check_stored(&survey.value, &directory, &handoffs, now));
    }
    Ok(findings)
}
