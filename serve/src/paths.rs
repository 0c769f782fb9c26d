//! From the path in an address to a file that may be shown.

use std::path::{Component, Path, PathBuf};

/// Takes the path of an address for a relative path, unless it could lead anywhere but down.
pub(super) fn relative(encoded: &str) -> Option<PathBuf> {
    let path = decoded(encoded)?;
    let fits = |name: &str| {
        let mut parts = Path::new(name).components();
        !name.contains(['\\', '\0'])
            && matches!((parts.next(), parts.next()), (Some(Component::Normal(part)), None) if part == name)
    };
    path.split('/').all(fits).then(|| path.split('/').collect())
}

/// Finds the file that a relative path leads to, if it lies below the directory, links and all.
pub(super) fn file_below(dir: &Path, path: &Path) -> Option<PathBuf> {
    let real = dir.join(path).canonicalize().ok()?;
    (real.starts_with(dir.canonicalize().ok()?) && real.is_file()).then_some(real)
}

/// Replaces each `%41` by the byte that it stands for.
fn decoded(encoded: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(encoded.len());
    let mut rest = encoded.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(if byte == b'%' { digit(rest.next()?)? << 4 | digit(rest.next()?)? } else { byte });
    }
    String::from_utf8(bytes).ok()
}

fn digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_lead_down() {
        let check = |encoded: &str, wanted: &str| assert_eq!(relative(encoded), Some(wanted.into()), "{encoded}");
        check("a", "a");
        check(".agent-messages/inbox/b.json", ".agent-messages/inbox/b.json");
        check("with%20space/%C3%BC%23%3F", "with space/ü#?");
        check("a%2Fb", "a/b");
        check("...", "...");
    }

    #[test]
    fn paths_that_could_lead_elsewhere_are_none() {
        let odd = ["", "/", "/etc/passwd", "//a", "a//b", "a/", ".", "..", "../a", "a/../b", "a/./b", "%2e%2e/a"];
        let odder = ["a%2F..%2Fb", "%2Fetc/passwd", "a\\b", "a%5Cb", "a%00", "%", "%4", "%zz", "%ff", "a%2F%2Fb"];
        for path in odd.iter().chain(&odder) {
            assert_eq!(relative(path), None, "{path}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_lead_down_or_nowhere() {
        let dir = tempfile::tempdir().unwrap();
        let root = dir.path().join("root");
        std::fs::create_dir(&root).unwrap();
        std::fs::write(dir.path().join("secret"), "").unwrap();
        std::fs::write(root.join("file"), "").unwrap();
        std::os::unix::fs::symlink(dir.path(), root.join("up")).unwrap();
        std::os::unix::fs::symlink(dir.path().join("secret"), root.join("out")).unwrap();
        std::os::unix::fs::symlink("file", root.join("in")).unwrap();
        let found = |path: &str| file_below(&root, Path::new(path)).is_some();
        assert!(found("file") && found("in"));
        for path in ["up/secret", "out", "up", "absent", "up/root/../secret"] {
            assert!(!found(path), "{path}");
        }
    }
}
