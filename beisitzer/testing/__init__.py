"""The suite that every game passes: `pytest --pyargs beisitzer.testing --game halma`.

It needs the installed distribution with its extra `testing`, and nothing else. Without `--game`
it takes every game of another distribution that is installed. `test_parts` goes first: it says in
one sentence for each missing part what to write, and the other tests wait until nothing is missing.
"""
