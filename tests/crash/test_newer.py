"""Power cuts while other things than moves are kept, and while the clock jumps.

States as in test_states.py.
"""

import json
import logging
import random
import shutil
from collections import Counter
from pathlib import Path

import pytest

from pi_app.past.evaluation import store_evaluation
from pi_app.store.derived import Derived
from tests.crash.states import after, traced
from tests.crash.stories import STORIES, evaluation_of, evaluations
from tests.crash.test_states import needs_strace
from tests.options import Options

pytestmark = pytest.mark.nightly

STATES = 40
TELL = "import sys; from tests.crash.stories import main; main(*sys.argv[1:])"


@needs_strace
@pytest.mark.parametrize("name", STORIES)
def test_a_power_cut_leaves_what_was_confirmed_or_the_next_step(
    tmp_path: Path, name: str, caplog: pytest.LogCaptureFixture, options: Options
) -> None:
    caplog.set_level(logging.CRITICAL)
    story, folder = STORIES[name], tmp_path / "live"
    folder.mkdir()
    calls = traced(TELL, folder, name, str(folder / "t.db"))
    said = [json.loads(call.data) for call in calls if call.kind == "said"]
    states = STATES * options.times
    chance = random.Random(7)
    count: Counter[str] = Counter()
    for number in range(states):
        point = chance.randint(0, len(calls))
        state = after({}, calls[:point], chance if number % 3 else None)
        place = tmp_path / "state"
        place.mkdir()
        state.put(place)
        found, told = story.look(place / "t.db")
        step = sum(call.kind == "said" for call in calls[:point])
        last, following = said[max(0, step - 1)], said[min(step, len(said) - 1)]
        known = {"last": last, "next": following, "between": story.between(last, following)}
        what = [name for name, seen in known.items() if seen == json.loads(json.dumps(found))]
        assert what, f"state {number}, cut at call {point} of {len(calls)}: {found} after {last}"
        count[what[0]] += 1
        count["told"] += told
        shutil.rmtree(place)
    print(f"{name}: {states} states of {len(calls)} calls: {dict(count)}")  # noqa: T201
    assert not count["told"], "a power cut is no damage"
    assert count["last"]
    assert count["next"] or states < 100


@needs_strace
def test_a_power_cut_may_lose_a_course_but_alters_none_and_more_can_be_kept(
    tmp_path: Path, options: Options
) -> None:
    folder = tmp_path / "live"
    folder.mkdir()
    calls = traced(TELL, folder, "courses", str(folder / "t.db"))
    states = STATES * options.times
    chance = random.Random(8)
    count: Counter[bool] = Counter()
    for number in range(states):
        point = chance.randint(0, len(calls))
        place = tmp_path / "state"
        place.mkdir()
        after({}, calls[:point], chance if number % 3 else None).put(place)
        for key, text in evaluations(place / "t.db").items():
            assert text in (None, evaluation_of(int(key.split()[1])).as_text()), (number, point)
            count[text is not None] += 1
        derived = Derived.of_store(place / "t.db")
        store_evaluation(derived, "key 1", evaluation_of(1))
        derived.close()
        assert evaluations(place / "t.db")["key 1"] == evaluation_of(1).as_text(), (number, point)
        shutil.rmtree(place)
    print(f"courses: {states} states of {len(calls)} calls: {dict(count)}")  # noqa: T201
    assert count[True]
    assert count[False]
