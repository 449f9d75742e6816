"""A claim's status as people read it; the service's words are an open set, and none is lost."""

from warranty.claims.analysis import shown_word


def status_words(word: str) -> str:
    """`Awaiting parts` for `AWAITING_PARTS`; what somebody wrote as words already is not touched."""
    if not _is_a_programs_name(word):
        return shown_word(word)
    return word.replace("_", " ").strip().capitalize()


def status_with_its_word(word: str) -> str:
    """The status for people, and beside it the service's own word where that is written otherwise."""
    label = status_words(word)
    return label if label == word or not word else f"{label} ({word})"


def _is_a_programs_name(word: str) -> bool:
    """Whether it is all capitals or all small; of so few letters as RMA it may be a word's beginnings."""
    of_one_kind = len(word) > 3 and (word.isupper() or word.islower())
    return of_one_kind and all(mark.isalnum() or mark in "_- " for mark in word)
