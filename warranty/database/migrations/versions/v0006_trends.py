"""What trends lean on: leases, plans sold, notes on the time axis, a diary of forecasts, alerts that were told."""

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Only whole tables are new."""
