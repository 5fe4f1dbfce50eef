"""Debian's chromium, driven by Playwright: pages opened from disk, without a network, by a person of some kind."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

CHROMIUM = shutil.which("chromium")
SNAKEMAKE = "warning: cdn.tailwindcss.com should not be used in production"  # what Snakemake's own report complains of


@contextmanager
def chromium() -> Iterator:
    """A browser, for many pages; where there is none, what asks for it is skipped."""
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    if not CHROMIUM:
        pytest.skip("no chromium")
    with playwright.sync_playwright() as drivers:
        browser = drivers.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


@contextmanager
def opened(browser, path: Path, address: str = "", width: int = 1400, ready: str = "html.ready", **person) -> Iterator:
    """The page at an address within it, once its script is ready; what it complains of or asks for fails the test.

    `ready` selects what is there only then. `person` are options of the context: color_scheme="dark",
    java_script_enabled=False, bypass_csp=True, and so on.
    """
    context = browser.new_context(offline=True, viewport={"width": width, "height": 900}, **person)
    context.set_default_timeout(120_000)  # others may be busy
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: said.append(f"error: {error}"))
    page.on("request", lambda request: said.append(f"request: {request.url}"))
    page.on("dialog", lambda dialog: said.append(f"dialog: {dialog.message}"))
    url = path.as_uri() + address
    page.goto(url)
    if person.get("java_script_enabled", True):
        page.wait_for_selector(ready, state="attached")
    yield page
    harmless = (f"request: {path.as_uri()}", "request: blob:", SNAKEMAKE)
    asked = [one for one in said if not one.startswith(harmless)]
    context.close()
    assert asked == []


def axe() -> Path:
    """The script of axe-core, which .ci/run fetches."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    found = sorted((cache / "nonresponse").glob("axe-core-*.min.js"))
    if not found:
        pytest.skip("axe-core is not there; .ci/run fetches it")
    return found[-1]
