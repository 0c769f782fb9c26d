//! Starts the component once and shows its help.

use anyhow::{Result, ensure};
use huddle_tests::{Run, artifact};

fn main() -> Result<()> {
    let outcome = Run::new(artifact::component()?).arg("--help").inherit_stdio().start()?;
    ensure!(outcome.code == 0, "`huddle --help` failed with exit code {}", outcome.code);
    Ok(())
}
