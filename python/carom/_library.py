"""The C library as Python sees it: errors, arrays without copies, workspaces, Ctrl-C."""

from __future__ import annotations

import itertools
import re
import threading
from typing import Any, Optional, Sequence

import numpy as np  # before the module: its BLAS shall be the one that is loaded, not a wheel's

from ._carom import ffi, lib

STATUS = ["ok", "argument", "model", "option", "memory", "numerics", "stopped"]
RESULT = ["solved", "not_terminated", "infeasible", "failed"]


class Error(ValueError):
    """What the library refuses, with the program's message.

    ``status`` is one of "argument", "model", "option", "memory", "numerics" and "stopped"; ``place``
    names the field at fault ("mass[3]", "file.yaml:3:16"), counted from 1, and may be empty. ``mistakes``
    are all that was found wrong with a scenario, a line each, at most ten; of anything else the message.

    >>> import carom
    >>> carom.chain(count=3, restitution=2)
    Traceback (most recent call last):
    ...
    carom.Error: chain.restitution: restitution is 2, must be between 0 and 1 (0, or from 1e-14 on)
    """

    def __init__(self, status: str, place: str, message: str, more: Sequence[str] = ()) -> None:
        self.status = status
        self.place = place
        self.message = message
        named = not place or message.startswith(place) or place.split(":")[0] in message
        first = message if named else f"{place}: {message}"
        self.mistakes = [first, *more]
        super().__init__("\n".join(self.mistakes))

    def __reduce__(self) -> Any:
        return type(self), (self.status, self.place, self.message, self.mistakes[1:])



Error.__module__ = "carom"  # where people find it


class NoAnswer(Exception):
    """Raised inside a law of one's own (`carom.law`): the law has no answer to this impact."""


def text(cdata: Any) -> str:
    """A C string; "" for NULL."""
    return "" if cdata == ffi.NULL else ffi.string(cdata).decode("utf-8", "replace")


# ---- Errors and interrupts ------------------------------------------------------------------

# Exceptions raised while C was computing, by the thread whose call it was.
_pending: dict[int, BaseException] = {}


def _keep(kind: Any, error: Optional[BaseException], traceback: Any) -> None:
    _pending[threading.get_ident()] = error if error is not None else kind()


@ffi.def_extern(name="crmpy_go_on", error=False, onerror=_keep)
def _go_on(context: Any, progress: Any) -> bool:
    # That Python runs at all lets it handle signals: Ctrl-C is raised here, and ends the call.
    return True


# The first exception of a function that a contact called, in whatever thread that was computed.
_called: list[BaseException] = []


def keep_called(error: BaseException) -> None:
    """Of a function whose failure the library is not told; `check` raises it."""
    if not _called:
        _called.append(error)


def raise_pending() -> None:
    if _called:
        raise _called.pop()
    if _pending:
        error = _pending.pop(threading.get_ident(), None)
        if error is not None:
            raise error


# Exceptions of Python functions that the library called, perhaps in a thread of its own. The number is
# part of the library's message, so that the right one of several simultaneous calls raises it again.
_raised: dict[int, BaseException] = {}
_numbers = itertools.count(1)
_MARK = re.compile(r"raised in Python, number (\d+)")
_calls = 0
_counting = threading.Lock()


def keep_raised(raised: BaseException, what: str, error: Any) -> None:
    """The exception, and *error to tell of it."""
    number = next(_numbers)
    _raised[number] = raised
    words = f"raised in Python, number {number}: {what}: {type(raised).__name__}".encode()[:500]
    if error != ffi.NULL:
        error.status = lib.CRM_ERROR_STOPPED
        ffi.memmove(error.message, words + b"\0", len(words) + 1)


class calling:
    """Around a call that may come to functions in Python; with the library's words on what went wrong,
    `ended` raises again what they raised."""

    def __enter__(self) -> "calling":
        global _calls
        with _counting:
            _calls += 1
        return self

    def ended(self, *words: Any) -> None:
        if not _raised:
            return
        for each in words:
            found = _MARK.search(text(each))
            raised = _raised.pop(int(found[1]), None) if found else None
            if raised is not None:
                raise raised

    def __exit__(self, *ended: Any) -> None:
        global _calls
        with _counting:
            _calls -= 1
            if _calls == 0:  # no call is left that could need those of other systems of a batch
                _raised.clear()


