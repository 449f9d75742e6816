"""Small whole numbers counted over any run of rows: whole blocks beforehand, what sticks out on demand."""

from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Self

import numpy as np
import numpy.typing as npt

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class RunCounts:
    """`values` row by row, `edges` the rows at which blocks begin (and the end).

    `running` has, for each edge, how often each value occurs in the blocks before it.
    """

    values: npt.NDArray[np.integer[Any]]
    edges: Counts
    running: Counts

    @classmethod
    def of(cls, values: npt.NDArray[np.integer[Any]], edges: Counts, size: int) -> Self:
        """Count values from 0 to `size` - 1, block by block."""
        running = np.zeros((len(edges), size), np.int64)
        for block, (first, last) in enumerate(pairwise(edges)):
            np.add(running[block], np.bincount(values[first:last], minlength=size), out=running[block + 1])
        return cls(values, edges, running)

    def count(self, first: int, last: int) -> Counts:
        """Count the values of the rows from `first` up to, not with, `last`."""
        counts: Counts = self._until(last) - self._until(first)
        return counts

    def _until(self, row: int) -> Counts:
        """Count from the nearest edge, forwards or backwards."""
        after = int(np.searchsorted(self.edges, row))
        before = max(after - 1, 0)
        if row - self.edges[before] <= self.edges[after] - row:
            counts: Counts = self.running[before] + self._between(self.edges[before], row)
        else:
            counts = self.running[after] - self._between(row, self.edges[after])
        return counts

    def _between(self, first: int, last: int) -> Counts:
        return np.bincount(self.values[first:last], minlength=self.running.shape[1])
