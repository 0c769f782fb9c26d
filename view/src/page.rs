//! The page's own files.

use std::path::PathBuf;

use axum::body::Bytes;
use cap_std::ambient_authority;
use cap_std::fs::Dir;

/// What the page may do: nothing but run its own code and fetch from its own server.
///
/// `index.html` has the same policy for other servers, except for `frame-ancestors`, which only a header can set. Workers
/// get theirs from the header alone.
pub(crate) const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; \
     img-src 'self' data: blob:; worker-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; \
     frame-ancestors 'none'";

/// The files of the page.
#[derive(Debug)]
pub struct Page(Files);

#[derive(Debug)]
enum Files {
    #[cfg(feature = "embedded")]
    Embedded(&'static include_dir::Dir<'static>),
    Directory(PathBuf),
}

impl Page {
    /// Returns the page that is a part of this program, if it was built with one.
    pub fn embedded() -> Option<Self> {
        #[cfg(feature = "embedded")]
        {
            static PAGE: include_dir::Dir<'static> = include_dir::include_dir!("$CARGO_MANIFEST_DIR/../dist/web");
            Some(Self(Files::Embedded(&PAGE)))
        }
        #[cfg(not(feature = "embedded"))]
        None
    }

    /// Takes the page from a directory, which is read anew with every request.
    pub fn in_dir(dir: impl Into<PathBuf>) -> Self {
        Self(Files::Directory(dir.into()))
    }

    /// Reads a file of the page by its path, which has been checked to lead down.
    pub(crate) fn read(&self, path: &str) -> Option<Bytes> {
        match &self.0 {
            #[cfg(feature = "embedded")]
            Files::Embedded(dir) => dir.get_file(path).map(|file| Bytes::from_static(file.contents())),
            Files::Directory(dir) => {
                let dir = Dir::open_ambient_dir(dir, ambient_authority()).ok()?;
                dir.read(path).ok().map(Bytes::from)
            }
        }
    }
}

/// Returns the media type of a file of the page.
pub(crate) fn media_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "wasm" => "application/wasm",
        _ => crate::sources::media_type(path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn policy_is_that_of_the_document() {
        let document = include_str!("../../index.html");
        let policy = POLICY.strip_suffix("; frame-ancestors 'none'").unwrap();
        assert!(document.contains(&format!("http-equiv=\"Content-Security-Policy\" content=\"{policy}\"")), "{policy}");
    }

    #[test]
    fn media_types_let_only_the_page_run() {
        assert_eq!(media_type("a.js"), "text/javascript; charset=utf-8");
        assert_eq!(media_type("a.json"), "application/json");
        assert_eq!(media_type("README"), "text/plain; charset=utf-8");
    }
}
