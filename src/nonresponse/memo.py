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
from typing import Any

import numpy as np
import polars as pl

from nonresponse.atomic import replacing

DIGEST_SIZE = hashlib.sha256().digest_size
LIBRARIES = (np.__version__, pl.__version__)  # others may round, or draw, otherwise


class Memo:
    """Arrays kept under a key: the code, the parameters and all inputs that are not compared."""

    def __init__(self, path: Path | None, *key: object):
        """`path` is a file, which need not exist, or null. The key is JSON.

        The file is a digest, of the key and of what follows, and an .npz archive: by itself, this
        may lose arrays, or parts of them, and be read all the same.
        """
        self.path = path
        self.key = ""
        self.add_key(LIBRARIES, *key)

    def add_key(self, *key: object) -> None:
        """Make something more a part of the key."""
        self.key = hashlib.sha256(
            json.dumps([self.key, key], sort_keys=True, default=str).encode()
        ).hexdigest()

    def recall(self) -> dict[str, np.ndarray]:
        """Return the arrays that `keep` wrote under the same key, or none."""
        if self.path is None or not self.path.is_file():  # a pipe would be waited for
            return {}
        with suppress(OSError), self.path.open("rb") as stream:
            digest = stream.read(DIGEST_SIZE)
            if hashlib.file_digest(stream, self.start_digest).digest() == digest:
                stream.seek(DIGEST_SIZE)
                with np.load(stream, allow_pickle=False) as arrays:
                    return {**arrays}
        return {}

    def keep(self, **arrays: np.ndarray) -> None:
        """Replace the memo by these arrays, unless it cannot be written, as on a full disk."""
        if self.path is None:
            return
        content, digest = archive(**arrays), self.start_digest()
        digest.update(content)
        with suppress(OSError), replacing(self.path) as part, part.open("wb") as stream:
            stream.write(digest.digest())
            stream.write(content)

    def start_digest(self) -> Any:
        """Return a digest to which the arrays are still to be added."""
        return hashlib.sha256(self.key.encode())


def archive(**arrays: np.ndarray) -> bytes:
    """Return arrays as an .npz archive; equal arrays give equal bytes."""
    stream = io.BytesIO()
    np.savez(stream, allow_pickle=False, **arrays)
    return stream.getvalue()
