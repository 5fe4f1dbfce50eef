"""Zip files, whose members may be packed by Deflate or by Zstandard, which Python cannot read."""

import struct
import zipfile
import zlib
from io import SEEK_CUR, SEEK_END
from typing import BinaryIO

from nonresponse.formats.text import UnreadableError, bound_size

ZSTANDARD = 93  # the method's number in the zip format
EXPECTED = "a whole zip file, packed by Deflate or Zstandard"
HEAD = 30  # bytes of a member's own header before its name


def list_members(data: BinaryIO) -> dict[str, zipfile.ZipInfo]:
    """Return the members by name (the last of equal names). Raises UnreadableError."""
    try:
        with zipfile.ZipFile(data) as archive:
            infos = archive.infolist()
        file_size = data.seek(0, SEEK_END)
    except (zipfile.BadZipFile, NotImplementedError, ValueError, EOFError, struct.error) as error:
        raise UnreadableError(f"a zip that cannot be read ({error})", "a whole zip file") from None
    limit, expected = bound_size(file_size)
    if (size := sum(info.file_size for info in infos)) > limit:
        raise UnreadableError(f"{file_size:,} bytes that unpack to {size:,}", expected)
    return {info.filename: info for info in infos}


def unpack_member(data: BinaryIO, info: zipfile.ZipInfo) -> bytes:
    """Return the content of a member, as long as it says. Raises UnreadableError."""
    import pyarrow

    if info.flag_bits & 1:
        raise UnreadableError("an encrypted member", EXPECTED)
    failures = (pyarrow.ArrowException, zlib.error, OSError, ValueError, struct.error, MemoryError)
    try:
        data.seek(info.header_offset + HEAD - 4)
        name_length, extra_length = struct.unpack("<HH", data.read(4))
        data.seek(name_length + extra_length, SEEK_CUR)
        packed = data.read(info.compress_size)
        if info.compress_type == zipfile.ZIP_STORED:
            content = packed
        elif info.compress_type == zipfile.ZIP_DEFLATED:
            content = zlib.decompressobj(-zlib.MAX_WBITS).decompress(packed, info.file_size + 1)
        elif info.compress_type == ZSTANDARD:
            content = pyarrow.decompress(packed, info.file_size, codec="zstd", asbytes=True)
        else:
            raise UnreadableError(f"a member packed by method {info.compress_type}", EXPECTED)
    except failures as error:
        found = f"a member that cannot be unpacked ({str(error)[:80]})"
        raise UnreadableError(found, EXPECTED) from None
    if len(content) != info.file_size or zlib.crc32(content) != info.CRC:
        raise UnreadableError("a member with another size or checksum than it says", EXPECTED)
    return content
