"""The version of the package, as packaging/build gives it."""

import os

from hatchling.metadata.plugin.interface import MetadataHookInterface


class Metadata(MetadataHookInterface):
    def update(self, metadata):
        metadata["version"] = os.environ["LECTERN_PACKAGE_VOICES"]
