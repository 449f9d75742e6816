"""The use cases of the counter: permission, intent on disk, send, outcome on disk."""

from warranty.desk.desk import DataErased, Desk
from warranty.desk.sale_lookup import LookUp, Verdict

__all__ = ["DataErased", "Desk", "LookUp", "Verdict"]
