"""Files of a folder on a web server, read in parts."""

from __future__ import annotations

import email.message
import functools
import html.parser
import urllib.error
import urllib.parse
import urllib.request
from typing import Callable, Dict, List, Optional, Tuple

from .errors import TableMissingError, TableReadError

PIECE_BYTES = 1 << 16
"""How much is read at a time. A table reads small parts that lie near each other, and each request takes long."""

PIECES_MAX = 1024
"""How many pieces of a folder stay in memory: 64 MiB."""

TIMEOUT_SECONDS = 60


def is_url(path: str) -> bool:
    """Whether a folder is on a web server."""
    return path.startswith(("http://", "https://"))


@functools.lru_cache(maxsize=None)
def known(url: str) -> Remote:
    """The folder of a URL. There is one, because open tables read from it."""
    return Remote(url)


def remote(url: str) -> Remote:
    """The folder of tables of a URL, without what an earlier look has found there."""
    found = known(url)
    found.forget()
    try:
        found.size("manifest.json")
    except FileNotFoundError:
        raise TableMissingError(f"{url}: there are no tables here, because there is no manifest.json", url) from None
    except OSError as error:
        raise TableReadError(f"{url}: {error}", url) from None
    return found


class Links(html.parser.HTMLParser):
    """The names of the files that a page links to."""

    def __init__(self) -> None:
        super().__init__()
        self.names: List[str] = []

    def handle_starttag(self, tag: str, attrs: List[Tuple[str, Optional[str]]]) -> None:
        target = dict(attrs).get("href") if tag == "a" else None
        name = urllib.parse.unquote(urllib.parse.urlsplit(target or "").path).rpartition("/")[2]
        if name:
            self.names.append(name)


class Remote:
    """A folder on a web server."""

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        self._piece: Callable[[str, int], bytes] = functools.lru_cache(maxsize=PIECES_MAX)(self._fetched)
        self._sizes: Dict[str, int] = {}

    def forget(self) -> None:
        """Reads everything again."""
        self._piece = functools.lru_cache(maxsize=PIECES_MAX)(self._fetched)
        self._sizes = {}

    def names(self) -> List[str]:
        """The names of the files."""
        try:
            page = self._answer("", {})[2].decode("utf-8", "replace")
        except FileNotFoundError:
            page = ""
        links = Links()
        links.feed(page)
        if not any(name.endswith(".json") for name in links.names):
            raise OSError(
                "the server lists no tables there; let it list the files of the folder, or put an index.html with links to them there"
            )
        return sorted(set(links.names))

    def size(self, name: str) -> int:
        """The length of a file."""
        if name not in self._sizes:
            # The first piece comes with the length of the whole.
            self._piece(name, 0)
        return self._sizes[name]

    def read(self, name: str, at: int, count: int) -> bytes:
        """Some bytes of a file, from a position on."""
        end = min(at + count, self.size(name))
        if at >= end:
            return b""
        first, skip = divmod(at, PIECE_BYTES)
        pieces = range(first, (end - 1) // PIECE_BYTES + 1)
        return b"".join(self._piece(name, piece) for piece in pieces)[skip : skip + end - at]

    def _fetched(self, name: str, number: int) -> bytes:
        """A piece of a file."""
        first = number * PIECE_BYTES
        status, headers, body = self._answer(name, {"Range": f"bytes={first}-{first + PIECE_BYTES - 1}"})
        size = headers.get("Content-Range", "").rpartition("/")[2]
        if status == 206 and size.isdigit():
            if len(body) != min(PIECE_BYTES, int(size) - first):
                raise OSError("the connection ended early; try again")
            self._sizes[name] = int(size)
            return body
        # A server may send a small file as a whole.
        if status == 200 and number == 0 and len(body) <= PIECE_BYTES:
            self._sizes[name] = len(body)
            return body
        raise OSError("the server sends no parts of files (Range); use a server that does, or copy the folder")

    def _answer(self, name: str, headers: Dict[str, str]) -> Tuple[int, email.message.Message, bytes]:
        """The answer to a request: its status, its headers and its body."""
        address = f"{self.url}/{urllib.parse.quote(name)}"
        request = urllib.request.Request(address, headers={"Accept-Encoding": "identity", **headers})
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as found:
                # More than was asked for comes from a server that does not know Range. One byte more shows that.
                body = found.read(PIECE_BYTES + 1) if headers else found.read()
                return found.status, found.headers, body
        except urllib.error.HTTPError as error:
            if error.code == 404:
                raise FileNotFoundError("there is no such file") from None
            if error.code == 416:
                # An empty file has no part.
                return 200, error.headers, b""
            raise OSError(f"the server answers {error.code} {error.reason}") from None
        except urllib.error.URLError as error:
            raise OSError(f"the server does not answer: {error.reason}") from None
