"""Which replicas nginx knows: who takes whom in, and who stands in for whom. Needs nothing but Debian's own Python.

python3 replicas.py 127.0.0.1:8501 127.0.0.1:8502 >/etc/nginx/conf.d/warranty-desk-replicas.conf
"""

import argparse
import sys
from collections.abc import Sequence
from typing import Final

_COOKIE: Final = "Path=/; HttpOnly; Secure; SameSite=Strict"


def replicas_conf(addresses: Sequence[str]) -> str:
    """The part of nginx's configuration for these replicas, each as `ADDRESS:PORT`."""
    numbered = list(enumerate(addresses, start=1))
    pools = "".join(
        _pool(f"warranty_desk_{number}", [address], [other for other in addresses if other != address])
        for number, address in numbered
    )
    wanted = "".join(f'    "{number}"     warranty_desk_{number};\n' for number, _ in numbered)
    moved = "".join(
        f'    "~{address.replace(".", "[.]")} (?!{number}$)" "warranty_desk_replica={number}; {_COOKIE}";\n'
        for number, address in numbered
    )
    return (
        "# Written by deploy/nginx/replicas.py: run it again for other replicas (docs/deploy.md).\n"
        "# A browser stays with the replica that its cookie names, since that one knows its open page. When it is\n"
        "# gone another takes over and the cookie names that one: files up and down follow the page's connection.\n"
        f"\n# A browser without a cookie goes to the replica with the fewest connections.\n"
        f"{_pool('warranty_desk', addresses, [], '    least_conn;')}"
        f"{pools}"
        "map $cookie_warranty_desk_replica $warranty_desk_pool {\n"
        "    default warranty_desk;\n"
        f"{wanted}"
        "}\n\n"
        "# Who answered last, where it is not who the cookie names.\n"
        'map "$upstream_addr $cookie_warranty_desk_replica" $warranty_desk_cookie {\n'
        '    default "";\n'
        f"{moved}"
        "}\n"
    )


def _pool(name: str, first: Sequence[str], backups: Sequence[str], *more: str) -> str:
    """An upstream: a server that refused is tried again after two seconds."""
    lines = [
        f"    zone {name} 64k;",
        *more,
        *(f"    server {address} max_fails=1 fail_timeout=2s;" for address in first),
        *(f"    server {address} max_fails=1 fail_timeout=2s backup;" for address in backups),
        "    keepalive 32;",
    ]
    return f"upstream {name} {{\n" + "\n".join(lines) + "\n}\n\n"


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("replicas", nargs="+", metavar="ADDRESS:PORT")
    sys.stdout.write(replicas_conf(parser.parse_args().replicas))
