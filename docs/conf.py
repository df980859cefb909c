"""The documentation as a site: `make site` writes var/docs/, and stops at a link that leads nowhere."""

project = "Peekaword"
copyright = "The Peekaword authors"  # noqa: A001 - Sphinx's name
extensions = ["myst_parser"]
source_suffix = {".md": "markdown"}
exclude_patterns = ["examples"]
html_theme = "furo"
html_title = "Peekaword"
html_static_path: list[str] = []
html_show_sourcelink = html_show_copyright = html_show_sphinx = False
# Headings can be linked to as they can in the repository.
myst_heading_anchors = 4
# Formulas and tables are written as plain text and code; a dollar is a currency.
myst_enable_extensions: list[str] = []
