//! Runs of tests, and what agents say of them.

use huddle_scan::find_in_any_case;

/// What commands have in them that run tests.
const RUNNERS: [&[u8]; 16] = [
    b"cargo test",
    b"cargo nextest",
    b"pytest",
    b"python -m unittest",
    b"npm test",
    b"npm run test",
    b"yarn test",
    b"pnpm test",
    b"npx jest",
    b"npx vitest",
    b"go test",
    b"mvn test",
    b"gradle test",
    b"gradlew test",
    b"rspec",
    b"make test",
];

/// What says that tests pass.
const CLAIMS: [&[u8]; 7] = [
    b"tests pass",
    b"tests now pass",
    b"tests are passing",
    b"tests are green",
    b"tests are now passing",
    b"tests succeed",
    b"test suite passes",
];

/// Words before a claim that make it a wish, a condition or a question.
const NO_CLAIMS: [&[u8]; 13] = [
    b"ensure", b"make ", b"until", b"once", b"when", b"whether", b"if ", b"check", b"verify", b"see ", b"confirm",
    b"not ", b"should",
];

/// How many bytes before a claim may make it none.
const BEFORE: usize = 48;

/// Returns whether a command runs tests.
pub(super) fn is_test_run(command: &[u8]) -> bool {
    RUNNERS.iter().any(|runner| find_in_any_case(command, runner).is_some())
}

/// Returns whether a text says that tests pass, and not that they should.
pub(super) fn says_tests_pass(text: &[u8]) -> bool {
    let mut from = 0;
    // Nearly every text has no such word.
    while let Some(place) = find_in_any_case(&text[from..], b"test") {
        let (place, rest) = (from + place, &text[from + place..]);
        from = place + b"test".len();
        if CLAIMS.iter().any(|claim| rest.get(..claim.len()).is_some_and(|start| start.eq_ignore_ascii_case(claim))) {
            let before = &text[place.saturating_sub(BEFORE)..place];
            // What stands in another sentence is of no matter.
            let sentence =
                before.rsplit(|byte| matches!(byte, b'.' | b'!' | b'?' | b':' | b'\\')).next().unwrap_or(before);
            if !NO_CLAIMS.iter().any(|word| find_in_any_case(sentence, word).is_some()) {
                return true;
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_are_told_from_wishes() {
        let check = |text: &str, wanted: bool| assert_eq!(says_tests_pass(text.as_bytes()), wanted, "{text}");
        check("Done. All tests pass.", true);
        check("The tests are passing now", true);
        check("I should test it. All 14 Tests Pass!", true);
        check("Let me make sure that all tests pass", false);
        check("Once the tests pass I commit", false);
        check("Two of the tests fail", false);
        check("tests", false);
    }

    #[test]
    fn commands_that_run_tests_are_known() {
        let check = |command: &str, wanted: bool| assert_eq!(is_test_run(command.as_bytes()), wanted, "{command}");
        check("cd shop && cargo test --lib 2>&1 | tail", true);
        check("python3 -m pytest -q", true);
        check("ls tests", false);
    }
}
