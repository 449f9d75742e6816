"""The endpoints as an OpenAPI 3.1 description.

It says what the sandbox takes and answers, statuses included; tools that generate requests test the sandbox by it.
Only the endpoints of the service are in it, not the control routes.
"""

from collections.abc import Iterable
from typing import Any

from sandbox.api.operations import OPERATIONS, Operation

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
SOME_TEXT: Schema = {"type": "string", "minLength": 1}
OPTIONAL_TEXT: Schema = {"type": ["string", "null"]}
IDENTIFIER: Schema = {"type": ["string", "integer"]}
OPTIONAL_IDENTIFIER: Schema = {"type": ["string", "integer", "null"]}
AMOUNT: Schema = {
    "anyOf": [
        {"type": "string", "pattern": r"^[0-9]{1,15}(\.[0-9]{1,100})?$"},
        {"type": "number", "minimum": 0},
    ]
}
QUANTITY: Schema = {
    "anyOf": [
        {"type": "integer", "minimum": 1},
        {"type": "string", "pattern": r"^[1-9][0-9]{0,8}$"},
        {"type": "null"},
    ]
}
TIMESTAMP: Schema = {
    "type": "string",
    "pattern": r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(\.[0-9]{1,6})?$",
}


def _object(required: dict[str, Schema], optional: dict[str, Schema] | None = None) -> Schema:
    return {"type": "object", "required": list(required), "properties": {**required, **(optional or {})}}


def _list(of: Schema, **limits: int) -> Schema:
    return {"type": "array", "items": of, **limits}


