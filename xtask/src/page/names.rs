//! The page's code calls functions of its bindings by long names, each with a hash in it. Nobody reads them, and hashes
//! cannot be compressed: short names take 9 KB less on their way.

use anyhow::{Result, ensure};
use wasm_encoder::reencode::{Reencode, RoundtripReencoder};
use wasm_encoder::{ImportSection, Module, RawSection};
use wasmparser::{Parser, Payload};

/// How many digits the hash at the end of a name has.
const HASH: usize = 16;

/// Gives the functions that the code takes from its bindings short names, in both.
pub(super) fn shorten(code: &[u8], bindings: &str) -> Result<(Vec<u8>, String)> {
    let (mut module, mut bindings) = (Module::new(), bindings.to_owned());
    for payload in Parser::new(0).parse_all(code) {
        let payload = payload?;
        if let Payload::ImportSection(imports) = payload {
            let mut section = ImportSection::new();
            for (number, import) in imports.into_imports().enumerate() {
                let import = import?;
                let name = if has_hash(import.name) { format!("_{number}") } else { import.name.to_owned() };
                rename(&mut bindings, import.name, &name)?;
                section.import(import.module, &name, RoundtripReencoder.entity_type(import.ty)?);
            }
            module.section(&section);
        } else if let Some((id, range)) = payload.as_section() {
            module.section(&RawSection { id, data: &code[range] });
        }
    }
    Ok((module.finish(), bindings))
}

fn has_hash(name: &str) -> bool {
    let hash = name.rsplit_once('_').map_or("", |(_, hash)| hash);
    name.starts_with("__wbg_") && hash.len() == HASH && hash.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Renames the one function of the bindings that has a name.
fn rename(bindings: &mut String, from: &str, to: &str) -> Result<()> {
    if from != to {
        let (from, to) = (format!(" {from}: "), format!(" {to}: "));
        let count = bindings.matches(&from).count();
        ensure!(count == 1, "giving the page's functions short names: the bindings have{from}{count} times, not once");
        *bindings = bindings.replace(&from, &to);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_with_a_hash_get_short_names_in_both() {
        let long = "__wbg_log_0123456789abcdef";
        let text = |log: &str| {
            let imports = format!(r#"(import "./x.js" "__wbindgen_throw" (func)) (import "./x.js" "{log}" (func))"#);
            wat::parse_str(format!(r#"(module {imports} (func (export "run") (call 1)))"#)).unwrap()
        };
        let bindings = |log: &str| format!("{{ __wbindgen_throw: function() {{}}, {log}: function() {{}} }}");
        let short = shorten(&text(long), &bindings(long)).unwrap();
        assert_eq!(short, (text("_1"), bindings("_1")));
        assert!(shorten(&text(long), "{}").is_err(), "a function that the bindings lack");
    }
}
