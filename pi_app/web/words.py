"""The pages' texts: the browser fetches them in the table's language."""

from pi_app.texts.language import Texts


def words(tx: Texts) -> dict[str, str]:
    """Return what /texts.json gives, by the names that the pages use."""
    return {"language": tx.language}
