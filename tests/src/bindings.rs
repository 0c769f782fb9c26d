//! The typed interface, as `wit/` says it: made by wasmtime from the very files that the component is built from.

#![expect(
    missing_docs,
    reason = "what it all means is said in wit/, and not every item made from it carries that along"
)]

wasmtime::component::bindgen!({ path: "../wit", world: "huddle", additional_derives: [serde::Serialize] });
