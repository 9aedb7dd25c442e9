"""The documents as a site, by Sphinx: `make docs` makes build/site of the Markdown as it stands in the tree."""
import json
import posixpath
import re
import subprocess
import sys
from pathlib import Path

from docutils import nodes

sys.path.insert(0, str(Path(__file__).parent))
import gallery

project = "carom"
html_title = "carom"
html_show_copyright = False

# The tree itself is the source, so that links from document to document are those that hold in the tree.
extensions = ["myst_parser"]
root_doc = "docs/index"
include_patterns = ["*.md", "python/README.md", "docs/**"]
exclude_patterns = ["build*", ".git", "docs/site"]
myst_heading_anchors = 4
myst_enable_extensions = ["dollarmath"]

# Nothing from elsewhere: Furo takes the fonts of the system.
html_theme = "furo"
html_static_path = ["style.css"]
html_css_files = ["style.css"]
html_extra_path = ["index.html"]
html_copy_source = False
html_show_sourcelink = False
smartquotes = False # which would make a dash of an option
highlight_language = "none"
pygments_dark_style = "github-dark"

LINK = re.compile(r"\[([^]]+)\]\(([^)#]+)\.md\)")


def contents(caption, links):
    """A table of contents for the margin; the page itself has its own words for it."""
    named = f":caption: {caption}\n" if caption else ""
    lines = [f"{' '.join(words.replace('`', '').split())} <{page}>" for words, page in links]
    return "\n```{toctree}\n:hidden:\n" + named + "\n".join(["", *lines, "```", ""])


def lists_of_contents(app, docname, source):
    """The front page lists all pages in sections; a page with a folder of its name links to those in it."""
    if docname == root_doc:
        for section in re.split(r"^## ", source[0], flags=re.MULTILINE)[1:]:
            links = [LINK.search(line).groups() for line in section.splitlines() if line.startswith("- ")]
            source[0] += contents(section.splitlines()[0], links)
    else:
        folder = posixpath.basename(docname) + "/"
        pages = {page: words for words, page in reversed(LINK.findall(source[0])) if page.startswith(folder)}
        if pages:
            source[0] += contents("", [(words, page) for page, words in reversed(pages.items())])


# ---- Equations ------------------------------------------------------------------------------------------------

# KaTeX turns them into MathML here, so that a page needs neither a script nor fonts to show them.
KATEX = """
const katex = require("/usr/share/javascript/katex/katex.js");
const given = JSON.parse(require("fs").readFileSync(0, "utf8"));
const made = given.map(([tex, displayMode]) =>
  katex.renderToString(tex, {displayMode, output: "mathml", strict: "error"}));
process.stdout.write(JSON.stringify(made));
"""


def equations(app, doctree):
    """Every equation of a document as MathML; one that KaTeX cannot read is an error."""
    found = list(doctree.findall(lambda node: isinstance(node, (nodes.math, nodes.math_block))))
    if not found or app.builder.format != "html":
        return
    given = [[node.astext(), isinstance(node, nodes.math_block)] for node in found]
    done = subprocess.run(["node", "-e", KATEX], input=json.dumps(given), capture_output=True, text=True)
    if done.returncode != 0:
        raise ValueError(f"{doctree['source']}: {done.stderr}")
    for node, made in zip(found, json.loads(done.stdout)):
        block = isinstance(node, nodes.math_block)
        node.replace_self(nodes.raw("", f"<div class=\"equation\">{made}</div>" if block else made, format="html"))


def no_script(app, env):
    """There is nothing left for MathJax to do, which Sphinx would load from the network."""
    env.domaindata["math"]["has_equations"].clear()


# ---- What Debian's build of Furo lacks -----------------------------------------------------------------------

SERVER = "/javascript/normalize.css/normalize.css"
DARK = re.compile(r'body\[data-theme="dark"\] (\{[^}]*\})')


def mend_styles(path):
    """A style sheet that it takes from the machine's web server, and dark colours where the system asks for them."""
    text = path.read_text()
    dark = DARK.search(text)[1]
    text = text.replace(f"url({SERVER})", "url(normalize.css)")
    path.write_text(text + "@media screen and (prefers-color-scheme: dark) {\nbody[data-theme=auto] " + dark + "\n}\n")
    (path.parent / "normalize.css").write_text(Path("/usr/share" + SERVER).read_text())


def mend_scripts(path):
    """One script instead of modules, which browsers load from a server only."""
    without = re.sub(r"^import .*\n", "", path.read_text(), flags=re.MULTILINE)
    path.write_text((path.parent / "gumshoe-patched.js").read_text() + without)


def mend(app, exception):
    static = Path(app.outdir, "_static")
    styles, script = static / "styles/furo.css", static / "scripts/furo.js"
    if exception is None and f"url({SERVER})" in styles.read_text():
        mend_styles(styles)
    if exception is None and script.read_text().startswith("import "):
        mend_scripts(script)


def setup(app):
    app.connect("source-read", lists_of_contents)
    app.connect("doctree-read", equations)
    app.connect("env-updated", no_script)
    app.connect("build-finished", mend)
    app.connect("doctree-read", gallery.frames)
    app.connect("build-finished", gallery.make)
