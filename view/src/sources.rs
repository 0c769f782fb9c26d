//! The directories and files that the page shows.

use std::fs::File;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::Error;
use crate::tree::{self, Tree};

/// The directories and files that a server shows.
#[derive(Debug)]
pub struct Sources(Vec<Source>);

/// A directory, or a single file.
#[derive(Debug)]
struct Source {
    /// The name that readers see.
    name: String,
    /// The path of the file, or the beginning of the paths of the directory's files. Empty for a directory that is the
    /// only source.
    label: String,
    /// The directory, or the directory of the file.
    dir: PathBuf,
    file: Option<PathBuf>,
}

/// All files of the sources, as JSON that the page reads.
#[derive(Debug, Serialize)]
pub(crate) struct Listing {
    name: String,
    /// Sorted by path.
    files: Vec<ListedFile>,
    /// Paths of directories that could not be listed, sorted.
    unreadable: Vec<String>,
}

/// A file of the sources.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) struct ListedFile {
    /// The path below `/session/`.
    pub(crate) path: String,
    /// In bytes.
    pub(crate) size: u64,
    /// In milliseconds since 1970.
    pub(crate) modified: u64,
    /// Whether the user named the file itself, not a directory above it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) explicit: bool,
}

impl Sources {
    /// Takes directories and files, all of which must exist. A path may be or contain links.
    ///
    /// The paths of a single directory's files begin in that directory. With several sources, the paths of each begin
    /// with its name.
    pub fn open(paths: &[impl AsRef<Path>]) -> Result<Self, Error> {
        let mut sources = paths.iter().map(|path| Source::open(path.as_ref())).collect::<Result<Vec<_>, _>>()?;
        if let [Source { label, file: None, .. }] = &mut sources[..] {
            label.clear();
        }
        for at in 1..sources.len() {
            let (before, rest) = sources.split_at_mut(at);
            let label = &mut rest[0].label;
            *label = unused(label, |candidate| before.iter().any(|source| source.label == candidate));
        }
        Ok(Self(sources))
    }

    /// Lists the files as they are now.
    pub(crate) fn list(&self) -> Listing {
        let names: Vec<&str> = self.0.iter().map(|source| source.name.as_str()).collect();
        let mut listing = Listing { name: names.join(", "), files: Vec::new(), unreadable: Vec::new() };
        self.0.iter().for_each(|source| source.list(&mut listing));
        listing.files.sort();
        listing.unreadable.sort();
        listing
    }

    /// Opens a file if it is listed.
    pub(crate) fn open_file(&self, path: &str) -> Option<File> {
        self.0.iter().find_map(|source| {
            let below = source.path_below(path)?;
            match &source.file {
                Some(file) => tree::open_single(&source.dir, file),
                None => Tree::open(&source.dir).ok()?.open_file(below),
            }
        })
    }
}

impl Source {
    fn open(path: &Path) -> Result<Self, Error> {
        let real = path.canonicalize().map_err(|source| Error::Open { path: path.to_owned(), source })?;
        let name = real.file_name().map_or("/".to_owned(), |name| name.to_string_lossy().into_owned());
        let label = if name == "/" { "root".to_owned() } else { name.clone() };
        if real.is_dir() {
            return Ok(Self { name, label, dir: real, file: None });
        }
        match (real.parent(), real.file_name(), real.is_file()) {
            (Some(dir), Some(file), true) => {
                Ok(Self { name, label, dir: dir.to_owned(), file: Some(PathBuf::from(file)) })
            }
            _ => Err(Error::Irregular { path: path.to_owned() }),
        }
    }

    fn list(&self, listing: &mut Listing) {
        if let Some(file) = &self.file {
            let found = tree::open_single(&self.dir, file).and_then(|file| file.metadata().ok());
            listing.files.extend(found.map(|found| ListedFile {
                explicit: true,
                ..ListedFile::new(self.label.clone(), found.len(), found.modified().ok())
            }));
            return;
        }
        let Ok(tree) = Tree::open(&self.dir) else {
            listing.unreadable.push(self.label.clone());
            return;
        };
        let found = tree.list();
        let labeled = |path: String| if self.label.is_empty() { path } else { format!("{}/{path}", self.label) };
        listing.files.extend(found.files.into_iter().map(|file| ListedFile { path: labeled(file.path), ..file }));
        listing.unreadable.extend(found.unreadable.into_iter().map(labeled));
    }

