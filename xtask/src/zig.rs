//! A C compiler for WebAssembly. The cryptography below TLS is partly C, and few machines have a compiler that writes
//! WebAssembly: Zig's is one package of PyPI, the same everywhere.

use std::path::{self, Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

use anyhow::{Context, Result, ensure};

use crate::cargo;

/// Names the variables that the `cc` crate takes compiler and archiver from.
const CC: &str = "CC_wasm32_wasip2";
const AR: &str = "AR_wasm32_wasip2";

/// The version, and what its packages hash to: x86-64 and ARM under Linux.
const VERSION: &str = "0.17.0";
const HASHES: [&str; 2] = [
    "97079827064a7492cce5541ceb438ae8003ce1e54e399676da2d62fb7a5dc08b",
    "d2804f94f54f7fcf8169f4b212a619ad688a4e2e6592e976f0cf2e58e2cd8af3",
];

/// The compiler, as `cc` calls it. `cc` names Rust's target, which Zig knows by another name; and Zig watches for undefined
/// behaviour unless it is told not to, with calls into a library that is not there.
const COMPILE: &str = r#"#!/bin/sh
here=$(dirname "$0")
for word do
    shift
    case $word in
        --target=*) ;;
        *) set -- "$@" "$word" ;;
    esac
done
export ZIG_GLOBAL_CACHE_DIR="$here/cache" ZIG_LOCAL_CACHE_DIR="$here/cache"
exec "$here/ziglang/zig" cc -target wasm32-wasi -fno-sanitize=undefined "$@"
"#;

/// The archiver.
const ARCHIVE: &str = r#"#!/bin/sh
exec "$(dirname "$0")/ziglang/zig" ar "$@"
"#;

/// Lets a cargo command compile C for the component: with the compiler that the environment names, else with Zig, which is
/// installed the first time.
pub(crate) fn give_to(command: &mut Command) -> Result<()> {
    if env::var_os(CC).is_some() {
        return Ok(());
    }
    let folder = installed()?;
    command.env(CC, folder.join("cc")).env(AR, folder.join("ar"));
    Ok(())
}

/// Returns the folder with the two scripts. It comes into being whole, or not at all: two who install it at once are not in
/// each other's way.
fn installed() -> Result<PathBuf> {
    // Build scripts, which call the compiler, run in folders of their own.
    let tools = path::absolute(cargo::target().join("tools"))?;
    let folder = tools.join(format!("zig-{VERSION}"));
    if folder.is_dir() {
        return Ok(folder);
    }
    eprintln!("installing a C compiler for WebAssembly, Zig {VERSION}, with pip (about 100 MB) …");
    fs::create_dir_all(&tools).with_context(|| format!("making a folder failed: {}", tools.display()))?;
    let temp = tempfile::Builder::new().prefix(".new-").tempdir_in(&tools)?;
    install(temp.path()).with_context(advice)?;
    match fs::rename(temp.path(), &folder) {
        Err(_) if folder.is_dir() => {}
        moved => moved.with_context(|| format!("placing Zig failed: {}", folder.display()))?,
    }
    Ok(folder)
}

fn advice() -> String {
    format!(
        "dist/huddle-mongodb.wasm needs a C compiler for WebAssembly, and installing Zig {VERSION} failed: \
         see that `python3 -m pip` works and reaches its registry, or set {CC} and {AR} to a compiler and an archiver \
         for wasm32-wasi (on machines other than Linux on x86-64 and ARM that is the only way)"
    )
}

fn install(folder: &Path) -> Result<()> {
    let wanted = folder.join("requirements.txt");
    let hashes: String = HASHES.iter().map(|hash| format!(" --hash=sha256:{hash}")).collect();
    fs::write(&wanted, format!("ziglang=={VERSION}{hashes}\n"))?;
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "install", "--quiet", "--no-deps", "--no-compile", "--only-binary", ":all:"]);
    pip.args(["--require-hashes", "--target"]).arg(folder).arg("-r").arg(&wanted);
    pip.env("PIP_ROOT_USER_ACTION", "ignore").env("PIP_DISABLE_PIP_VERSION_CHECK", "1");
    cargo::finish(pip)?;
    let zig = folder.join("ziglang/zig");
    ensure!(zig.is_file(), "pip installed the package, but there is no {}", zig.display());
    make_executable(&zig)?;
    for (name, text) in [("cc", COMPILE), ("ar", ARCHIVE)] {
        let script = folder.join(name);
        fs::write(&script, text)?;
        make_executable(&script)?;
    }
    Ok(())
}

#[cfg(unix)]
fn make_executable(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(0o755))
}

#[cfg(not(unix))]
fn make_executable(_: &Path) -> io::Result<()> {
    Err(io::Error::new(io::ErrorKind::Unsupported, "the scripts around Zig are for a Unix shell"))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn the_compiler_is_told_its_own_name_of_the_target() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("ziglang")).unwrap();
        let zig = "#!/bin/sh\nprintf '<%s>' \"$@\"\n";
        for (name, text) in [("ziglang/zig", zig), ("cc", COMPILE), ("ar", ARCHIVE)] {
            fs::write(folder.path().join(name), text).unwrap();
            make_executable(&folder.path().join(name)).unwrap();
        }
        let check = |script: &str, given: &[&str], expected: &str| {
            let called = Command::new(folder.path().join(script)).args(given).output().unwrap();
            assert_eq!(String::from_utf8_lossy(&called.stdout), expected, "{given:?}");
        };
        let given = ["-O2", "--target=wasm32-wasip2", "-I", "a folder", "-c", "a b.c"];
        let expected = "<cc><-target><wasm32-wasi><-fno-sanitize=undefined><-O2><-I><a folder><-c><a b.c>";
        check("cc", &given, expected);
        check("ar", &["cq", "lib a.a", "a.o"], "<ar><cq><lib a.a><a.o>");
    }
}
