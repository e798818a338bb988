"""A table whose phones ask without a socket: each request is carried out at once, in the test."""

from pathlib import Path
from typing import Any, get_args, get_type_hints

from pi_app.phones.output import Phones
from pi_app.phones.protocol import REQUESTS, Request
from pi_app.phones.reception import Reception
from pi_app.wire.messages import Message, String, Whole, checks
from tests.pi_app.pilot import Pilot

EPOCH = "5f0c6a1de2b34871"
Answer = dict[str, Any]


def rule_of(message: type[Message], name: str) -> Whole | String:
    """Return the rule of a request's field."""
    rule: Whole | String = get_args(get_type_hints(message, include_extras=True)[name])[1]
    return rule


def sample_fields(kind: str) -> Answer:
    """Return a value that fits for each field of a request."""
    message = REQUESTS[kind]
    rules = {name: rule_of(message, name) for name in checks(message)}
    return {name: "x" if isinstance(rule, String) else 0 for name, rule in rules.items()}


class Desk(Pilot):
    """A pilot with phones beside it."""

    def __init__(self, tags: dict[str, str] | None = None, language: str = "en") -> None:
        super().__init__(tags, language)
        self.phones = Phones(self.program, path=Path("none"), barred=True)
        self.program.follow(self.phones)
        self.program.keys.open()
        self.program.frame = None
        self.program.show()
        self.pairing = self.phones.pairing
        self.reception = Reception(
            self.phones.table, self.pairing, EPOCH, lambda: self.ctx.texts, lambda act: act()
        )

    def phone(self, name: str, seat: int | None = None) -> "DeskPhone":
        """Return a paired phone, which has a seat."""
        token = self.pairing.pair(self.pairing.show_code(), name)
        assert isinstance(token, str)
        phone = DeskPhone(self, token)
        if seat is not None:
            assert phone.ask("claim", seat=seat)["ok"]
        return phone

    def tokens(self) -> tuple[str, ...]:
        table = self.phones.table._table()
        return () if table is None else table.tokens()


class DeskPhone:
    """A phone and what its page shows."""

    def __init__(self, desk: Desk, token: str) -> None:
        self.desk, self.token, self.n = desk, token, 0

    def shown(self, kind: str) -> int:
        """Return the number of what the page shows now, for a request of this kind."""
        phones = self.desk.phones
        return phones._keyed_frame if kind == "key" else phones.table.position()

    def ask(self, kind: str, **fields: Any) -> Answer:
        """Send a request, by default with what is shown now, and return its answer."""
        self.n += 1
        now = {"token": self.token, "epoch": EPOCH, "seen": self.shown(kind), "n": self.n}
        answers: list[Any] = []
        asked = REQUESTS[kind].read({**now, **fields})
        self.desk.reception.ask(Request(str(self.n), asked), answers.append)
        while not answers:
            self.desk.program.step(0.0)
        answer: Answer = dict(answers[0])
        return answer
