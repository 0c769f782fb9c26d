//! The typed interface, as `wit/` says it: made by wasmtime from the very files that the component is built from.

wasmtime::component::bindgen!({ path: "../wit", world: "huddle", additional_derives: [serde::Serialize] });
