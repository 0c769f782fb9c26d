//! A C compiler for WebAssembly. The cryptography below TLS is partly C, and few machines have a compiler that writes
//! WebAssembly: Zig's is one package of PyPI, the same everywhere.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use anyhow::Result;
use huddle_pip::Package;

/// Names the variables that the `cc` crate takes compiler and archiver from.
const CC: &str = "CC_wasm32_wasip2";
const AR: &str = "AR_wasm32_wasip2";

/// The compiler, for Linux on x86-64 and ARM.
const PACKAGE: Package = Package {
    name: "ziglang",
    version: "0.17.0",
    hashes: &[
        "97079827064a7492cce5541ceb438ae8003ce1e54e399676da2d62fb7a5dc08b",
        "d2804f94f54f7fcf8169f4b212a619ad688a4e2e6592e976f0cf2e58e2cd8af3",
    ],
    advice: "dist/huddle-mongodb.wasm needs a C compiler for WebAssembly: see that `python3 -m pip` works and reaches its \
             registry, or set CC_wasm32_wasip2 and AR_wasm32_wasip2 to a compiler and an archiver for wasm32-wasi (on machines \
             other than Linux on x86-64 and ARM that is the only way)",
};

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
pub(crate) fn configure(command: &mut Command) -> Result<()> {
    if env::var_os(CC).is_some() {
        return Ok(());
    }
    let folder = PACKAGE.installed_with(add_scripts)?;
    command.env(CC, folder.join("cc")).env(AR, folder.join("ar"));
    Ok(())
}

/// Adds what `cc` calls to the folder of the package.
fn add_scripts(folder: &Path) -> Result<()> {
    huddle_pip::program(folder, "ziglang/zig")?;
    for (name, text) in [("cc", COMPILE), ("ar", ARCHIVE)] {
        let script = folder.join(name);
        fs::write(&script, text)?;
        huddle_pip::make_executable(&script)?;
    }
    Ok(())
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn the_compiler_is_told_its_own_name_of_the_target() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("ziglang")).unwrap();
        fs::write(folder.path().join("ziglang/zig"), "#!/bin/sh\nprintf '<%s>' \"$@\"\n").unwrap();
        add_scripts(folder.path()).unwrap();
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
