//! `cargo xtask fuzz`: feeds what reads others' files and input with bytes that nobody would write.

use anyhow::{Result, bail};
use xshell::cmd;

use crate::cargo;
use crate::steps::Steps;

/// The targets, each with the longest input that is tried.
const TARGETS: [(&str, u32); 8] = [
    ("loader", 4096),
    ("query", 256),
    ("journal", 2048),
    ("lease", 1024),
    ("registry", 2048),
    ("session", 4096),
    ("mailbox", 2048),
    ("mcp", 2048),
];

/// The target that is built for, so that build scripts are built without coverage.
const PLATFORM: &str = "x86_64-unknown-linux-gnu";

/// Coverage as libFuzzer reads it, from a stable compiler.
const COVERAGE: &str = "-C passes=sancov-module -C codegen-units=1 -C llvm-args=-sanitizer-coverage-level=4 \
    -C llvm-args=-sanitizer-coverage-inline-8bit-counters -C llvm-args=-sanitizer-coverage-pc-table \
    -C llvm-args=-sanitizer-coverage-trace-compares";

/// What to fuzz, and for how long.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The target; all of them, one after the other, if none is named.
    target: Option<String>,
    /// How long to look for new inputs.
    #[arg(long, default_value_t = 600)]
    seconds: u32,
    /// Add those of the new inputs to the corpus that reach something new, instead of looking for more.
    #[arg(long)]
    merge: bool,
}

/// Builds the fuzzers and runs those that were asked for.
pub(crate) fn run(args: &Args) -> Result<()> {
    let is_wanted = |name: &str| args.target.as_deref().is_none_or(|wanted| wanted == name);
    let wanted: Vec<_> = TARGETS.into_iter().filter(|(name, _)| is_wanted(name)).collect();
    if wanted.is_empty() {
        let known: Vec<_> = TARGETS.iter().map(|(name, _)| *name).collect();
        bail!("there is no target {:?}; there are {}", args.target.as_deref().unwrap_or_default(), known.join(", "));
    }
    let mut steps = Steps::default();
    steps.add("the fuzzers (the first time takes minutes)", build);
    for (name, longest) in wanted {
        let (seconds, merge) = (args.seconds, args.merge);
        steps.add(format!("fuzz {name}"), move || fuzz(name, longest, seconds, merge));
    }
    steps.run()
}

fn build() -> Result<()> {
    let sh = cargo::shell()?;
    sh.change_dir("core/fuzz");
    sh.set_var("RUSTFLAGS", COVERAGE);
    Ok(cmd!(sh, "cargo build --release --target {PLATFORM}").run()?)
}

/// Runs a fuzzer. New inputs and those that fail are kept in `core/fuzz/artifacts/`.
fn fuzz(name: &str, longest: u32, seconds: u32, merge: bool) -> Result<()> {
    let sh = cargo::shell()?;
    sh.change_dir("core/fuzz");
    let [new, corpus, longest] = [format!("artifacts/new/{name}"), format!("corpus/{name}"), longest.to_string()];
    sh.create_dir(&new)?;
    let fuzzer = cmd!(sh, "target/{PLATFORM}/release/{name} -max_len={longest} -artifact_prefix=artifacts/");
    if merge {
        return Ok(fuzzer.args(["-merge=1", "-use_counters=0", &corpus, &new]).run()?);
    }
    let [dictionary, time] = [format!("-dict=dictionaries/{name}.dict"), format!("-max_total_time={seconds}")];
    Ok(fuzzer.args([&new, &corpus, &dictionary, &time, "-timeout=20", "-rss_limit_mb=3000"]).run()?)
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn every_target_has_a_corpus_and_a_dictionary() {
        let dir = cargo::root().join("core/fuzz");
        for (name, _) in TARGETS {
            assert!(dir.join("fuzz_targets").join(name).with_extension("rs").exists(), "{name}");
            assert!(dir.join("dictionaries").join(name).with_extension("dict").exists(), "{name}");
        }
        let corpora = fs::read_dir(dir.join("corpus")).unwrap().map(|entry| entry.unwrap().file_name());
        let mut corpora: Vec<_> = corpora.map(|name| name.to_string_lossy().into_owned()).collect();
        let mut names = TARGETS.map(|(name, _)| name.to_owned()).to_vec();
        corpora.sort();
        names.sort();
        assert_eq!(corpora, names);
    }
}
