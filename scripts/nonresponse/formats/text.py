"""From bytes on disk to decoded lines: compression, byte-order marks, undecodable bytes."""

from pathlib import Path

from nonresponse import checksums
from nonresponse.faults import Fault

ENDINGS = (".gz", ".zst")


def stem(file) -> str:
    """The file's name without its ending, or its two where the second is .gz or .zst."""
    path = Path(file)
    return Path(path.stem).stem if path.suffix in ENDINGS else path.stem


def ending(file) -> str:
    """The ending that tells the format: .csv for table.csv.gz."""
    path = Path(file)
    return (Path(path.stem).suffix if path.suffix in ENDINGS else path.suffix).lower()


def read_bytes(file) -> tuple[bytes, list[Fault]]:
    """The file's content, unpacked, without a byte-order mark; empty if it cannot be had."""
    path = Path(file)
    try:
        data = checksums.read(path)
        if path.suffix in ENDINGS:
            import pyarrow

            packed = pyarrow.py_buffer(data)
            with pyarrow.input_stream(packed, compression="gzip" if path.suffix == ".gz" else "zstd") as stream:
                data = stream.read()
    except OSError as error:
        return b"", [Fault(str(file), 0, f"a file that cannot be read ({error})", "a whole, readable file")]
    data = data.removeprefix(b"\xef\xbb\xbf")
    if not data.strip():
        return b"", [Fault(str(file), 0, "an empty file", "at least one line")]
    return data, []


def undecodable(file, data: bytes) -> list[Fault]:
    """A fault per line that is not UTF-8; usually none, found by one decoding of the whole."""
    try:
        data.decode()
        return []
    except UnicodeDecodeError:
        faults = []
    for number, line in enumerate(data.split(b"\n"), start=1):
        try:
            line.decode()
        except UnicodeDecodeError as error:
            byte = line[error.start]
            faults.append(Fault(str(file), number, f"the byte 0x{byte:02x} at column {error.start + 1}", "UTF-8 text"))
    return faults


def read_lines(file) -> tuple[list[tuple[int, str]], list[Fault]]:
    """Numbered lines (from 1) without their line ends, blank lines left out."""
    data, faults = read_bytes(file)
    faults = faults or undecodable(file, data)
    if faults:
        return [], faults
    lines = enumerate(data.decode().split("\n"), start=1)
    return [(number, line.removesuffix("\r")) for number, line in lines if line.strip()], []
