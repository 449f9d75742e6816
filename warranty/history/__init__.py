"""Complete readings of claims, one a night: what nobody else keeps."""

from warranty.history.claims_kept import SCHEMA, kept_claims
from warranty.history.keeping import Reading, clear, keep
from warranty.history.nights import Night, Nights

__all__ = ["SCHEMA", "Night", "Nights", "Reading", "clear", "keep", "kept_claims"]
