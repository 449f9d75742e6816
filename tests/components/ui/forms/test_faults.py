"""The summary of what is wrong with the input."""

from streamlit.testing.v1 import AppTest

from tests.components.stage import shown


def test_a_long_summary_names_the_first_faults_and_counts_the_others() -> None:
    def form(count: int) -> None:
        from components.ui.forms.faults import problem_summary

        problem_summary({f"line.{n}": f"Item {n}: enter a price" for n in range(count)})

    for count, last in ((12, "- Item 11: enter a price"), (100, "- and 95 more")):
        (summary,) = shown(AppTest.from_function(form, args=(count,)).run()).error
        lines = summary.value.replace("\\", "").splitlines()[2:]
        assert (len(lines), lines[-1]) == (12 if count == 12 else 6, last)
