"""The figures of the process for phones are of what they say, and within their budgets."""

from bench.web import following


def test_a_frame_reaches_all_browsers_and_the_memory_is_a_pis() -> None:
    way_s, peak_mib = following()
    assert 0 < way_s < 0.15
    assert 20 < peak_mib < 45
