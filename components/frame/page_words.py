"""What the page says by itself, without the server, in the language that it is read in (page_connection.html and
page_keys.html).
"""

import json
from collections.abc import Mapping
from typing import Final

from warranty.language import N_, Language, in_all_languages, pgettext, speaking

_WORDS: Final = {
    "blocked": N_(
        "The live connection of this page is blocked: ask IT support to allow WebSocket to {address}."
    ),
    "away": N_("No connection to the desk: check this device's Wi-Fi."),
    "silent": N_("Warranty Desk does not answer; if this lasts, call IT support."),
    "updated": N_("Warranty Desk is being updated."),
    "kept": N_("What you typed is kept, and this page goes on by itself."),
    "goes_on": N_("This page goes on by itself."),
    "looking": N_("Looking for {code}"),
    "next": N_("For the next order: {codes}"),
    "question": N_("Not taken: answer the question first, then scan again."),
}
_OF_THE_PLATFORM: Final = (
    N_("Choose an option"),
    N_("Choose options"),
    N_("Clear all"),
    N_("Clear entry"),
    N_("Selected values"),
    N_("Copy to clipboard"),
    N_("Copied"),
    N_("Link to heading"),
    N_("Increment"),
    N_("Decrement"),
    N_("App pages"),
    N_("Skip to main content"),
    N_("No results"),
    N_("No options to select"),
    N_("No options to select."),
    N_("Show password"),
    N_("Hide password"),
    N_("file upload"),
    N_("Upload"),
    N_("Drag and drop a file here"),
    N_("Drag and drop files here"),
    N_("Upload failed"),
    N_("Select all"),
    N_("Sort ascending"),
    N_("Sort descending"),
    N_("Autosize"),
    N_("Pin column"),
    N_("Unpin column"),
    N_("Hide column"),
    N_("Copy column name"),
    N_("Fullscreen"),
    N_("Fullscreen: {table}"),
    N_("Close fullscreen"),
    N_("Close fullscreen: {table}"),
    N_("Help"),
    N_("Help for {field}"),
    N_("Remove {name}"),
    N_("Cancel upload of {name}"),
    N_("Shortcut {keys}"),
    N_("{size} per file"),
    N_("{n} more"),
    N_("Press Enter to apply"),
    N_("Press Enter to submit form"),
    N_("Running..."),
    N_("Close"),
    N_("Dismiss"),
)
"""Phrases that the platform has in English alone, as it says them (page_platform.html)."""
# A value is never looked at as a pattern, and the first language that is known stands in for one that is not.
_SCRIPT: Final = """<script>
const deskWords = (name, values = {}) => {
  const all = ALL_WORDS, words = all[document.documentElement.lang] ?? all.en;
  return words[name].replace(/{([a-z]+)}/g, (_, value) => values[value]);
};
deskWords.platform = PLATFORM_WORDS;
</script>
"""


def page_words() -> str:
    """The script that says them: `deskWords(name, values)`."""
    platforms = in_all_languages({words: words for words in _OF_THE_PLATFORM})
    for code, said in platforms.items():
        with speaking(code):
            said["Open"] = pgettext("a list of choices", "Open")
    script = _SCRIPT.replace("ALL_WORDS", _told(in_all_languages(_WORDS)), 1)
    return script.replace("PLATFORM_WORDS", _told(platforms), 1)


def _told(words: Mapping[Language, Mapping[str, str]]) -> str:
    return json.dumps(words).replace("<", "\\u003c")  # it stands in a page
