"""Links on a page lead somewhere: to a file, and to a heading in it."""

import pytest

from tests.docs.pages import Page, anchor, page, pages


@pytest.mark.parametrize("each", pages(), ids=str)
def test_links_resolve(each: Page) -> None:
    for link in each.links:
        if "://" in link:
            continue
        place, _, wanted = link.partition("#")
        target = (each.path.parent / place).resolve() if place else each.path
        assert target.exists(), link
        if wanted:
            names = [anchor(words) for _, words in Page(target, target.read_text()).headings]
            assert wanted in names, link


def test_every_page_can_be_reached_from_the_readme() -> None:
    seen = {page("README.md").path}
    todo = list(seen)
    while todo:
        path = todo.pop()
        for link in Page(path, path.read_text("utf-8")).links:
            target = (path.parent / link.partition("#")[0]).resolve()
            if target.suffix == ".md" and target not in seen:
                seen.add(target)
                todo.append(target)
    assert {each.path for each in pages() if each.path.suffix == ".md"} == seen


@pytest.mark.parametrize(
    ("words", "expected"),
    [("Troubleshooting", "troubleshooting"), ("`[oled]`, the display", "oled-the-display")],
)
def test_anchors_are_made_as_readers_expect(words: str, expected: str) -> None:
    assert anchor(words) == expected


def test_there_are_thirty_pages_at_most_of_50_000_words_that_say_what_they_are_for() -> None:
    written = [each for each in pages() if each.path.suffix == ".md"]
    assert len(written) <= 30
    assert sum(len(each.text.split()) for each in written) <= 50_000
    for each in written:
        title, _, rest = each.text.partition("\n\n")
        assert title.startswith("# "), each
        assert rest[0].isalpha(), each
