"""What an earlier run of a stage found, for the next one to bring up to date: a cache, never a
source.

A memo that is lost, damaged, or kept under another key is no memo, and the stage computes
everything anew. Results are the same with and without it.
"""

import hashlib
import io
import json
from contextlib import suppress
from pathlib import Path

import numpy as np

from nonresponse.atomic import replacing


class Memo:
    """Arrays kept under a key: the code, the parameters and all inputs that are not compared."""

    def __init__(self, path: Path | None, *key: object):
        """`path` is an .npz file, which need not exist, or null. The key is JSON."""
        self.path = path
        self.key = ""
        self.add_key(*key)

    def add_key(self, *key: object) -> None:
        """Make something more a part of the key."""
        self.key = hashlib.sha256(
            json.dumps([self.key, key], sort_keys=True, default=str).encode()
        ).hexdigest()

    def recall(self) -> dict[str, np.ndarray]:
        """Return the arrays that `keep` wrote under the same key, or none."""
        if self.path is None or not self.path.is_file():  # a pipe would be waited for
            return {}
        try:
            with np.load(self.path, allow_pickle=False) as file:
                if file["key"].item() != self.key:
                    return {}
                return {name: file[name] for name in file.files if name != "key"}
        except Exception:  # damage may look like encryption, or an unknown compression
            return {}

    def keep(self, **arrays: np.ndarray) -> None:
        """Replace the memo by these arrays, unless it cannot be written, as on a full disk."""
        if self.path is None:
            return
        with suppress(OSError), replacing(self.path) as part:
            part.write_bytes(archive(key=np.array(self.key), **arrays))


def archive(**arrays: np.ndarray) -> bytes:
    """Return arrays as an .npz archive; equal arrays give equal bytes."""
    stream = io.BytesIO()
    np.savez(stream, allow_pickle=False, **arrays)
    return stream.getvalue()
