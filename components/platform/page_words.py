"""What the page says by itself, without the server, in the language that it is read in (page_connection.html and
page_keys.html).
"""

import json
from typing import Final

from warranty.language import N_, in_all_languages

_WORDS: Final = {
    "blocked": N_("The live connection of this page is blocked: ask IT support to allow WebSocket to {address}."),
    "away": N_("No connection to the desk: check this device's Wi-Fi."),
    "silent": N_("Warranty Desk does not answer; if this lasts, call IT support."),
    "updated": N_("Warranty Desk is being updated."),
    "kept": N_("What you typed is kept, and this page goes on by itself."),
    "goes_on": N_("This page goes on by itself."),
    "looking": N_("Looking for {code}"),
    "next": N_("For the next order: {codes}"),
    "question": N_("Not taken: answer the question first, then scan again."),
}
# A value is never looked at as a pattern, and the first language that is known stands in for one that is not.
_SCRIPT: Final = """<script>
const deskWords = (name, values = {}) => {
  const all = ALL_WORDS, words = all[document.documentElement.lang] ?? all.en;
  return words[name].replace(/{([a-z]+)}/g, (_, value) => values[value]);
};
</script>
"""


def page_words() -> str:
    """The script that says them: `deskWords(name, values)`."""
    words = json.dumps(in_all_languages(_WORDS)).replace("<", "\\u003c")  # it stands in a page
    return _SCRIPT.replace("ALL_WORDS", words, 1)
