"""The parts of `bench/prosody`: what markup and settings do to the sound, each measured from outside."""
