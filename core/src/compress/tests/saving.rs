//! What was left out can be had again.

use super::DOCUMENTS;
use crate::bus::ErrorKind;
use crate::compress::{Error, Expansions, Reference, compress};
use crate::engine::fs::{FileSystem, memory::MemoryFs};
use crate::host::FixedHost;

fn host() -> FixedHost {
    FixedHost::at("2025-11-29T12:00:00Z")
}

#[test]
fn every_reference_expands_to_the_same_bytes() {
    let (fs, host) = (MemoryFs::new(), host());
    let expansions = Expansions::new(&fs, &host);
    let mut inputs: Vec<Vec<u8>> = DOCUMENTS.iter().map(|(_, text)| text.as_bytes().to_vec()).collect();
    inputs.extend([Vec::new(), b"\xff\0\xfe".to_vec(), b"short".to_vec()]);
    for input in inputs {
        for limit in [60, 500, 1500] {
            let short = expansions.compress(&input, limit).unwrap();
            assert_eq!(short, compress(&input, limit));
            for part in &short.parts {
                assert_eq!(expansions.expand(&part.link()).unwrap(), input[part.range.clone()], "{}", part.title);
                assert_eq!(expansions.expand(&format!("full:{}", part.reference)).unwrap(), input[part.range.clone()]);
            }
        }
    }
    assert!(fs.files().iter().all(|file| file.starts_with("state/expand/")), "{:?}", fs.files());
}

#[test]
fn expansions_survive_power_cut_and_are_written_once() {
    let (fs, host) = (MemoryFs::new(), host());
    let expansions = Expansions::new(&fs, &host);
    let input = DOCUMENTS[1].1.as_bytes();
    let short = expansions.compress(input, 500).unwrap();
    fs.power_cut();
    assert_eq!(expansions.expand(short.parts[0].reference.as_str()).unwrap(), input);
    let before = fs.mutations();
    expansions.compress(input, 500).unwrap();
    assert_eq!(fs.mutations(), before, "nothing was left to write");
}

#[test]
fn contents_that_meet_in_their_names_get_longer_ones() {
    let (fs, host) = (MemoryFs::new(), host());
    let input = DOCUMENTS[2].1.as_bytes();
    let taken = Reference::to(input, Reference::SHORT);
    fs.create_dir("state/expand").unwrap();
    fs.write_new(&format!("state/expand/{taken}.txt"), b"something else").unwrap();
    let expansions = Expansions::new(&fs, &host);
    let short = expansions.compress(input, 500).unwrap();
    assert_eq!(short.parts[0].reference.as_str().len(), 15);
    assert_eq!(expansions.expand(&short.parts[0].link()).unwrap(), input);
    assert_eq!(expansions.expand(taken.as_str()).unwrap(), b"something else");
}

#[test]
fn missing_references_are_named_with_similar_ones() {
    let (fs, host) = (MemoryFs::new(), host());
    let expansions = Expansions::new(&fs, &host);
    let saved = expansions.compress(b"some text", 500).unwrap().parts[0].reference.clone();
    let mut digits = saved.as_str().to_owned();
    let last = if digits.ends_with('0') { '1' } else { '0' };
    digits.pop();
    digits.push(last);
    let error = expansions.expand(&digits).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::NotFound);
    assert_eq!(error.to_string(), format!("nothing is saved as {digits}; near it are {saved}"));
    for bad in ["", "../../etc/passwd", "12345", "12345678901x", "/etc/passwd", "1234567890123456789012345678901234567"]
    {
        let error = expansions.expand(bad).unwrap_err();
        assert!(matches!(error, Error::NotAReference { .. }), "{bad}: {error}");
        assert_eq!(error.kind(), ErrorKind::Usage);
    }
}
