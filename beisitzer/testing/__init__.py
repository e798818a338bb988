"""The suite that every game passes: `pytest --pyargs beisitzer.testing --game halma`.

It needs only the installed distribution with its extra `testing`. Without `--game` it tests every
installed game that Beisitzer does not ship. `test_parts` comes first: it says in a sentence for
each missing part what to write; the other tests are skipped until no part is missing.
"""
