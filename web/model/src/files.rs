//! The names and paths of files that are opened together.

use std::collections::HashSet;

/// Names files together: by the directory that they are all in, by the only one, or by their number.
pub fn name_for(paths: &[String]) -> String {
    fn top(path: &str) -> Option<&str> {
        path.trim_start_matches('/').split_once('/').map(|(top, _)| top)
    }
    match (paths.first().and_then(|path| top(path)), paths) {
        (Some(name), _) if paths.iter().all(|path| top(path) == Some(name)) => name.to_owned(),
        (_, [only]) => only.trim_start_matches('/').to_owned(),
        _ => format!("{} files", paths.len()),
    }
}

/// Sorts files by path. Of those with the same path, as an archive and what lies beside it may have, all but one get another.
pub fn sort<T>(files: &mut [T], path_of: fn(&T) -> &str, set_path: fn(&mut T, String)) {
    files.sort_by(|a, b| path_of(a).cmp(path_of(b)));
    let is_same = |place: &usize| path_of(&files[*place - 1]) == path_of(&files[*place]);
    let same: Vec<usize> = (1..files.len()).filter(is_same).collect();
    if same.is_empty() {
        return;
    }
    let mut taken: HashSet<String> = files.iter().map(|file| path_of(file).to_owned()).collect();
    // Numbers are counted on from the last one: to begin anew for each of very many would never end.
    let (mut path, mut last) = (String::new(), 1);
    for place in same {
        if path_of(&files[place]) != path {
            (path, last) = (path_of(&files[place]).to_owned(), 1);
        }
        loop {
            last += 1;
            let free = numbered(&path, last);
            if taken.insert(free.clone()) {
                set_path(&mut files[place], free);
                break;
            }
        }
    }
    files.sort_by(|a, b| path_of(a).cmp(path_of(b)));
}

/// Puts a number into a path, before what says of which kind the file is.
fn numbered(path: &str, number: usize) -> String {
    let name = path.rfind('/').map_or(0, |slash| slash + 1);
    let end = path[name..].rfind('.').map_or(path.len(), |dot| name + dot);
    format!("{} ({number}){}", &path[..end], &path[end..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_by_what_they_have_in_common() {
        let check = |paths: &[&str], wanted: &str| {
            let paths: Vec<String> = paths.iter().map(|&path| path.to_owned()).collect();
            assert_eq!(name_for(&paths), wanted);
        };
        check(&["messages.jsonl"], "messages.jsonl");
        check(&["/messages.jsonl"], "messages.jsonl");
        check(&["run/logs/a.jsonl"], "run");
        check(&["run/a.jsonl", "run/b/c.jsonl"], "run");
        check(&["/run/a.jsonl", "/run/b.jsonl"], "run");
        check(&["a.jsonl", "b.jsonl"], "2 files");
        check(&["run/a.jsonl", "other/b.jsonl"], "2 files");
    }

    #[test]
    fn a_number_stands_before_the_kind_of_a_file() {
        assert_eq!(numbered("logs.d/run.jsonl", 2), "logs.d/run (2).jsonl");
        assert_eq!(numbered("logs.d/run", 3), "logs.d/run (3)");
    }

    #[test]
    fn sort_gives_every_file_a_path_of_its_own() {
        let check = |paths: &[&str], wanted: &[&str]| {
            let mut files: Vec<String> = paths.iter().map(|&path| path.to_owned()).collect();
            sort(&mut files, |file| file, |file, path| *file = path);
            assert_eq!(files, wanted);
        };
        check(&["b", "a"], &["a", "b"]);
        check(&["a.log", "a.log", "a.log", "b"], &["a (2).log", "a (3).log", "a.log", "b"]);
        check(&["a", "a", "a (2)", "a (2)"], &["a", "a (2)", "a (2) (2)", "a (3)"]);
    }
}
