//! Programs that tests and the benchmark compare with.

use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

/// Ensures that jq is there; as root it installs it with apt-get.
pub fn require_jq() -> Result<()> {
    if works("jq") {
        return Ok(());
    }
    let advice = "this compares with what jq says, and there is no jq: install it (apt-get install jq) and try again";
    let user = Command::new("id").arg("-u").output().context(advice)?;
    ensure!(user.stdout.trim_ascii() == b"0", advice);
    eprintln!("installing jq with apt-get …");
    for args in [&["update"][..], &["install", "-y", "jq"]] {
        let ended = Command::new("apt-get").args(args).stdout(Stdio::null()).status();
        ensure!(ended.context(advice)?.success(), advice);
    }
    ensure!(works("jq"), advice);
    Ok(())
}

/// Returns whether a program is there and tells its version.
pub fn works(tool: &str) -> bool {
    let version = Command::new(tool).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    version.is_ok_and(|status| status.success())
}
