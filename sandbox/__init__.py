"""A stand-in of the warranty service: every rule of its interface, over real HTTPS, with faults on demand.

It knows nothing of the `warranty` package and shares no code with it: both agree only through the interface
document, so that one misreading cannot pass on both sides. What that document leaves open is listed in
`ASSUMPTIONS.md` beside this file; each entry names the place in the code that decides it.

    from sandbox import SandboxServer

    with SandboxServer(seed="demo") as sandbox:
        sandbox.base_url, sandbox.private_token, sandbox.ca_file
"""

from sandbox.seeds.catalogue import CATALOGUE
from sandbox.seeds.claim_maker import CLOSED_STATUSES
from sandbox.server import SandboxServer
from sandbox.store.database import SandboxDataProblem

__all__ = ["CATALOGUE", "CLOSED_STATUSES", "SandboxDataProblem", "SandboxServer"]
