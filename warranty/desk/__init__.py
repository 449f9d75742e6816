"""The use cases of the counter: permission, intent on disk, send, outcome on disk."""

from warranty.desk.desk import Desk
from warranty.desk.sale_lookup import LookUp, Verdict
from warranty.desk.second_sending import DataErased, EarlierSending
