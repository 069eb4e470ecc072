"""The version, the voices and the machine of the wheel, as packaging/build gives them."""

import os

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface


class Metadata(MetadataHookInterface):
    def update(self, metadata):
        metadata["version"] = os.environ["LECTERN_PACKAGE_VERSION"]
        # The binary knows each file of the pack by its SHA-256, so no other version would do.
        metadata["dependencies"] = [f"lectern-voice-hibari=={os.environ['LECTERN_PACKAGE_VOICES']}"]


class Wheel(BuildHookInterface):
    def initialize(self, version, build_data):
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{os.environ['LECTERN_PACKAGE_PLATFORM']}"
