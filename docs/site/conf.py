"""The documents as a site, by Sphinx: `make docs` makes build/site of the Markdown as it stands in the tree."""
import posixpath
import re

project = "carom"
html_title = "carom"
html_show_copyright = False

# The tree itself is the source, so that links from document to document are those that hold in the tree.
extensions = ["myst_parser"]
root_doc = "docs/index"
include_patterns = ["*.md", "python/README.md", "docs/**"]
exclude_patterns = ["build*", ".git", "docs/site"]
myst_heading_anchors = 4

# Nothing from elsewhere: Furo takes the fonts of the system.
html_theme = "furo"
html_static_path = ["style.css"]
html_css_files = ["style.css"]
html_extra_path = ["index.html"]
html_copy_source = False
html_show_sourcelink = False
highlight_language = "none"
pygments_dark_style = "github-dark"

LINK = re.compile(r"\]\(([^)#]+)\.md\)")


def contents(caption, pages):
    """A table of contents for the margin; the page itself has its own words for it."""
    named = f":caption: {caption}\n" if caption else ""
    return "\n```{toctree}\n:hidden:\n" + named + "\n" + "\n".join(pages) + "\n```\n"


def lists_of_contents(app, docname, source):
    """The front page lists all pages in sections; a page with a folder of its name lists those in it."""
    text = source[0]
    if docname == root_doc:
        for section in re.split(r"^## ", text, flags=re.MULTILINE)[1:]:
            pages = [LINK.search(line)[1] for line in section.splitlines() if line.startswith("- ")]
            source[0] += contents(section.splitlines()[0], pages)
    else:
        folder = posixpath.basename(docname) + "/"
        pages = [page for page in LINK.findall(text) if page.startswith(folder)]
        if pages:
            source[0] += contents("", dict.fromkeys(pages))


def setup(app):
    app.connect("source-read", lists_of_contents)
