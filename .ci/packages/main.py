"""python -m cupel_cli: runs the cupel that this distribution installed, with the same arguments and exit code."""
import importlib.metadata
import os
import subprocess
import sys


def binary():
    for file in importlib.metadata.files("cupel-cli") or ():
        if file.name in ("cupel", "cupel.exe"):
            return os.path.realpath(file.locate())
    sys.exit("cupel: error: the distribution cupel-cli has no program\ncupel: hint: install it again with pip")


if __name__ == "__main__":
    command = [binary(), *sys.argv[1:]]
    if os.name == "nt":
        sys.exit(subprocess.call(command))
    os.execv(command[0], command)
