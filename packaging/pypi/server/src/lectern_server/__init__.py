"""Lectern's binary, as a Python package. The client for Python is another package: lectern-tts."""
