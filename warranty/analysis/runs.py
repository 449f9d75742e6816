"""Small whole numbers counted over any run of rows: whole blocks beforehand, what sticks out on demand."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Counts = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class RunCounts:
    """`values` row by row, `edges` the rows at which blocks begin (and the end).

    `running` has, for each edge, how often each value occurs in the blocks before it.
    """

    values: npt.NDArray[np.int32]
    edges: Counts
    running: Counts

    @classmethod
    def empty(cls, rows: int, edges: Counts, size: int) -> "RunCounts":
        """Make one for values from 0 to `size` - 1, to be filled block by block in order."""
        return cls(np.zeros(rows, np.int32), edges, np.zeros((len(edges), size), np.int64))

    def add(self, block: int, values: npt.NDArray[Any]) -> None:
        """Take the values of the next block."""
        self.values[self.edges[block] : self.edges[block + 1]] = values
        counts = np.bincount(values, minlength=self.running.shape[1])
        np.add(self.running[block], counts, out=self.running[block + 1])

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
