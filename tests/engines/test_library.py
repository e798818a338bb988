"""The engines as a library: what the package shows about itself is so."""

import doctest

import engines


def test_the_examples_of_the_package_run_as_they_are_shown() -> None:
    found = doctest.testmod(engines)
    assert found.attempted >= 9
    assert found.failed == 0


def test_everything_that_is_exported_is_there() -> None:
    assert all(hasattr(engines, name) for name in engines.__all__)
    assert sorted(engines.__all__) == sorted(set(engines.__all__))
