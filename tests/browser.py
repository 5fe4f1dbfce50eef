"""Debian's chromium through Playwright: pages from disk, offline, for different users."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import pytest

CHROMIUM = shutil.which("chromium")


@contextmanager
def chromium() -> Iterator:
    """A browser, for many pages; without one, the tests that need it are skipped."""
    playwright = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    if not CHROMIUM:
        pytest.skip("no chromium")
    with playwright.sync_playwright() as drivers, launch(drivers.chromium) as browser:
        yield browser


def launch(kind):
    """A browser of this kind, with processes of its own."""
    return kind.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])


@cache
def get_page(browser, **person: bool) -> tuple:
    """Return the page for a user of this kind, opened once; and its messages and requests."""
    page = browser.new_context(offline=True, **person).new_page()
    page.set_default_timeout(120_000)  # other processes may keep the machine busy
    messages: list[str] = []
    page.on("console", lambda message: messages.append(f"{message.type}: {message.text}"))
    page.on("pageerror", lambda error: messages.append(f"error: {error}"))
    page.on("request", lambda request: messages.append(f"request: {request.url}"))
    page.on("dialog", lambda dialog: messages.append(f"dialog: {dialog.message}"))
    return page, messages


@contextmanager
def open_page(
    browser,
    path: Path,
    address: str = "",
    width: int = 1400,
    scheme: str = "light",
    **person: bool,
) -> Iterator:
    """The page at an address within it, once its script is ready; errors and network requests fail
    the test. `person` are options of the context: bypass_csp=True and so on.
    """
    page, messages = get_page(browser, **person)
    page.set_viewport_size({"width": width, "height": 900})
    page.emulate_media(color_scheme=scheme)
    page.goto("about:blank")  # so that an address within the same page loads it anew
    messages.clear()
    page.goto(path.as_uri() + address)
    page.wait_for_selector("html.ready", state="attached")
    yield page
    harmless = (f"request: {path.as_uri()}", "request: blob:")
    assert [message for message in messages if not message.startswith(harmless)] == []


def axe() -> Path:
    """The script of axe-core, which .ci/run fetches."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    scripts = sorted((cache / "nonresponse").glob("axe-core-*.min.js"))
    if not scripts:
        pytest.skip("axe-core is not there; .ci/run fetches it")
    return scripts[-1]
