//! Where tests put the projects that they make.

use std::path::{Path, PathBuf};

/// What the largest test writes, and as much again for another at the same time. Containers often have less memory to give.
const NEEDED: u64 = 1 << 30;

/// Returns the directory for temporary projects: one in memory, where there is room, because syncing is free there.
///
/// Kills, pauses and forged files leave the same there as on a disk. Only what measures a disk needs one.
pub fn root() -> PathBuf {
    let memory = Path::new("/dev/shm");
    if free_bytes(memory) >= NEEDED { memory.to_owned() } else { std::env::temp_dir() }
}

#[cfg(unix)]
fn free_bytes(dir: &Path) -> u64 {
    rustix::fs::statvfs(dir).map_or(0, |found| found.f_bavail.saturating_mul(found.f_frsize))
}

#[cfg(not(unix))]
fn free_bytes(_: &Path) -> u64 {
    0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_root_can_be_written() {
        let file = root().join(format!("huddle-scratch-{}", std::process::id()));
        std::fs::write(&file, "x").and_then(|()| std::fs::remove_file(&file)).expect("a file can be made and removed");
        assert_eq!(free_bytes(Path::new("/there/is/none")), 0);
    }
}
