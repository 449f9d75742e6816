"""A pace by what the service shows: more calls while it answers as quickly as before, fewer at once where it does not.

Additive increase and multiplicative decrease, as TCP does it; what "quickly" is, is the quickest mean of some answers.
"""

import math
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Final

_FIRST: Final = 16.0
_SLOWEST: Final = 0.5
_SAMPLE: Final = 8
"""Answers that are looked at together: one alone is slow by chance."""
_KNOWN: Final = 16
"""Samples whose quickest says what is quick: a service may be slower by day, whoever asks."""
_SLOWER: Final = 1.4
_OWN_SECONDS: Final = 0.02
"""What answers may be slower by without the service's doing: this machine's own work."""
_QUICK_START: Final = 2.0
_AFTER_SLOW_ANSWERS: Final = 1.1
_AFTER_A_REFUSAL: Final = 0.4
"""Calls a second more at each sample: a service that counts them refuses the first one too many."""
_DECREASE: Final = 0.75
_EASED_FOR: Final = 1.0
"""Seconds in which what was on its way when the pace was lowered lowers it no further."""


class AdaptivePace:
    """How many calls a second, up to a ceiling, and how many at once. Thread-safe."""

    def __init__(self, ceiling: float, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.per_second = min(_FIRST, ceiling)
        self.at_once = 1  # so that the first answers show how quick it is where nothing waits
        self._ceiling = ceiling
        self._clock = clock
        self._lock = threading.Lock()
        self._sample: list[float] = []
        self._means = deque[float](maxlen=_KNOWN)
        self._growth = _QUICK_START
        self._more = 0.0
        self._eased_at = -math.inf

    def answered(self, seconds: float) -> None:
        """Count an answer that took so long."""
        with self._lock:
            if self._clock() - seconds >= self._eased_at:  # else it says how the service was before
                self._sample.append(seconds)
            if len(self._sample) < _SAMPLE:
                return
            mean = sum(self._sample) / _SAMPLE
            self._sample.clear()
            self._means.append(mean)
            quiet = min(self._means)
            if mean > max(_SLOWER * quiet, quiet + _OWN_SECONDS):
                self._growth = min(self._growth, _AFTER_SLOW_ANSWERS)
                self._ease(_FIRST)
            else:
                self.per_second = min(self._ceiling, self.per_second * self._growth + self._more)
                # What this pace keeps on its way at the quickest answers; one more would wait at the service.
                self.at_once = max(1, min(self.at_once + 1, int(1.2 * self.per_second * quiet + 1)))

    def refused(self) -> None:
        """Count a 429, a 503 or a Retry-After."""
        with self._lock:
            self._growth, self._more = 1.0, _AFTER_A_REFUSAL
            self._ease(_SLOWEST)

    def _ease(self, slowest: float) -> None:
        now = self._clock()
        if now - self._eased_at < _EASED_FOR:
            return
        self._eased_at = now
        self._sample.clear()
        self.per_second = max(min(slowest, self.per_second), self.per_second * _DECREASE)
        self.at_once = max(1, self.at_once // 2)  # so far that it is quiet again
