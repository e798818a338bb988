"""`python -m pi_app` is `beisitzer`."""

from pi_app.cli import main

main(prog_name="beisitzer")
