#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| huddle_core::engine::fuzzing::registry(data));