def _bare(line: str, under: str) -> str:
    """Without the place in a text that was made here: "scenario:1:12: "."""
    return re.sub(rf"^{re.escape(under)}:(\d+:\d+:)? ", "", line) if under else line


def fail(error: Any, under: str = "", mistakes: str = "") -> None:
    """Raise what *error says; errors in texts that are made here are raised without their place."""
    place, message = text(error.place), text(error.message)
    bare = _bare(message, under)
    raise Error(STATUS[error.status], place if bare == message else "", bare,
                [_bare(line, under) for line in mistakes.split("\n")[1:]])


def check(status: int, error: Any, under: str = "", mistakes: Any = None) -> None:
    raise_pending()
    if status != lib.CRM_OK:
        fail(error, under, text(mistakes) if mistakes is not None else "")


def new_error() -> Any:
    return ffi.new("crm_error *")


def new_watch(seconds: float = 0) -> Any:
    watch = ffi.new("crm_watch *")
    watch.go_on = lib.crmpy_go_on
    watch.seconds = seconds
    return watch


WATCH = new_watch()

# ---- Workspaces -----------------------------------------------------------------------------

_spare: list[Any] = []
_SPARE_MOST = 32


def take_workspace() -> Any:
    """A workspace that no other call uses; its watch reacts to Ctrl-C."""
    try:
        return _spare.pop()
    except IndexError:
        pass
    made, error = ffi.new("crm_workspace **"), new_error()
    check(lib.crm_workspace_create(made, error), error)
    workspace = ffi.gc(made[0], lib.crm_workspace_free)
    lib.crm_workspace_watch(workspace, WATCH)
    return workspace


def give_workspace(workspace: Any) -> None:
    if len(_spare) < _SPARE_MOST:
        _spare.append(workspace)


# ---- Arrays ---------------------------------------------------------------------------------


class _Memory:
    """Memory of C as numpy wants it; the array keeps this, and this the owner."""

    __slots__ = ("__array_interface__", "owner")

    def __init__(self, owner: Any, address: int, shape: tuple, kind: str) -> None:
        self.owner = owner
        self.__array_interface__ = {
            "shape": shape, "typestr": kind, "data": (address, True), "version": 3}


def view(owner: Any, pointer: Any, shape: tuple, kind: str = "<f8") -> np.ndarray:
    """A read-only array of the owner's memory, which it keeps alive."""
    if 0 in shape:
        return np.empty(shape, kind)
    return np.asarray(_Memory(owner, int(ffi.cast("uintptr_t", pointer)), shape, kind))


def numbers(value: Any, name: str) -> np.ndarray:
    """As doubles, in any order of memory; copied only if they are none already."""
    try:
        array = np.asarray(value)
        if array.dtype.kind not in "biufO":
            raise TypeError
        return array.astype(np.float64, copy=False)
    except (TypeError, ValueError):
        raise Error("argument", name, f"{name} must be real numbers, in rows of equal length") from None


def doubles(value: Any, name: str) -> np.ndarray:
    """Numbers as C takes them, row after row."""
    array = numbers(value, name)
    return np.ascontiguousarray(array) if array.ndim else array


def vector(value: Any, name: str, count: int, each: str) -> np.ndarray:
    """`count` numbers."""
    if type(value) is np.ndarray and value.dtype == np.float64 and value.flags.c_contiguous:
        array = value
    else:
        array = doubles(value, name)
    if array.shape != (count,):
        raise Error("argument", name,
                    f"{name} has shape {array.shape}; must have {count} numbers, one per {each}")
    return array


def per_contact(value: Any, name: str, contacts: int) -> Optional[np.ndarray]:
    """None, a number for all, or one per contact."""
    if value is None:
        return None
    array = doubles(value, name)
    if array.ndim == 0:
        return np.full(contacts, float(array))
    return vector(array, name, contacts, "contact")


def pointer(array: Optional[np.ndarray]) -> Any:
    return ffi.NULL if array is None else ffi.from_buffer("double[]", array)
