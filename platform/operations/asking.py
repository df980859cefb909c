"""A container's health check: asks the web server of this machine (`python -m operations.asking readyz`)."""

import os
import sys
import urllib.error
import urllib.request


def main(page: str) -> int:
    """The exit code. Redirects are none: these pages answer without TLS."""
    address = f"http://127.0.0.1:{os.environ.get('PORT') or 8000}/{page}"
    try:
        urllib.request.urlopen(urllib.request.Request(address, headers={"Host": "localhost"}), timeout=5).close()
    except (urllib.error.URLError, OSError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
