"""A restart in the middle of keys: nothing confirmed is lost, nothing is played twice."""

import tempfile
from pathlib import Path

from pi_app.phones.protocol import WebSettings
from tests.pi_app.phones.client import Client, Phone, Table
from tests.stand_ins.waiting import wait_for

J4F = {"Game": "just4fun", "Players": "Anna yellow, Ben red"}


def test_a_restart_loses_no_confirmed_key_and_plays_none_twice() -> None:
    with tempfile.TemporaryDirectory(prefix="b") as folder:
        one = Table(Path(folder), J4F)
        with one.phone() as phone:
            phone.keys("5", "ENTER", "9")
            token, epoch, n = phone.token, phone.epoch, phone.n
            one.end()
        other = Table(Path(folder), None)
        try:
            assert other.tokens() == ("5",)
            with Phone(other.path, token) as phone:
                assert phone.epoch != epoch
                for late in (n - 1, n, n + 1):
                    assert phone.key("ENTER", epoch=epoch, n=late)["error"] == "epoch"
                assert other.tokens() == ("5",)
                phone.keys("9", "ENTER")
                assert other.tokens() == ("5", "9")
        finally:
            other.end()


def test_switched_off_and_on_at_the_table_no_key_of_before_counts() -> None:
    with tempfile.TemporaryDirectory(prefix="b") as folder:
        opened = Table(Path(folder), J4F)
        try:
            with opened.phone() as phone:
                phone.keys("5")
                off = opened.ctx.settings.plus(WebSettings(enabled=False))
                opened.phones.configure(off)
                assert not opened.path.exists()
                opened.phones.configure(opened.ctx.settings)
                opened.wait()
                with Client(opened.path) as client:
                    assert client.line()["epoch"] != phone.epoch
                    assert client.frame()["entry"]["text"] == "5"
                with Phone(opened.path, phone.token) as again:
                    assert again.key("5", epoch=phone.epoch)["error"] == "epoch"
                    again.keys("6")
                    assert again.newest["entry"]["text"] == "56"
        finally:
            opened.end()


def test_the_port_is_opened_and_closed_as_phones_are_let_in() -> None:
    told: list[bool] = []
    with tempfile.TemporaryDirectory(prefix="b") as folder:
        opened = Table(Path(folder), J4F, switch=told.append)
        try:
            wait_for(lambda: told[-1:] == [True])  # the loop opens the socket first, then the door
            off = opened.ctx.settings.plus(WebSettings(enabled=False))
            opened.phones.configure(off)
            assert told[-1] is False
            opened.phones.configure(opened.ctx.settings)
            assert told[-1] is True
        finally:
            opened.end()
        assert told[-1] is True, "the door stays open while the companion starts anew"
