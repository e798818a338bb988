"""`python -m pi_app` is `beisitzer`."""

from pi_app.commands.cli import main

if __name__ == "__main__":
    main(prog_name="beisitzer")
