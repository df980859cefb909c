"""What draws charts in the browser: Vega, Vega-Lite and Vega-Embed from the wheel that also draws their files.

Made once into VAR and served under a name that changes with its content, so that nothing is asked of anybody else's
server and no generated code lies in the repository. It holds Vega's expression interpreter, so that the page needs no
`unsafe-eval`.
"""

import gzip
import os
import tempfile
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path

import vl_convert
from django.conf import settings

SNIPPET = "window.vegaEmbed = vegaEmbed;"


def bundle_name() -> str:
    """From the versions, since the content takes seconds to make; the same versions give the same content."""
    versions = f"{version('vl-convert-python')} {vl_convert.get_vega_version()} {vl_convert.get_vega_embed_version()}"
    return f"vega-{sha256(versions.encode()).hexdigest()[:12]}.js"


def bundle_path() -> Path:
    """The gzipped bundle, made where there is none yet."""
    path: Path = settings.VAR / "bundles" / f"{bundle_name()}.gz"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        _write_whole(path, gzip.compress(vl_convert.javascript_bundle(SNIPPET).encode(), mtime=0))
    return path


def _write_whole(path: Path, content: bytes) -> None:
    """Two processes may make it at once: whoever is last replaces a whole file by a whole file."""
    handle, part = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(handle, "wb") as out:
        out.write(content)
    Path(part).replace(path)
