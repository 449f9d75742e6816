"""The link kit in the language of the customer, whatever the person at the counter reads."""

from urllib.parse import unquote

from streamlit.testing.v1 import AppTest

from tests.components.stage import Stage, shown, words
from tests.components.submit_order.form import filled, press


def letters(screen: AppTest) -> list[str]:
    """The mail and the text message that wait to be sent."""
    links = [unquote(link.proto.url) for link in screen.get("link_button")]
    return [link for link in links if link.startswith(("mailto:", "sms:"))]


def test_the_customers_language_is_chosen_at_the_link_and_changes_the_letters_and_not_the_screen(
    stage: Stage,
) -> None:
    screen = shown(press(filled(stage), "Send order").run())
    assert all(
        "Thank you for shopping" in each or "thank you for shopping" in each for each in letters(screen)
    )
    (choice,) = [each for each in screen.segmented_control if each.label == "Customer's language"]
    choice.set_value("es")
    screen = shown(screen.run())
    mail, text = letters(screen)
    assert "Vea los planes" in mail
    assert "Vea los planes" in text
    assert "shopping" not in mail + text
    assert "The order is stored." in words(screen)
    assert any(button.label == "Next order" for button in screen.button)
