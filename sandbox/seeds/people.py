"""Customers and what they write: made up, and as unruly as the real thing."""

from dataclasses import dataclass
from random import Random

# fmt: off
_FIRST = (
    "Dana", "Nuño", "Ada", "Grace", "Alan", "Zoë", "Małgorzata", "Søren", "Aiko", "Ngozi", "Émile", "Priya", "Luca",
    "Ingrid", "Omar", "Chloë", "Dmitri", "Ana", "Yusuf", "Mei",
)
_LAST = (
    "Whitfield", "Álvarez", "Byron", "Hopper", "Okafor", "Nowak", "Kierkegaard", "Tanaka", "Dubois", "Sharma",
    "Rossi", "Larsen", "Haddad", "Petrov", "Silva", "Demir", "Chen", "O’Neill", "Müller", "Kovács",
)
# fmt: on
_DOMAINS = ("example.com", "example.org", "mail.example.net")


@dataclass(frozen=True, slots=True)
class Customer:
    """A made-up customer; `offset` is the UTC offset of where they live, in minutes."""

    first_name: str
    last_name: str
    email: str
    offset: int


def customers(random: Random, count: int) -> list[Customer]:
    """As many different customers as asked for."""
    made = []
    for number in range(count):
        first, last = random.choice(_FIRST), random.choice(_LAST)
        plain = f"{first}.{last}".lower().encode("ascii", "ignore").decode()
        email = f"{plain}{number}@{random.choice(_DOMAINS)}"
        made.append(Customer(first, last, email, random.choice((-480, -300, -240, 0, 60, 120, 330))))
    return made


_ORDINARY = (
    "It stopped working after a few weeks.",
    "There is a crack across the front, it was like that one morning.",
    "Makes a grinding noise when it starts.",
    "Will not charge any more. I tried two other cables.",
    "The left side has no sound.",
    "Dropped it on the stairs. Does not turn on.",
    "Leaks water on the floor after each use.",
    "One leg came loose and the wood split.",
    "Battery lasts ten minutes now, it was eight hours at first.",
    "The screen flickers when it gets warm.",
    "Error E24 on the display, nothing in the manual helps.",
    "Stain that does not come out, as described in the cover.",
    "The door does not close properly since the delivery.",
    "Repaired once already, the same fault came back after 3 weeks.",
)

UNRULY = (
    '=HYPERLINK("https://example.com/refund","click here for my refund")',
    "=1+1",
    "+1 212 555 0100 is my number, call after 6",
    "-no picture, only sound",
    "@home nobody answers the door before 5 pm",
    "<script>alert('claim')</script>",
    "<b>VERY URGENT</b> <img src=x onerror=alert(1)>",
    "Broken.\nTwice.\r\n\r\nThe second time in pieces.\tSee photos.",
    "Nothing works 😡😡 please help 🙏🏽",
    "الشاشة لا تعمل منذ يومين",
    "המסך נשבר אחרי שבוע",
    'She said "it\'s fine"; it is not; cost me 1,299.00; again',
    "**bold** [a link](javascript:alert(1)) :red[paint] $x^2$ `code` # title",
    "line one\u2028line two\u00a0with odd spaces\u200b and a \u202eback-to-front",
    "画面が割れました。修理をお願いします。",
    "Ça a lâché d’un coup — 2ᵉ fois",
    "It rattles. " * 160,
    "",
)


def description(random: Random) -> str:
    """What a customer writes: mostly plain, one in seven as nobody wants to handle it."""
    return random.choice(UNRULY if random.random() < 0.15 else _ORDINARY)
