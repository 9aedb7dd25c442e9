"""The pages of docs/gallery.md: each command in it is run, and its page stands in the site below the command.

The program is build/carom, or $CAROM; without it the gallery has its commands alone. Where the solver for pages was
built (make playground), the pages solve."""
import os
import re
import shlex
import subprocess
from html import escape
from pathlib import Path

from docutils import nodes

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("CAROM", ROOT / "build/carom")).resolve()
PAGE = re.compile(r"--report (\w+)\.html")
FRAME = """<iframe class="gallery" loading="lazy" src="gallery/{name}.html" title="{title}"></iframe>
<p><a href="gallery/{name}.html">{title}: the page alone</a></p>"""


def frames(app, doctree):
    """A frame with its page below each command."""
    if app.env.docname != "docs/gallery" or not PROGRAM.exists():
        return
    for block in list(doctree.findall(nodes.literal_block)):
        name = PAGE.search(block.astext())[1]
        title = escape(block.parent.next_node(nodes.title).astext())
        block.parent.insert(block.parent.index(block) + 1, nodes.raw("", FRAME.format(name=name, title=title), format="html"))


def make(app, exception):
    """The pages themselves."""
    if exception is not None or app.builder.format != "html" or not PROGRAM.exists():
        return
    folder = Path(app.outdir, "docs/gallery")
    folder.mkdir(exist_ok=True)
    live = ["--live"] if (PROGRAM.parent / "../share/carom/playground/solver.txt").exists() else []
    for line in re.findall(r"^carom .*$", (ROOT / "docs/gallery.md").read_text(), flags=re.MULTILINE):
        words = shlex.split(line)[1:]
        page = words.index("--report") + 1
        words[page] = str(folder / words[page])
        solves = live if words[0] in ("solve", "simulate") else []
        subprocess.run([PROGRAM, *words, *solves, "--quiet"], cwd=ROOT, stdout=subprocess.DEVNULL, check=True)
