//! Loads a wasm file, component or core module, and compiles it once.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use anyhow::{Context, Result, bail};
use wasmtime::component::{self, Component};
use wasmtime::{Engine, InstancePre, Linker, Module};
use wasmtime_wasi::p2::bindings::clocks::monotonic_clock;
use wasmtime_wasi::p2::bindings::sync::CommandPre;

use crate::bindings::HuddlePre;
use crate::cache::Slot;
use crate::clock::Monotonic;
use crate::meter;
use crate::state::State;

/// A compiled command: a WASI 0.2 component or a WASI 0.1 core module.
///
/// Cloning is cheap and a guest may be started from many threads at once.
#[derive(Clone)]
pub struct Guest {
    path: PathBuf,
    /// Where the compiled code is kept.
    compiled: PathBuf,
    code: Code,
    metered: bool,
}

#[derive(Clone)]
pub(crate) enum Code {
    Component(CommandPre<State>),
    Module(InstancePre<State>),
}

impl Guest {
    /// Loads a wasm file and compiles it, or takes the compiled code kept beside it.
    pub fn load(path: impl AsRef<Path>) -> Result<Self> {
        Self::load_on(path.as_ref(), engine(), false)
    }

    /// Like the above with code that counts what it does, so that a run of it can be given [`Run::fuel`](crate::Run::fuel)
    /// and a [`Run::deadline`](crate::Run::deadline). It is a little slower for that.
    pub fn load_metered(path: impl AsRef<Path>) -> Result<Self> {
        Self::load_on(path.as_ref(), meter::engine()?, true)
    }

    /// Loads a component that was compiled before, as [`Guest::compiled`] names it: nothing has to be read or compared.
    ///
    /// # Safety
    /// Compiled code runs as it is, in no sandbox: the file must hold what wasmtime made.
    #[expect(unsafe_code, reason = "whoever calls this answers for the file")]
    pub unsafe fn load_compiled(path: impl AsRef<Path>) -> Result<Self> {
        let path = path.as_ref();
        // SAFETY: the caller answers for it.
        let component = unsafe { Component::deserialize_file(engine(), path) };
        let component = component.map_err(anyhow::Error::from);
        let component = component.with_context(|| format!("loading compiled code failed: {}", path.display()))?;
        let code = Code::of_component(engine(), &component)?;
        Ok(Self { path: path.to_owned(), compiled: path.to_owned(), code, metered: false })
    }

    fn load_on(path: &Path, engine: &Engine, metered: bool) -> Result<Self> {
        let wasm = fs::read(path).with_context(|| format!("reading the guest failed: {}", path.display()))?;
        let slot = Slot::new(engine, if metered { "metered." } else { "" }, path, &wasm);
        let code = Code::load(engine, &slot, &wasm)
            .with_context(|| format!("compiling the guest failed: {}", path.display()))?;
        Ok(Self { path: path.to_owned(), compiled: slot.path().to_owned(), code, metered })
    }

    /// Returns the wasm file that this guest came from.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the file of its compiled code.
    pub fn compiled(&self) -> &Path {
        &self.compiled
    }

    /// Returns whether the guest is a component, which can exit only with 0 or 1.
    pub fn is_component(&self) -> bool {
        matches!(self.code, Code::Component(_))
    }

    /// Returns whether the guest's code counts what it does.
    pub(crate) fn is_metered(&self) -> bool {
        self.metered
    }

    pub(crate) fn code(&self) -> &Code {
        &self.code
    }

    /// Returns the engine that the guest's code is for.
    pub(crate) fn engine(&self) -> &Engine {
        match &self.code {
            Code::Component(pre) => pre.engine(),
            Code::Module(pre) => pre.module().engine(),
        }
    }

    /// Finds the functions of the typed interface, and says which are missing.
    pub(crate) fn typed(&self) -> Result<HuddlePre<State>> {
        let Code::Component(pre) = &self.code else {
            bail!("a core module has no typed interface: {}", self.path.display())
        };
        let typed = HuddlePre::new(pre.instance_pre().clone()).map_err(anyhow::Error::from);
        typed.with_context(|| format!("the component does not have the interface of wit/: {}", self.path.display()))
    }
}

impl Code {
    fn load(engine: &Engine, slot: &Slot, wasm: &[u8]) -> Result<Self> {
        if is_component(wasm) {
            Self::of_component(engine, &load_component(engine, slot, wasm)?)
        } else {
            let module = load_module(engine, slot, wasm)?;
            let mut linker = Linker::new(engine);
            wasmtime_wasi::p1::add_to_linker_sync(&mut linker, State::wasi)?;
            Ok(Code::Module(linker.instantiate_pre(&module)?))
        }
    }

    fn of_component(engine: &Engine, component: &Component) -> Result<Self> {
        let mut linker = component::Linker::new(engine);
        wasmtime_wasi::p2::add_to_linker_sync(&mut linker)?;
        linker.allow_shadowing(true);
        monotonic_clock::add_to_linker::<State, Monotonic<'static>>(&mut linker, State::monotonic)?;
        Ok(Code::Component(CommandPre::new(linker.instantiate_pre(component)?)?))
    }
}

/// Returns the engine of guests that run as they are: code, threads and caches are shared through it.
fn engine() -> &'static Engine {
    static ENGINE: OnceLock<Engine> = OnceLock::new();
    ENGINE.get_or_init(Engine::default)
}

/// Distinguishes a component from a core module by the layer field after the magic number.
fn is_component(wasm: &[u8]) -> bool {
    wasm.starts_with(b"\0asm") && wasm.get(6) == Some(&1)
}

fn load_component(engine: &Engine, slot: &Slot, wasm: &[u8]) -> Result<Component> {
    #[expect(unsafe_code, reason = "the file holds what `store` wrote for this wasm and engine")]
    if slot.path().exists()
        && let Ok(component) = unsafe { Component::deserialize_file(engine, slot.path()) }
    {
        return Ok(component);
    }
    let component = Component::new(engine, wasm)?;
    // A folder that cannot be written costs time, not correctness.
    let _ = slot.store(&component.serialize()?);
    Ok(component)
}

fn load_module(engine: &Engine, slot: &Slot, wasm: &[u8]) -> Result<Module> {
    #[expect(unsafe_code, reason = "the file holds what `store` wrote for this wasm and engine")]
    if slot.path().exists()
        && let Ok(module) = unsafe { Module::deserialize_file(engine, slot.path()) }
    {
        return Ok(module);
    }
    let module = Module::new(engine, wasm)?;
    // A folder that cannot be written costs time, not correctness.
    let _ = slot.store(&module.serialize()?);
    Ok(module)
}
