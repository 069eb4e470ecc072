"""The Python package hibari-tts, one thread, sentence by sentence as its own streaming does."""

from answer import serve
from hibari import Hibari

voice = Hibari(threads=1)
serve(voice.sample_rate, lambda text: voice.stream(text, seed=0))
