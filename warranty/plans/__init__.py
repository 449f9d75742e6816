"""Plans sold: the base that claims are counted against."""

from warranty.plans.plans_file import PlansFile, read_plans
from warranty.plans.plans_sold import KeptPlans, PlansSold

__all__ = ["KeptPlans", "PlansFile", "PlansSold", "read_plans"]
