"""What the contract says of a club's certificate: which text counts, and what people compare."""

import ssl
from hashlib import sha256

import pytest

from pi_app.link.contract import MARK_DIGITS, PEM_LIMIT, mark, one_certificate, random_word
from pi_app.wire.messages import MessageError

DER = bytes(range(200))
PEM = ssl.DER_cert_to_PEM_cert(DER)
BEGIN, *ROWS, END = PEM.splitlines()


def framed(*rows: str) -> str:
    return "\n".join((BEGIN, *rows, END, ""))


@pytest.mark.parametrize("pem", [PEM, framed("".join(ROWS)), PEM.replace("\n", "\r\n")])
def test_a_certificate_is_written_in_one_way_however_it_came(pem: str) -> None:
    assert one_certificate(pem) == PEM


@pytest.mark.parametrize(
    "pem",
    ["", PEM + PEM, f"junk\n{PEM}", framed("AAA=AAAA"), framed("A"), framed("A" * PEM_LIMIT)],
)
def test_what_is_not_one_certificate_is_refused(pem: str) -> None:
    with pytest.raises(MessageError, match="one certificate"):
        one_certificate(pem)


def test_a_random_word_has_no_letter_that_people_take_for_another() -> None:
    words = [random_word(40) for _ in range(20)]
    assert {len(word) for word in words} == {40}
    assert not set("".join(words)) & set("01ilo")
    assert len(set(words)) == 20


def test_a_mark_is_the_begin_of_the_certificates_digest_in_fours() -> None:
    assert mark(PEM).replace(" ", "") == sha256(DER).hexdigest()[:MARK_DIGITS]
    assert {len(four) for four in mark(PEM).split(" ")} == {4}
