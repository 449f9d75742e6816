"""Two PostgreSQL servers of Debian's packages: a primary, and a standby that has whatever the primary has confirmed."""

from typing import Final, Self

from deploy.up.machine import Started
from deploy.up.postgres import Postgres

_SETTINGS: Final = {
    "max_connections": "300",
    "wal_keep_size": "256MB",
    # No test cuts the machine's power: what one server has in memory outlives the other's end.
    "fsync": "off",
}


class TwoServers(Started):
    """A database on a primary with a standby; one address names both."""

    def __init__(self) -> None:
        self.primary = Postgres(settings=_SETTINGS)
        self.standby = Postgres(settings=_SETTINGS)
        self.standby.password = self.primary.password

    @property
    def url(self) -> str:
        """The database as `WARRANTY_JOURNAL_URL` takes it."""
        hosts = f"127.0.0.1:{self.primary.port},127.0.0.1:{self.standby.port}"
        return f"postgresql://desk:{self.primary.password}@{hosts}/desk?target_session_attrs=read-write"

    def start(self) -> Self:
        """Make and start both; from then on a commit is confirmed when the standby has it, too."""
        self.primary.start()
        address = f"host=127.0.0.1 port={self.primary.port} user=desk application_name=standby"
        self.standby.run_program(
            "pg_basebackup",
            *(f"--dbname={address}", f"--pgdata={self.standby.folder}", "--write-recovery-conf"),
            *("--wal-method=stream", "--checkpoint=fast", "--no-sync"),
        )
        self.standby.start()
        self.primary.query("ALTER SYSTEM SET synchronous_standby_names = 'standby'", database="postgres")
        self.primary.query("SELECT pg_reload_conf()")
        return self

    def fail_over(self) -> None:
        """Crash the primary and make the standby the primary."""
        self.primary.kill()
        self.promote()

    def promote(self) -> None:
        """Make the standby the primary."""
        self.standby.run_program("pg_ctl", "promote", "--wait", f"--pgdata={self.standby.folder}")

    def close(self) -> None:
        """Stop both, and remove their data."""
        # The standby first: a primary in order waits for it.
        self.standby.close()
        self.primary.kill()
        self.primary.close()
