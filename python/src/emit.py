"""Write the C source of the extension module: emit.py COMPILER OUTPUT INCLUDE...

The declarations are those of the public headers, as the preprocessor leaves them, so that what is new
there is known to Python, too.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

import cffi

HERE = pathlib.Path(__file__).resolve().parent
STANDARD = ["stdbool.h", "stddef.h", "stdint.h", "stdio.h"]  # whose types cffi knows by itself

CALLBACKS = """
extern "Python" bool crmpy_go_on(void *context, const crm_watch_report *progress);
extern "Python" crm_status crmpy_law_solve(const crm_problem *problem, crm_outcome *outcome,
                                           crm_error *error);
extern "Python" void crmpy_curve(void *context, double x, double *force, double *slope,
                                 double *energy);
extern "Python" double crmpy_restitution(void *context, double at);
"""


def declarations(compiler, includes):
    with tempfile.TemporaryDirectory() as empty:
        for name in STANDARD:
            (pathlib.Path(empty) / name).touch()
        # _WIN32: no attributes.
        command = [compiler, "-E", "-P", "-nostdinc", "-D_WIN32", f"-I{empty}"]
        command += [f"-I{folder}" for folder in includes] + [str(HERE / "glue.h")]
        text = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    # cffi cannot write the type of its pointer to pairs; only glue.c looks into it.
    return re.sub(r"(struct crm_impact_report) \{.*?\}", r"\1 { ...; }", text, flags=re.DOTALL)


def main(compiler, output, *includes):
    builder = cffi.FFI()
    builder.cdef(declarations(compiler, includes))
    builder.cdef(CALLBACKS)
    builder.set_source("carom._carom", '#include "glue.h"', py_limited_api=True)
    builder.emit_c_code(output)


if __name__ == "__main__":
    main(*sys.argv[1:])
