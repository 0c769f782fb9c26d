//! Files that nobody would write, made of what files are made of: the same every time, and without a fuzzer.

use super::{PATHS, SEPARATOR, loader, query};

/// Records, parts of records, and what gets between them.
const PIECES: [&[u8]; 24] = [
    br#"{"timestamp":"2025-01-23T10:00:00Z","from":"ann","to":"bob","type":"status","message":"one"}"#,
    br#"{"timestamp":"2025-01-23T10:00:01Z","from":"bob","type":"finding","severity":"high","data":{"title":"T"}}"#,
    br#"{"message_id":"m1","timestamp":"2025-01-23T10:00:02Z","from_agent":"ann","to_agent":"bob","message_type":"question","subject":"S","payload":{"a":[1]},"requires_response":true}"#,
    br#"{"message_id":"m2","timestamp":"2025-01-23T10:00:03Z","from_agent":"bob","to_agent":"ann","message_type":"response","subject":"Re: S","in_reply_to":"m1","payload":"x"}"#,
    br#"{"event_id":"e1","event_type":"E","timestamp":"2025-01-23T10:00:04Z","source_agent":"ann","event_data":{}}"#,
    br#"{"id":"d1","from":"a","to":"b","content":"{\"t\":1}","type":"task","threadId":"t","createdAt":{"$date":"2025-01-23T10:00:05Z"},"read":true}"#,
    br#"{"session_id":"s","agents":{"ann":{"status":"completed","dependencies":["bob"]}}}"#,
    br#"{"agent_name":"ann","status":"failed","summary":"s","findings":[],"data_artifacts":["data/y.json"]}"#,
    br#"{"huddle_file":"reports/ann.json","content":{"agent_name":"ann"}}"#,
    br#"{"parentUuid":null,"isSidechain":true,"type":"user","message":{"role":"user","content":"hi"},"uuid":"u"}"#,
    br#"{"ts":1737626400,"level":"info","msg":"m","logger":"l"}"#,
    br#"{"timestamp":7,"from":null,"type":["x"]}"#,
    b"2025-01-23T10:00:06Z m1\n",
    b"{\"torn\":\"",
    b"not json",
    b"\xef\xbb\xbf",
    b"\r\n",
    b"\n",
    b"\n",
    b"\0",
    b"[",
    b"]",
    b",",
    b"\xe2\x80\xa8",
];

#[test]
fn files_of_any_content_are_accounted_for_and_shown() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut below = |end: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as usize % end
    };
    for round in 0..3000 {
        let mut data = vec![below(256) as u8, below(256) as u8];
        for _ in 0..below(14) {
            let piece = PIECES[below(PIECES.len())];
            match below(8) {
                0 => data.extend_from_slice(&piece[..below(piece.len() + 1)]),
                1 => data.extend_from_slice(&SEPARATOR),
                2 => data.push(below(256) as u8),
                _ => data.extend_from_slice(piece),
            }
        }
        // A panic names what did not hold; this names the files.
        assert!(
            std::panic::catch_unwind(|| loader(&data)).is_ok(),
            "round {round}: {:?}",
            data.escape_ascii().to_string()
        );
    }
    assert_eq!(PATHS.len(), 32, "the first byte says which of them");
}

#[test]
fn words_are_found_alike_whether_rows_are_read_or_not() {
    let words =
        ["deploy", "DEPLOY-_", "message", "title", "glued", "time-out", "er", "true", "42", "a b", "ann", "größe"];
    words.iter().for_each(|word| query(word.as_bytes()));
    words.iter().for_each(|word| query(format!("\"{word}\"").as_bytes()));
    words.iter().for_each(|word| query(format!("{word} OR {word}").as_bytes()));
}
