"""Import orders: many orders from a file, seen before they are sent (POST /api/carts for each)."""

import streamlit as st

from components import wiring
from components.gate import require
from components.selling.import_orders.imports import Imports, import_progress, import_result
from components.selling.import_orders.preview import import_preview
from components.selling.import_orders.upload import import_upload
from warranty.access import Permission
from warranty.language import _

operator = require(Permission.IMPORT_ORDERS)
runtime = wiring.runtime()
imports = Imports(
    operator=operator,
    batches=runtime.desk.imports(operator),
    desk=runtime.desk,
    jobs=runtime.jobs,
    at_once=runtime.settings.import_concurrency,
    currency=runtime.settings.currency,
)

st.title(_("Import orders"), anchor=False)
batch = imports.open_batch()
if batch is None:
    import_upload(imports)
elif batch.state == "preview":
    import_preview(imports, batch, runtime.shop_files.catalogue.in_use())
elif batch.state == "finished":
    import_result(imports, batch)
else:
    import_progress(imports, batch)
