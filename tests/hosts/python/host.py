"""The component in Python, under PyPI's wasmtime: one directory, and limits on what it may use up."""

from wasmtime import Config, Engine, Store, WasiConfig
from wasmtime.component import Component, Linker, Record, Variant

PACKAGE = "huddle:bus"
VERSION = "0.1.0"


class Failure(Exception):
    """What a function of the component answers when it was not carried out."""

    def __init__(self, error: Variant) -> None:
        self.kind = error.tag
        self.message = error.payload.message
        self.hint = error.payload.hint
        super().__init__(f"{self.kind}: {self.message}")


class Host:
    """The component, compiled once."""

    def __init__(self, wasm: str) -> None:
        config = Config()
        config.consume_fuel = True
        self.engine = Engine(config)
        self.component = Component.from_file(self.engine, wasm)
        self.linker = Linker(self.engine)
        self.linker.add_wasip2()

    def open(self, preopens: dict[str, str], env: dict[str, str] | None = None) -> "Instance":
        """Starts an instance that reaches these directories, named as it is to see them, and nothing else."""
        wasi = WasiConfig()
        wasi.env = list((env or {}).items())
        for inside, directory in preopens.items():
            wasi.preopen_dir(directory, inside)
        store = Store(self.engine)
        store.set_wasi(wasi)
        store.set_limits(memory_size=256 << 20)
        store.set_fuel(FUEL)
        return Instance(store, self.linker.instantiate(store, self.component))


# For each call; about one unit an instruction.
FUEL = 10_000_000_000


class Instance:
    """A running component, called as often as one likes."""

    def __init__(self, store: Store, instance) -> None:
        self.store = store
        self.instance = instance

    def call(self, interface: str, function: str, *params):
        """Calls a function; trailing parameters that may be left out are left out."""
        inside = self.instance.get_export_index(self.store, f"{PACKAGE}/{interface}@{VERSION}")
        index = self.instance.get_export_index(self.store, function, inside)
        func = self.instance.get_func(self.store, index)
        missing = len(func.type(self.store).params) - len(params)
        self.store.set_fuel(FUEL)
        answer = func(self.store, *params, *[None] * missing)
        if isinstance(answer, Variant):
            raise Failure(answer)
        return answer


def record(**fields) -> Record:
    """Makes a record; an underscore stands for the hyphen that names have in WIT."""
    made = Record()
    for name, value in fields.items():
        setattr(made, name.replace("_", "-"), value)
    return made
