"""Disks of a run's own that can be filled: ext4 in a sparse file, mounted where nobody but the run and its processes sees it, and gone
with them."""

import contextlib
import ctypes
import errno
import os
import shutil
import subprocess
import threading
import time
from pathlib import Path

BYTES = 1 << 30
CLONE_NEWNS = 0x00020000


def may_be_mounted():
    """Whether this account may mount, and files as disks; from then on what is mounted is seen by this process and its children only."""
    if os.geteuid() != 0 or ctypes.CDLL(None).unshare(CLONE_NEWNS) != 0:
        return False
    asked = [["mount", "--make-rprivate", "/"], ["losetup", "--find"], ["mkfs.ext4", "-V"]]
    return all(shutil.which(one[0]) and subprocess.run(one, capture_output=True).returncode == 0 for one in asked)


class Disk:
    """A file system of one gibibyte, and what fills it."""

    def __init__(self, image, folder):
        self.folder, self.image, self.filler = Path(folder), Path(image), Path(folder, "filler")
        self.times_full = 0
        with open(self.image, "wb") as file:
            file.truncate(BYTES)
        # Reserve no blocks for root: processes of root should also meet the full disk.
        subprocess.run(["mkfs.ext4", "-q", "-F", "-m", "0", self.image], check=True)
        self.folder.mkdir()
        subprocess.run(["mount", "-o", "loop", self.image, self.folder], check=True)

    @contextlib.contextmanager
    def full(self):
        """Fills every block, and takes blocks that are freed meanwhile, as another program's log would."""
        over = threading.Event()
        with open(self.filler, "wb", buffering=0) as file:
            self.times_full += self.becomes_full(file.fileno())

            def keep():
                while not over.wait(0.1):
                    self.take(file.fileno())

            keeper = threading.Thread(target=keep, daemon=True)
            keeper.start()
            try:
                yield
            finally:
                over.set()
                keeper.join()
                self.times_full += self.becomes_full(file.fileno())
                self.filler.unlink()

    def take(self, file):
        for piece in (1 << 26, 1 << 20, 1 << 12):
            with contextlib.suppress(OSError):
                while True:
                    os.posix_fallocate(file, os.fstat(file).st_size, piece)

    def becomes_full(self, file):
        """Fills what is free until another program finds nothing. A file that is deleted in between gives blocks back."""
        for _ in range(50):
            self.take(file)
            if self.takes_nothing():
                return True
            time.sleep(0.1)
        return False

    def takes_nothing(self):
        probe = self.folder / "probe"
        try:
            with open(probe, "wb") as file:
                file.write(bytes(1 << 16))
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            return error.errno == errno.ENOSPC
        finally:
            probe.unlink(missing_ok=True)
        return False

    def end(self):
        subprocess.run(["umount", "--lazy", self.folder], check=False)
        self.image.unlink(missing_ok=True)
