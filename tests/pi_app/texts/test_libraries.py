"""Libraries that cannot be imported: missing only if they are, else what they need is named."""

import pytest

from pi_app.texts.language import Texts
from pi_app.texts.libraries import library_words, system_library

TX = Texts("en")
REMEDY = "pip install x"
NOT_THERE = "cannot open shared object file: No such file or directory"


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (
            ModuleNotFoundError("No module named 'pygame'", name="pygame"),
            "pygame is missing. Do: pip install x",
        ),
        (
            ModuleNotFoundError("No module named 'paho.mqtt'", name="paho.mqtt"),
            "paho is missing. Do: pip install x",
        ),
        (
            ImportError(f"libSDL2_image-2.0.so.0: {NOT_THERE}", name="pygame"),
            "pygame does not load, as libSDL2_image-2.0.so.0 is missing. "
            "Do: sudo apt install libsdl2-image-2.0-0",
        ),
        (
            ImportError("cannot import name 'x' from partially initialized module", name="pygame"),
            "pygame does not load (cannot import name 'x' from partially initialized module). "
            "Install it again.",
        ),
        (  # a Python that was built without it
            ModuleNotFoundError("No module named '_ctypes'", name="_ctypes"),
            "pygame does not load (No module named '_ctypes'). Install it again.",
        ),
    ],
)
def test_why_a_library_cannot_be_imported(error: ImportError, said: str) -> None:
    assert library_words(TX, error, "pygame", REMEDY) == said


def test_a_fault_of_ours_is_no_missing_library() -> None:
    with pytest.raises(ModuleNotFoundError):
        library_words(
            TX, ModuleNotFoundError("No module named 'pi_app.gone'", name="pi_app.gone"), "x", "y"
        )


@pytest.mark.parametrize(
    ("library", "package"),
    [
        ("libSDL2-2.0.so.0", "libsdl2-2.0-0"),
        ("libopenjp2.so.7", "libopenjp2-7"),
        ("libtiff.so.6", "libtiff6"),
        ("liblgpio.so.1", "liblgpio1"),
        ("libpq.so.5", "libpq5"),
        ("libxcb.so.1", "libxcb1"),
    ],
)
def test_the_package_of_a_systems_library_has_its_name_and_version(
    library: str, package: str
) -> None:
    assert system_library(f"/usr/lib/x.so: {library}: {NOT_THERE}") == (library, package)
