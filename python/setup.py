"""The package, with the library compiled into its extension module by CMake.

    pip install ./python                                 builds the library first, from the tree around it
    python3 -m build --no-isolation --wheel python       the same, into python/dist

CAROM_MODULE names a module that was built before (`make wheel` does so); CAROM_CARRY=1 puts the shared
libraries that it needs beside it, so that the wheel works where they are not installed.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

HERE = pathlib.Path(__file__).resolve().parent
TREE = HERE.parent
# Of every Linux: those of the C library and of the compiler that Python itself needs.
EVERYWHERE = re.compile(r"(ld-linux.*|lib(c|m|dl|rt|pthread|util|gcc_s))\.so.*")
# Of what there are several under one name, the smallest: nothing of BLAS is ever called.
PREFERRED = ["/usr/lib/{}-linux-gnu/blas", "/usr/lib/{}-linux-gnu/lapack"]


def needed(module):
    """The shared libraries that the module loads, by name."""
    folders = [f.format(os.uname().machine) for f in PREFERRED]
    listed = subprocess.run(["ldd", str(module)], check=True, capture_output=True, text=True,
                            env={**os.environ, "LD_LIBRARY_PATH": ":".join(folders)}).stdout
    found = dict(re.findall(r"(\S+) => (/\S+)", listed))
    return {name: path for name, path in found.items() if not EVERYWHERE.fullmatch(name)}


class Build(build_ext):
    """By CMake: the library and the module in one."""

    def build_extension(self, extension):
        module = os.environ.get("CAROM_MODULE") or self.compile()
        target = pathlib.Path(self.get_ext_fullpath(extension.name))
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(module, target)
        if os.environ.get("CAROM_CARRY") == "1":
            folder = target.parent / "libs"
            folder.mkdir(exist_ok=True)
            for name, path in needed(module).items():
                shutil.copy(path, folder / name)

    def compile(self):
        if not (TREE / "CMakeLists.txt").exists():
            sys.exit(f"{TREE} has no CMakeLists.txt: the package is built within the tree of carom")
        build = pathlib.Path(self.build_temp).resolve() / "carom"
        options = ["-DCAROM_PYTHON=ON", "-DCAROM_HDF5=OFF", "-DCAROM_MPI=OFF", "-DCMAKE_BUILD_TYPE=Release"]
        generator = ["-G", "Ninja"] if shutil.which("ninja") else []
        subprocess.run(["cmake", "-S", str(TREE), "-B", str(build), *generator, *options], check=True)
        subprocess.run(["cmake", "--build", str(build), "--target", "carom_python",
                        "--parallel", str(os.cpu_count() or 1)], check=True)
        return build / "package/carom/_carom.abi3.so"


def version():
    """The version of the library as Python writes it: 1.0.0-rc1 is 1.0.0rc1."""
    text = (TREE / "CMakeLists.txt").read_text()
    numbers, = re.findall(r"project\(carom VERSION ([0-9.]+)", text)
    before, = re.findall(r"set\(CAROM_PRERELEASE ?-?(\w*)\)", text)
    return numbers + before


setup(
    version=version(),
    ext_modules=[Extension("carom._carom", sources=[], py_limited_api=True)],
    cmdclass={"build_ext": Build},
)
