"""What is wrong with the input: a summary on top in the order of the form, and the same sentence at its field."""

from collections.abc import Mapping

import streamlit as st


def plain(text: str) -> str:
    """Our own sentences may quote what a person typed: no character of it is Markdown."""
    return "".join(f"\\{letter}" if letter in r"\`*_{}[]()#+-.!|>~$:<" else letter for letter in text)


def problem_summary(problems: Mapping[str, str]) -> None:
    """Say on top that there is a problem, one line per fault; draws nothing without faults."""
    if problems:
        lines = "\n".join(f"- {plain(sentence)}" for sentence in dict.fromkeys(problems.values()))
        st.error(f"**There is a problem**\n\n{lines}")


def problem_at(problems: Mapping[str, str], *fields: str, prefix: str = "") -> None:
    """Repeat the sentence at its field; draws nothing where the field has no fault."""
    for field in fields:
        if field in problems:
            st.markdown(f":red[**{plain(prefix + problems[field])}**]")