    /// Returns the part of a path that is below this source, if it belongs to it.
    fn path_below<'p>(&self, path: &'p str) -> Option<&'p str> {
        if self.label.is_empty() {
            return Some(path);
        }
        let below = path.strip_prefix(&self.label)?;
        if self.file.is_some() { below.is_empty().then_some(below) } else { below.strip_prefix('/') }
    }
}

/// Returns the media type of a file that is shown: one that no browser runs, whatever is in the file.
pub(crate) fn media_type(path: &str) -> &'static str {
    if path.ends_with(".json") { "application/json" } else { "text/plain; charset=utf-8" }
}

/// Returns a name that is not taken, with a number before its extension where it is.
fn unused(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let (stem, extension) = name.split_at(name.rfind('.').filter(|dot| *dot > 0).unwrap_or(name.len()));
    let numbered = (2..).map(|number: u32| format!("{stem} ({number}){extension}"));
    let mut candidates = std::iter::once(name.to_owned()).chain(numbered);
    candidates.find(|candidate| !is_taken(candidate)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn listed(sources: &Sources) -> Vec<String> {
        sources.list().files.into_iter().map(|file| file.path).collect()
    }

    #[test]
    fn several_sources_have_paths_of_their_own() {
        let dir = tempfile::tempdir().unwrap();
        for path in ["a/x/m.json", "b/x/m.json", "a/log.jsonl", "b/log.jsonl"] {
            let path = dir.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, path.to_str().unwrap()).unwrap();
        }
        let paths = ["a/x", "b/x", "a/log.jsonl", "b/log.jsonl"].map(|path| dir.path().join(path));
        let sources = Sources::open(&paths).unwrap();
        assert_eq!(listed(&sources), ["log (2).jsonl", "log.jsonl", "x (2)/m.json", "x/m.json"]);
        let listing = sources.list();
        assert_eq!(listing.name, "x, x, log.jsonl, log.jsonl");
        assert_eq!(listing.files.iter().map(|file| file.explicit).collect::<Vec<_>>(), [true, true, false, false]);
        let read = |path: &str| sources.open_file(path).map(|file| std::io::read_to_string(file).unwrap());
        let expect = |path: &str| Some(dir.path().join(path).to_str().unwrap().to_owned());
        assert_eq!((read("x/m.json"), read("x (2)/m.json")), (expect("a/x/m.json"), expect("b/x/m.json")));
        assert_eq!((read("log.jsonl"), read("log (2).jsonl")), (expect("a/log.jsonl"), expect("b/log.jsonl")));
        for path in ["", "x", "x/", "m.json", "x (3)/m.json", "log.jsonl/", "log.jsonl/m.json", "xm.json"] {
            assert!(read(path).is_none(), "{path}");
        }
    }

    #[test]
    fn single_directory_has_paths_from_itself() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("m.json"), "").unwrap();
        assert_eq!(listed(&Sources::open(&[dir.path()]).unwrap()), ["m.json"]);
    }

    #[test]
    fn source_that_went_away_is_empty() {
        let dir = tempfile::tempdir().unwrap();
        let paths = [dir.path().join("d"), dir.path().join("log.jsonl")];
        fs::create_dir(&paths[0]).unwrap();
        fs::write(&paths[1], "").unwrap();
        let sources = Sources::open(&paths).unwrap();
        fs::remove_dir(&paths[0]).unwrap();
        fs::remove_file(&paths[1]).unwrap();
        let listing = sources.list();
        assert_eq!((listing.files.len(), listing.unreadable), (0, vec!["d".to_owned()]));
        assert!(sources.open_file("log.jsonl").is_none());
    }

    #[test]
    fn absent_source_is_an_error_that_names_it() {
        let error = Sources::open(&["/absent/log"]).unwrap_err().to_string();
        assert!(error.contains("/absent/log"), "{error}");
    }

    #[test]
    fn media_types_of_sources_let_nothing_run() {
        for path in ["a.html", "a.js", "a.svg", "a.xml", "a", "a.json/b"] {
            assert_eq!(media_type(path), "text/plain; charset=utf-8", "{path}");
        }
        assert_eq!(media_type("a.json"), "application/json");
    }

    #[test]
    fn unused_names_keep_their_extension() {
        let taken = ["log.jsonl", "log (2).jsonl", ".claude"];
        let check = |name: &str, wanted: &str| assert_eq!(unused(name, |name| taken.contains(&name)), wanted);
        check("new", "new");
        check("log.jsonl", "log (3).jsonl");
        check(".claude", ".claude (2)");
    }
}
