"""Complete readings of claims, one a night: what nobody else keeps."""

from warranty.history.claims_kept import SCHEMA, frame_of, kept_claims
from warranty.history.keeping import Reading, clear, keep
from warranty.history.nights import Manifest, Night, Nights, Part

__all__ = [
    "SCHEMA",
    "Manifest",
    "Night",
    "Nights",
    "Part",
    "Reading",
    "clear",
    "frame_of",
    "keep",
    "kept_claims",
]
