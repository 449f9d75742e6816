"""Registered tills: who is switched in there by a PIN or a badge, and who may see to that."""

from warranty.people.tills.switching import BADGE_PREFIX, Answer, EasyPin, OnPad, TillDesk
