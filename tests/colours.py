"""How colours are seen: their contrast, and how far two of them are apart, also without one kind of cone.

Sight without one kind of cone is simulated by the matrices of Machado, Oliveira and Fernandes (2009, severity 1); how
far two colours are apart is CIEDE2000 (Sharma, Wu and Dalal, 2005); contrast is that of WCAG 2.2.
"""

from collections.abc import Iterable
from itertools import combinations
from typing import Final

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

SIGHTS: Final = {
    "all three cones": np.eye(3),
    "no red (protanopia)":
        np.array([[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]),
    "no green (deuteranopia)":
        np.array([[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]),
    "no blue (tritanopia)":
        np.array([[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]),
}  # fmt: skip
_TO_XYZ: Final = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)


def linear(colour: str) -> Floats:
    parts = np.array([int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)])
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def contrast(one: str, other: str) -> float:
    lighter, darker = sorted((float((_TO_XYZ[1] @ linear(each))) for each in (one, other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def lab(light: Floats) -> Floats:
    """CIE L*a*b* (D65) of linear light."""
    share = _TO_XYZ @ light / np.array([0.95047, 1, 1.08883])
    x, y, z = np.where(share > (6 / 29) ** 3, np.cbrt(share), share / (3 * (6 / 29) ** 2) + 4 / 29)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def apart(one: Floats, other: Floats) -> float:
    """CIEDE2000 of two colours in L*a*b*."""
    lightness, a, b = np.stack([one, other], axis=1)
    chroma = np.hypot(a, b).mean() ** 7
    a = a * (1.5 - 0.5 * np.sqrt(chroma / (chroma + 25.0**7)))
    chroma, hue = np.hypot(a, b), np.degrees(np.arctan2(b, a)) % 360
    turn = (hue[1] - hue[0] + 180) % 360 - 180
    middle = (hue[0] + turn / 2) % 360
    dl, dc = lightness[1] - lightness[0], chroma[1] - chroma[0]
    dh = 2 * np.sqrt(chroma.prod()) * np.sin(np.radians(turn / 2))
    l50, c = (lightness.mean() - 50) ** 2, chroma.mean()
    waves = ((-0.17, 1, -30), (0.24, 2, 0), (0.32, 3, 6), (-0.2, 4, -63))
    t = 1 + sum(high * np.cos(np.radians(times * middle + by)) for high, times, by in waves)
    sl, sc, sh = 1 + 0.015 * l50 / np.sqrt(20 + l50), 1 + 0.045 * c, 1 + 0.015 * c * t
    turned = np.radians(60 * np.exp(-(((middle - 275) / 25) ** 2)))
    rt = -2 * np.sqrt(c**7 / (c**7 + 25.0**7)) * np.sin(turned)
    return float(np.sqrt((dl / sl) ** 2 + (dc / sc) ** 2 + (dh / sh) ** 2 + rt * (dc / sc) * (dh / sh)))


def nearest(colours: Iterable[str], sight: str) -> tuple[float, str, str]:
    """The two of these that are nearest to who sees so, and how far they are apart."""
    seen = {colour: lab(np.clip(SIGHTS[sight] @ linear(colour), 0, 1)) for colour in colours}
    return min((apart(seen[one], seen[other]), one, other) for one, other in combinations(seen, 2))
