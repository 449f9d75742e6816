"""The catalogue in use: what a manager put in last."""

from components.orders.catalogue import catalogue_of
from tests.builders import MANAGER
from tests.components.stage import Stage
from warranty.files.catalogue import CatalogueFile


def test_a_catalogue_that_is_replaced_twice_is_the_last_one(stage: Stage) -> None:
    settings = stage.runtime.settings
    file = CatalogueFile(settings.data_dir, settings.catalogue)
    for title in ("Arc lamp", "Floor lamp"):
        file.replace(MANAGER, f"sku,title\nLAMP-1,{title}\n".encode())
        product = catalogue_of(settings).find("LAMP-1")
        assert product is not None
        assert product.title == title
