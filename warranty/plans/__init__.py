"""Plans sold: the base that claims are counted against."""

from warranty.plans.exposure import Exposed, exposed, unmatched
from warranty.plans.plans_file import PlansFile, read_plans
from warranty.plans.plans_sold import KeptPlans, PlansSold

__all__ = ["Exposed", "KeptPlans", "PlansFile", "PlansSold", "exposed", "read_plans", "unmatched"]
