"""Hooks of MkDocs: formulas become MathML, and linked files become files of the site."""

import re
from pathlib import Path
from typing import Any

from latex2mathml.converter import convert

HOME = Path(__file__).resolve().parents[1]
LINK = re.compile(r"\[([^\]]*)\]\(\.\./([^)#]+)(?:#[^)]*)?\)")
BLOCK = re.compile(r"^```math\n(.*?)^```$", re.DOTALL | re.MULTILINE)
INLINE = re.compile(r"\$`([^`]+)`\$")


def on_files(files: Any, config: Any) -> Any:
    """Add the files outside docs/ that pages link to."""
    from mkdocs.structure.files import File

    pages = [HOME / "docs" / file.src_uri for file in files.documentation_pages()]
    paths = {path for page in pages for _, path in LINK.findall(page.read_text(encoding="utf-8"))}
    for path in sorted(filter(is_copied, paths)):
        files.append(File.generated(config, f"repository/{path}", abs_src_path=str(HOME / path)))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Return the page with MathML for formulas, and with links into the site."""
    markdown = BLOCK.sub(lambda match: convert(match[1].strip(), display="block"), markdown)
    markdown = INLINE.sub(lambda match: convert(match[1]), markdown)
    return LINK.sub(link, markdown)


def is_copied(path: str) -> bool:
    """Return whether a linked file becomes one of the site, as pages of the repository do not."""
    return (HOME / path).is_file() and not path.endswith(".md")


def link(match: re.Match[str]) -> str:
    """Return the link into the site, or its text alone where the site does not have the file."""
    text, path = match.groups()
    return f"[{text}](repository/{path})" if is_copied(path) else text
