"""The landing page's sentences in the customer's language: English, which is the key, and Spanish."""

from collections.abc import Mapping
from typing import Final, Literal
from urllib.parse import parse_qs

PageLanguage = Literal["en", "es"]

# Assumption landing.language
_SPANISH: Final[Mapping[str, str]] = {
    "Sandbox": "Entorno de prueba",
    "This is a training page: no payment is taken, no mail is sent.": (
        "Esta página es para practicar: no se cobra nada ni se envía ningún correo."
    ),
    "A stand-in of the warranty service, for training and tests.": (
        "Imita al servicio de garantías, para practicar y probar."
    ),
    "No order here": "Aquí no hay ningún pedido",
    "There is no order at this address": "No hay ningún pedido en esta dirección",
    "Please open the link from your receipt once more, or ask the shop for a new one.": (
        "Abra otra vez el enlace de su recibo, o pida uno nuevo a la tienda."
    ),
    "Protect what you bought": "Proteja lo que compró",
    "Bought. Your coverage is active from now on.": "Comprado. Su protección vale desde ahora.",
    "That plan could not be bought: it may have been bought already. This is what is open now.": (
        "Ese plan no se pudo comprar: quizá ya estaba comprado. Esto es lo que queda disponible."
    ),
    "Choose a plan for each product. It covers repairs and replacement for the whole term.": (
        "Elija un plan para cada producto. Cubre la reparación y el reemplazo durante todo el plazo."
    ),
    "You are covered": "Está cubierto",
    "These are the plans on your order.": "Estos son los planes de su pedido.",
    "Your order": "Su pedido",
    "There are no protection plans for these products.": "No hay planes de protección para estos productos.",
    "{n} units": "{n} unidades",
    "One plan covers all of these:": "Un solo plan cubre todo esto:",
    "{n} months": "{n} meses",
    "each, {covered} of {n} units": "cada uno, {covered} de {n} unidades",
    "Bought": "Comprado",
    "{left} of {n} units not covered yet": "{left} de {n} unidades todavía sin cubrir",
    "Buy {n} months, {type}, for {title}: {price}": "Comprar {n} meses, {type}, para {title}: {price}",
    "Buy": "Comprar",
    "Covered": "Cubierto",
    "No plan for this product": "No hay plan para este producto",
}


def say(language: PageLanguage, sentence: str, **values: object) -> str:
    """A sentence of the page, with the values in their places; one without Spanish stays English."""
    text = _SPANISH.get(sentence, sentence) if language == "es" else sentence
    return text.format(**values) if values else text


def language_of(query: bytes, accepted: bytes) -> PageLanguage:
    """What a page is written in: as its address says (`?lang=es`), else as the browser likes it best, else English."""
    wanted = parse_qs(query.decode("latin-1")).get("lang", [""])[0].lower()
    liked = sorted(map(_liking, accepted.decode("latin-1").lower().split(",")), reverse=True)
    for code in (wanted, *(code for weight, code in liked if weight > 0)):
        match code.split("-")[0]:
            case "es":
                return "es"
            case "en":
                return "en"
    return "en"


def _liking(part: str) -> tuple[float, str]:
    """How much a browser wants a language, and which: `es;q=0.9`."""
    code, _, weight = part.partition(";q=")
    try:
        return float(weight or 1), code.strip()
    except ValueError:
        return 0.0, code.strip()
