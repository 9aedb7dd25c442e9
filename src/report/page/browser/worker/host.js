// A host for carom.wasm: the program with its arguments, standard input and files in memory, and what it printed.
"use strict";

// The parts of WASI that the program calls: https://github.com/WebAssembly/WASI, preview 1.
const WASI = { OK: 0, BADF: 8, EXIST: 20, INVAL: 28, NOENT: 44, NOSYS: 52, DIRECTORY: 3, FILE: 4, CHARACTERS: 2, ROOT: 3 };

class CaromExit {
  constructor(code) {
    this.code = code;
  }
}

// files: {name: Uint8Array}, written to as the program writes. -> {code, out, err} as text
function runCarom(module, args, input = "", files = {}) {
  const encoder = new TextEncoder(), decoder = new TextDecoder();
  const strings = ["carom", ...args].map((text) => encoder.encode(text + "\0"));
  const out = { parts: [] }, err = { parts: [] };
  const open = new Map([[0, { bytes: encoder.encode(input), at: 0 }], [1, out], [2, err], [WASI.ROOT, { folder: true }]]);
  let memory = null, next = WASI.ROOT + 1;
  const view = () => new DataView(memory.buffer), bytes = () => new Uint8Array(memory.buffer);
  const text = (start, size) => decoder.decode(bytes().slice(start, start + size)).replace(/^\.?\/+/, "");
  const vectors = (start, count) => Array.from({ length: count }, (_, i) =>
    [view().getUint32(start + 8 * i, true), view().getUint32(start + 8 * i + 4, true)]);
  const setSize = (at, size) => view().setUint32(at, size, true);
  const setBig = (at, value) => view().setBigUint64(at, BigInt(value), true);

  const list = (items) => ({
    sizes: (count, size) => {
      setSize(count, items.length);
      setSize(size, items.reduce((sum, item) => sum + item.length, 0));
      return WASI.OK;
    },
    get: (pointers, buffer) => {
      for (const item of items) {
        setSize(pointers, buffer);
        bytes().set(item, buffer);
        pointers += 4;
        buffer += item.length;
      }
      return WASI.OK;
    },
  });
  const args_ = list(strings), environ = list([]);

  // A file in memory grows by doubling.
  const put = (file, at, data) => {
    const size = Math.max(file.size, at + data.length);
    if (size > file.bytes.length) {
      const larger = new Uint8Array(Math.max(size, 2 * file.bytes.length));
      larger.set(file.bytes);
      file.bytes = larger;
    }
    file.bytes.set(data, at);
    file.size = size;
  };
  const write = (number, start, count, done) => {
    const to = open.get(number);
    if (!to || to.folder) {
      return WASI.BADF;
    }
    let size = 0;
    for (const [from, length] of vectors(start, count)) {
      const data = bytes().slice(from, from + length);
      if (to.parts) {
        to.parts.push(data);
      } else {
        put(to.file, to.at, data);
        to.at += length;
      }
      size += length;
    }
    setSize(done, size);
    return WASI.OK;
  };
  const read = (number, start, count, done) => {
    const from = open.get(number), of = from && (from.file || from);
    if (!from || !of.bytes) {
      return WASI.BADF;
    }
    let size = 0;
    const end = from.file ? of.size : of.bytes.length;
    for (const [to, length] of vectors(start, count)) {
      const part = of.bytes.subarray(from.at, Math.min(end, from.at + length));
      bytes().set(part, to);
      from.at += part.length;
      size += part.length;
    }
    setSize(done, size);
    return WASI.OK;
  };
  const stored = new Map(Object.entries(files).map(([name, content]) => [name, { bytes: content, size: content.length }]));
  const stat = (at, kind, size) => {
    bytes().fill(0, at, at + 64);
    view().setUint8(at + 16, kind);
    setBig(at + 24, 1);
    setBig(at + 32, size);
    return WASI.OK;
  };
  const imports = {
    args_sizes_get: args_.sizes, args_get: args_.get, environ_sizes_get: environ.sizes, environ_get: environ.get,
    clock_time_get: (_, __, at) => (setBig(at, Math.round(performance.now() * 1e6)), WASI.OK),
    clock_res_get: (_, at) => (setBig(at, 1000), WASI.OK),
    random_get: (start, size) => (crypto.getRandomValues(bytes().subarray(start, start + size)), WASI.OK),
    proc_exit: (code) => {
      throw new CaromExit(code);
    },
    sched_yield: () => WASI.OK,
    fd_write: write, fd_read: read,
    fd_close: (number) => (open.delete(number) ? WASI.OK : WASI.BADF),
    fd_fdstat_get: (number, at) => {
      const of = open.get(number);
      if (!of) {
        return WASI.BADF;
      }
      bytes().fill(0, at, at + 24);
      view().setUint8(at, of.folder ? WASI.DIRECTORY : of.file ? WASI.FILE : WASI.CHARACTERS);
      view().setBigUint64(at + 8, 0xffffffffffffffffn, true);
      view().setBigUint64(at + 16, 0xffffffffffffffffn, true);
      return WASI.OK;
    },
    fd_fdstat_set_flags: () => WASI.OK,
    fd_filestat_get: (number, at) => {
      const of = open.get(number);
      return of ? stat(at, of.folder ? WASI.DIRECTORY : of.file ? WASI.FILE : WASI.CHARACTERS, of.file ? of.file.size : 0) : WASI.BADF;
    },
    fd_filestat_set_size: (number, size) => {
      open.get(number).file.size = Number(size);
      return WASI.OK;
    },
    fd_prestat_get: (number, at) => {
      if (number !== WASI.ROOT) {
        return WASI.BADF;
      }
      view().setUint8(at, 0);
      setSize(at + 4, 1);
      return WASI.OK;
    },
    fd_prestat_dir_name: (_, at) => (bytes().set(encoder.encode("/"), at), WASI.OK),
    fd_seek: (number, by, whence, at) => {
      const of = open.get(number);
      if (!of || !of.file) {
        return WASI.INVAL;
      }
      of.at = Number(by) + [0, of.at, of.file.size][whence];
      setBig(at, of.at);
      return WASI.OK;
    },
    fd_sync: () => WASI.OK, fd_datasync: () => WASI.OK,
    path_open: (_, __, start, size, how, ___, ____, _____, at) => {
      const CREATE = 1, EXCLUSIVE = 4, TRUNCATE = 8, name = text(start, size);
      if (name === "" || name === ".") {
        open.set(next, { folder: true });
      } else if (!stored.has(name) && !(how & CREATE)) {
        return WASI.NOENT;
      } else if (stored.has(name) && how & EXCLUSIVE) {
        return WASI.EXIST;
      } else {
        if (!stored.has(name) || how & TRUNCATE) {
          stored.set(name, { bytes: new Uint8Array(4096), size: 0 });
        }
        open.set(next, { file: stored.get(name), at: 0 });
      }
      setSize(at, next++);
      return WASI.OK;
    },
    path_filestat_get: (_, __, start, size, at) => {
      const name = text(start, size);
      return name === "" || name === "." ? stat(at, WASI.DIRECTORY, 0)
        : stored.has(name) ? stat(at, WASI.FILE, stored.get(name).size) : WASI.NOENT;
    },
    path_rename: (_, from, length, __, to, size) => {
      const name = text(from, length);
      if (!stored.has(name)) {
        return WASI.NOENT;
      }
      stored.set(text(to, size), stored.get(name));
      stored.delete(name);
      return WASI.OK;
    },
    path_unlink_file: (_, start, size) => (stored.delete(text(start, size)) ? WASI.OK : WASI.NOENT),
  };
  const all = new Proxy(imports, { get: (known, name) => known[name] || (() => WASI.NOSYS), has: () => true });
  const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: all });
  memory = instance.exports.memory;
  let code = 0;
  try {
    instance.exports._start();
  } catch (end) {
    if (!(end instanceof CaromExit)) {
      throw end;
    }
    code = end.code;
  }
  for (const [name, file] of stored) {
    files[name] = file.bytes.subarray(0, file.size);
  }
  const printed = ({ parts }) => {
    const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      whole.set(part, at);
      at += part.length;
    }
    return decoder.decode(whole);
  };
  return { code, out: printed(out), err: printed(err) };
}
