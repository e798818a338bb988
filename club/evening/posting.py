"""How `club do` hands an act to the hub of its folder: a line of JSON there, and one back."""

from __future__ import annotations

import asyncio
import socket
from asyncio import StreamReader, StreamWriter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Annotated, Any

from club.evening.acts.every import carry_out
from club.evening.errors import ActError
from club.evening.sentences import act_words, database_words
from club.store.database import ClubDatabase, DatabaseError
from club.store.identity import ensure_identity
from pi_app.system.replace import PRIVATE
from pi_app.texts.language import Texts
from pi_app.wire.messages import Message, MessageError, String, Word, line_of, read_object

SOCKET = "hub.sock"
"""The socket in a hub's folder; only its own user may connect."""
LINE_LIMIT_BYTES = 9 * 1024 * 1024
"""An evening that another hub has exported may be long."""


class PostedAct(Message):
    """An act, who does it, and the language in which a refusal is said."""

    language: Word
    who: Annotated[str, String(64, cut=True)]
    act: Annotated[str, String(64, raw=True)]
    asked: dict[str, Any]


def answer_of(database: ClubDatabase, posted: PostedAct) -> dict[str, Any]:
    """Do an act and return what it says; `error` is a sentence if it is not possible."""
    tx = Texts(posted.language)
    try:
        with database.write() as writing:
            ensure_identity(writing)
            return carry_out(writing, posted.who, posted.act, posted.asked)
    except ActError as error:
        return {"error": act_words(tx, error), "is_usage": error.is_usage}
    except DatabaseError as error:
        return {"error": database_words(tx, error), "is_usage": False}


def post(folder: Path, posted: PostedAct) -> dict[str, Any] | None:
    """Return the answer of the hub that runs in a folder, None if none runs there.

    OSError if it ends before it has answered: nobody knows whether the act was done.
    """
    with socket.socket(socket.AF_UNIX) as connection:
        try:
            line = line_of(posted.facts(), LINE_LIMIT_BYTES)
            connection.connect(str(folder / SOCKET))
        except (OSError, ValueError):
            return None
        connection.sendall(line)
        with connection.makefile("rb") as answers:
            answer = answers.readline()
    try:
        return read_object(answer)
    except MessageError:
        raise ConnectionResetError from None


async def take_posts(folder: Path, database: ClubDatabase, wake: Callable[[], None]) -> None:
    """Carry out from now on what is posted in a folder; OSError."""

    async def answer(reader: StreamReader, writer: StreamWriter) -> None:
        with suppress(OSError, ValueError):  # whoever posted has gone, or is no `club do`
            posted = PostedAct.read(read_object(await reader.readline()))
            done = await asyncio.to_thread(answer_of, database, posted)
            wake()
            writer.write(line_of(done, LINE_LIMIT_BYTES))
            await writer.drain()
        writer.close()

    path = folder / SOCKET
    path.unlink(missing_ok=True)
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(path))
    path.chmod(PRIVATE)  # nobody can connect before it listens
    await asyncio.start_unix_server(answer, sock=listening, limit=LINE_LIMIT_BYTES)
