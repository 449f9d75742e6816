"""A registered till: the pad on which people switch, what locks its screen, and who sees to tills and badges."""
