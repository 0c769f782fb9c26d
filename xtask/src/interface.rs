//! The typed interface (`wit/`): what a component says of itself, and whether it kept its word.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use wasm_encoder::{CustomSection, Encode};
use wit_parser::{PackageId, PackageMetadata, Resolve};

use crate::cargo;

/// Adds to a component what `wit/tools.wit` says of each function, for hosts that show it to models.
pub(crate) fn describe(component: &mut Vec<u8>) -> Result<()> {
    let mut resolve = Resolve::default();
    let package = resolve.push_file(folder().join("tools.wit"))?;
    // A component does not say which world it is of, so that whoever reads one calls its world so; what is said of any
    // other makes it unreadable.
    let worlds = &mut resolve.packages[package].worlds;
    let world = worlds.shift_remove("tools").context("wit/tools.wit has no world of that name")?;
    worlds.insert("root".to_owned(), world);
    let docs = PackageMetadata::extract(&resolve, package).encode()?;
    let section = CustomSection { name: PackageMetadata::SECTION_NAME.into(), data: docs.into() };
    // A custom section has the same form in modules and in components.
    component.push(0);
    section.encode(component);
    Ok(())
}

/// Ensures that what has a version's name is what it was when it got it; a new one is taken down when that is asked for.
pub(crate) fn check() -> Result<()> {
    let (resolve, package) = read()?;
    let version = resolve.packages[package].name.version.as_ref().context("wit/ has no version")?.to_string();
    let path = folder().join("versions.lock");
    let known = fs::read_to_string(&path).unwrap_or_default();
    let is = format!("{version} {:016x}", fingerprint(&canonical()?));
    let was = known.lines().find(|line| line.split(' ').next() == Some(&version));
    match was {
        Some(was) if was == is => Ok(()),
        Some(_) => bail!(
            "wit/ changed: raise the package version in all of its files, then INSTA_UPDATE=always cargo xtask check \
             (a version that nobody has got yet may be taken out of wit/versions.lock instead)"
        ),
        None if std::env::var("INSTA_UPDATE").is_ok_and(|update| update == "always") => {
            Ok(fs::write(path, format!("{known}{is}\n"))?)
        }
        None => {
            bail!(
                "wit/versions.lock does not know version {version}: INSTA_UPDATE=always cargo xtask check takes it down"
            )
        }
    }
}

fn folder() -> PathBuf {
    cargo::root().join("wit")
}

fn read() -> Result<(Resolve, PackageId)> {
    let mut resolve = Resolve::default();
    let (package, _) = resolve.push_dir(folder())?;
    Ok((resolve, package))
}

/// Returns all that the interface consists of; what is said about it may change at any time.
fn canonical() -> Result<String> {
    let mut paths: Vec<_> = fs::read_dir(folder())?.map(|entry| Ok(entry?.path())).collect::<Result<_>>()?;
    paths.retain(|path| path.extension().is_some_and(|end| end == "wit"));
    paths.sort();
    let texts = paths.iter().map(|path| Ok(fs::read_to_string(path)?)).collect::<Result<Vec<_>>>()?;
    Ok(without_remarks(&texts.concat()))
}

fn without_remarks(text: &str) -> String {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// Makes a number of a text that another text hardly has (FNV-1a).
fn fingerprint(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use wit_component::DecodedWasm;
    use wit_parser::WorldItem;

    use super::*;

    #[test]
    fn remarks_are_no_part_of_the_interface() {
        let plain = "interface a {\n  b: func();\n}\n";
        let remarked = "/// Why.\ninterface a {\n\n    // how\n    b: func();\n}\n";
        assert_eq!(without_remarks(plain), without_remarks(remarked));
        assert_ne!(fingerprint(plain), fingerprint(&plain.replace("b:", "c:")));
    }

    #[test]
    fn this_version_is_what_it_was() {
        check().unwrap();
    }

    #[test]
    fn a_description_is_read_with_the_component() {
        let mut resolve = Resolve::default();
        let package = resolve.push_file(folder().join("tools.wit")).unwrap();
        let world = resolve.select_world(&[package], Some("tools")).unwrap();
        let names = resolve.worlds[world].exports.keys().map(|key| resolve.name_world_key(key));
        let exports: String = names.map(|name| format!("(export {name:?} (func $f))")).collect();
        let mut component = wat::parse_str(format!(
            r#"(component (core module $m (func (export "f"))) (core instance $i (instantiate $m))
                (func $f (canon lift (core func $i "f"))) {exports})"#
        ))
        .unwrap();
        describe(&mut component).unwrap();
        let DecodedWasm::Component(resolve, world) = wit_component::decode(&component).unwrap() else { panic!() };
        for (key, item) in &resolve.worlds[world].exports {
            let said = matches!(item, WorldItem::Function(function) if function.docs.contents.is_some());
            assert!(said, "nothing is said of {}", resolve.name_world_key(key));
        }
    }
}
