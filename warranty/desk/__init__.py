"""The use cases of the counter: permission, intent on disk, send, outcome on disk."""

from warranty.desk.desk import DataErased, Desk
from warranty.desk.sale_lookup import LookUp, Verdict
from warranty.desk.second_sending import EarlierSending

__all__ = ["DataErased", "Desk", "EarlierSending", "LookUp", "Verdict"]
