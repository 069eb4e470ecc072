"""What a script passes on from its own environment to the programs that it runs, so that no setting of the caller changes them."""

import os

# `./test` names a voices directory that has the standard pack alone, so that catalogs look alike on every machine.
PASSED_ON = ("PATH", "HOME", "XDG_DATA_HOME", "LECTERN_SPEECH__VOICES_DIR")


def clean_environment():
    return {name: os.environ[name] for name in PASSED_ON if name in os.environ}
