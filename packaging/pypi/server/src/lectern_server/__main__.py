"""Becomes the program `lectern` that this package installed: `uvx lectern-server`, `python -m lectern_server`."""

import os
import sys
from importlib.metadata import files


def program():
    """Where the program lies: as the installer recorded it, whatever the layout."""
    for file in files("lectern-server") or ():
        if file.name == "lectern" and file.parent.name == "bin":
            return os.path.normpath(file.locate())
    sys.exit("lectern-server: the program is not in this environment; install the package again")


def main():
    path = program()
    os.execv(path, [path, *sys.argv[1:]])


if __name__ == "__main__":
    main()
