"""Texts for speech: signs, cards and numbers in words, for any synthesizer.

Synthesizers differ ("2." is an ordinal to some in German, "×" a letter). Libraries that spell
numbers load dozens of languages, too slowly for a key; a table needs two, and no number above 9999.
"""

import re
from collections.abc import Mapping
from functools import partial

from pi_app.texts.language import Texts

_CARD = re.compile(r"\b(10|[2-9AJQK])([♠♥♦♣])")
_SIGN = re.compile(r"\s*([+×=→*#%★♠♥♦♣])\s*")
_RANGE = re.compile(r"(?<=\d)[-–](?=\d)")
_NUMBER = re.compile(r"(?<![\w.])\d{1,4}(?!\w|\.\d)")
"""A whole number: not a part of a word, of a date or of a number with a point."""
_ONE = re.compile(r"(?<![\w.])1 (?=(Karte|Runde|Kette|Reihe)\b|Stein\b|Punkt\b|Feld\b|Zug\b)")
"""A one that German inflects; the group is set for feminine nouns ("eine")."""

_UNITS = {
    "en": "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen "
    "fifteen sixteen seventeen eighteen nineteen",
    "de": "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn "
    "fünfzehn sechzehn siebzehn achtzehn neunzehn",
}
_TENS = {
    "en": "twenty thirty forty fifty sixty seventy eighty ninety",
    "de": "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig",
}


def spell_out(tx: Texts, text: str) -> str:
    """Return the text with signs, cards and numbers in words, in the language of `tx`."""
    words = _words(tx.language)

    def name_card(card: re.Match[str]) -> str:
        rank, suit = words.get(card[1], card[1]), words[card[2]]
        return tx("speech", "{rank} of {suit}", rank=rank, suit=suit)

    # first, because a suit is also a sign
    text = _CARD.sub(name_card, text)
    text = _RANGE.sub(f" {words['-']} ", text)
    text = _SIGN.sub(lambda match: f" {words[match[1]]} ", text)
    if tx.language == "de":
        text = _ONE.sub(lambda match: "eine " if match[1] else "ein ", text)
    text = _NUMBER.sub(lambda match: number_words(tx.language, int(match[0])), text)
    # signs became words between blanks: keep one of several blanks, none before a comma
    text = re.sub(r"\s+([,.:;!?])", r"\1", " ".join(text.split()))
    return text[:1].upper() + text[1:]


def _words(language: str) -> Mapping[str, str]:
    tx = Texts(language)
    return {
        "+": tx("speech", "plus"),
        "×": tx("speech", "times"),
        "=": tx("speech", "is"),
        "→": tx("speech", "to"),
        "-": tx("speech", "up to"),
        "*": tx("speech", "star"),
        "%": tx("speech", "percent"),
        "#": tx("speech", "hash"),
        "★": tx("speech", "star"),
        "♠": tx("speech", "spades"),
        "♥": tx("speech", "hearts"),
        "♦": tx("speech", "diamonds"),
        "♣": tx("speech", "clubs"),
        "A": tx("speech", "ace"),
        "J": tx("speech", "jack"),
        "Q": tx("speech", "queen"),
        "K": tx("speech", "king"),
    }


def number_words(language: str, number: int) -> str:
    """Return a number from 0 to 9999 in words; in other languages than these two in digits."""
    if language not in _UNITS:
        return str(number)  # the synthesizer knows it
    say, german = partial(number_words, language), language == "de"
    if number < 20:
        return _UNITS[language].split()[number]
    if number < 100:
        ten, unit = divmod(number, 10)
        ten_word = _TENS[language].split()[ten - 2]  # the list begins with twenty
        if german and unit:  # einundzwanzig, not einsundzwanzig
            return f"{'ein' if unit == 1 else say(unit)}und{ten_word}"
        return f"{ten_word}-{say(unit)}" if unit else ten_word
    size = 1000 if number >= 1000 else 100
    count, rest = divmod(number, size)
    if german:  # tausend, not einstausend
        many = "" if count == 1 else say(count)
        return f"{many}{'tausend' if size == 1000 else 'hundert'}{say(rest) if rest else ''}"
    words = f"{say(count)} {'thousand' if size == 1000 else 'hundred'}"
    joint = " and " if rest < 100 else " "
    return f"{words}{joint}{say(rest)}" if rest else words