def _nullable(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


META = _nullable(_object({}, {"breadcrumbs": _nullable(_list(_object({}, {"category": OPTIONAL_TEXT})))}))
PRODUCT = _object(
    {"product_id": IDENTIFIER, "product_price": AMOUNT, "product_title": SOME_TEXT},
    {
        "variant_id": {},
        "meta": META,
        "detail": _nullable(_object({}, {"images": _nullable(_list(_object({}, {"src": OPTIONAL_TEXT})))})),
    },
)
LINE_ITEM = _object(
    {name: PRODUCT["properties"][name] for name in PRODUCT["required"]},
    {
        **PRODUCT["properties"],
        "quantity": QUANTITY,
        "product_delivery_date": OPTIONAL_TEXT,
        "products": _nullable(_list(PRODUCT)),
    },
)
BILLING_ADDRESS = _object(
    {"state": SOME_TEXT, "country": SOME_TEXT, "first_name": SOME_TEXT},
    dict.fromkeys(
        (
            "email",
            "phone",
            "last_name",
            "address1",
            "address2",
            "city",
            "zip",
            "country_code",
            "province_code",
        ),
        OPTIONAL_TEXT,
    ),
)
ORDER = _object(
    {"order_id": IDENTIFIER, "line_items": _list(LINE_ITEM), "billing_address": BILLING_ADDRESS},
    {"merchant_external_id": OPTIONAL_IDENTIFIER},
)
SALE_PRODUCT = _object({}, {"product_id": OPTIONAL_IDENTIFIER, "variant_id": OPTIONAL_IDENTIFIER})
SALE = _object(
    {
        "id": IDENTIFIER,
        "line_items": _list(
            _object(
                {},
                {
                    "warranty_offer_id": OPTIONAL_TEXT,
                    **SALE_PRODUCT["properties"],
                    "products": _nullable(_list(SALE_PRODUCT)),
                    "line_item_id": {"type": ["integer", "null"]},
                    "quantity": QUANTITY,
                    "warranty": _nullable(
                        _object(
                            {"warranty_duration": {"type": "integer"}, "warranty_price": AMOUNT},
                            {"warranty_id": OPTIONAL_IDENTIFIER, "warranty_program_id": OPTIONAL_IDENTIFIER},
                        )
                    ),
                },
            ),
            minItems=1,
        ),
    }
)
CUSTOMER_ADDRESS = _object(
    {
        **dict.fromkeys(
            ("first_name", "last_name", "address1", "city", "state", "zip", "country"), SOME_TEXT
        ),
        "country_code": {"type": "string", "minLength": 2, "maxLength": 2},
    },
    {"address2": OPTIONAL_TEXT},
)
CHECKOUT = _object(
    {
        "id": IDENTIFIER,
        "email": SOME_TEXT,
        "line_items": _list(
            _object(
                {"warranty_offer_id": {"type": "string", "format": "uuid"}},
                {
                    "quantity": QUANTITY,
                    "mfw_duration_months": {"type": ["number", "null"], "minimum": 0},
                    "mfw_start_date": _nullable({"type": "string", "format": "date"}),
                },
            )
        ),
        "billing_address": CUSTOMER_ADDRESS,
    },
    {
        "phone": OPTIONAL_TEXT,
        "shipping_address": _nullable(CUSTOMER_ADDRESS),
        "merchant_id": OPTIONAL_IDENTIFIER,
    },
)
RANGE = _nullable(_object({}, {"startDate": _nullable(TIMESTAMP), "endDate": _nullable(TIMESTAMP)}))
CLAIM_FILTER = _object(
    {},
    {
        "claimDateRange": RANGE,
        "warrantyStartDateRange": RANGE,
        "customerEmail": _nullable({"type": "string", "format": "email"}),
    },
)
CLAIM_RECORD = _object(
    {
        "claim_date": TIMESTAMP,
        "description": TEXT,
        "order_date": TEXT,
        "order_id": TEXT,
        "product_name": TEXT,
        "status": TEXT,
        "warranty_id": TEXT,
        "warranty_start_date": TEXT,
    }
)
CLAIM_PAGE = _object(
    {
        "data": _list(CLAIM_RECORD, maxItems=50),
        "page": {"type": "integer"},
        "per_page": {"type": "integer"},
        "total_count": {"type": "integer", "minimum": 0},
    }
)
OFFER = _object(
    {
        "warranty_offer_id": {"type": "string", "format": "uuid"},
        "warranty_duration": {"type": "integer"},
        "warranty_type": TEXT,
        "warranty_price": TEXT,
    }
)
PURCHASE_WARRANTIES = _object(
    {
        "order_id": TEXT,
        "line_items": _list(
            _object(
                {
                    "line_item_id": {"type": "integer"},
                    "product_id": TEXT,
                    "product_title": TEXT,
                    "product_price": TEXT,
                    "quantity": {"type": "integer", "minimum": 1, "maximum": 20},
                    "offers": _list(
                        {
                            **OFFER,
                            "properties": {**OFFER["properties"], "status": {"enum": ["unsold", "bought"]}},
                        }
                    ),
                    "warranties": _list(_object({"warranty_offer_id": TEXT, "covered_products": _list({})})),
                }
            )
        ),
    }
)
ON_SALE = _object({"title": SOME_TEXT, "id": IDENTIFIER, "price": AMOUNT}, {"meta": META, "images": {}})

RECEIPT = _object(
    {"success": {"type": "boolean"}, "url": TEXT}, {"warrantable_products": {"type": "boolean"}}
)
SUCCESS = _object({"success": {"const": True}})
VALIDATION_ERRORS = _object({"message": _object({"validation_errors": _list(TEXT, minItems=1)})})
ERROR = _object({"error": TEXT})

_BODIES: dict[str, tuple[Schema | None, Schema, Schema, tuple[int, ...]]] = {
    # name: (what is sent, what a 200 brings, what a 400 brings, other refusals beside 401)
    "verify_credentials": (None, SUCCESS, ERROR, ()),
    "submit_order": (ORDER, RECEIPT, VALIDATION_ERRORS, (400, 413)),
    "record_sale": (SALE, _object({"id": TEXT}), ERROR, (400, 404, 413, 500)),
    "notify_checkout": (CHECKOUT, SUCCESS, VALIDATION_ERRORS, (400, 413)),
    "claims": (CLAIM_FILTER, CLAIM_PAGE, VALIDATION_ERRORS, (400, 413)),
    "purchase_warranties": (None, PURCHASE_WARRANTIES, ERROR, (400, 404)),
    "offers": (ON_SALE, _list(OFFER), VALIDATION_ERRORS, (400, 413)),
}


def description() -> dict[str, Any]:
    """The whole description."""
    return {
        "openapi": "3.1.0",
        "info": {"title": "Warranty service (sandbox)", "version": "1"},
        "components": {
            "securitySchemes": {
                kind: {"type": "http", "scheme": "bearer", "description": f"The account's {kind} token."}
                for kind in ("private", "public")
            }
        },
        "paths": {
            operation.path: {operation.method.lower(): _operation(operation)} for operation in OPERATIONS
        },
    }


def _operation(operation: Operation) -> dict[str, Any]:
    sent, brought, refusal, statuses = _BODIES[operation.name]
    described: dict[str, Any] = {
        "operationId": operation.name,
        "security": [{operation.token: []}],
        "responses": {"200": _answer("Done", brought), "401": _answer("Token not recognized", ERROR)},
    }
    described["responses"].update(_refusals(statuses, refusal))
    if operation.name == "submit_order":
        described["responses"]["404"] = {"description": "No billing_address sent"}
    if operation.name == "purchase_warranties":
        described["parameters"] = [{"name": "order_id", "in": "query", "required": True, "schema": SOME_TEXT}]
    if operation.assumption is not None:
        described["description"] = (
            f"Not shown by the interface: see {operation.assumption} in ASSUMPTIONS.md."
        )
    if sent is not None:
        described["requestBody"] = {"required": True, "content": {"application/json": {"schema": sent}}}
    return described


def _refusals(statuses: Iterable[int], schema: Schema) -> dict[str, Any]:
    words = {400: "Refused", 404: "Not known", 413: "Body too large", 500: "The order could not be created"}
    return {str(status): _answer(words[status], schema) for status in statuses}


def _answer(words: str, schema: Schema) -> dict[str, Any]:
    return {"description": words, "content": {"application/json": {"schema": schema}}}
