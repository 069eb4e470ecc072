"""A customer who speaks texts by every route, and gets 16-bit samples back."""

import array
import base64
import http.client
import json
import subprocess
import sys
import time
import wave
from pathlib import Path

try:
    from websockets.sync.client import connect
except ImportError:
    sys.exit("error: Python's websockets is missing; use an environment with scripts/test_requirements.txt")

RATE = 24_000
# The same words and the same seed are the same speech, so what differs is what was asked for.
SEED = 7


def samples_of(data):
    samples = array.array("h", data[: len(data) // 2 * 2])
    if sys.byteorder == "big":
        samples.byteswap()
    return samples


def write_wav(path, samples, rate=RATE):
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(samples.tobytes() if isinstance(samples, array.array) else samples)
    return path


class Customer:
    def __init__(self, service, key):
        self.api, self.key, self.binary, self.environment = service.api, key, service.binary, service.environment
        self.connection = http.client.HTTPConnection(self.api, timeout=600)
        self.ereaders = {one["slug"]: one for one in json.loads(self.ask("GET", "/v1/saas/ereaders"))["data"]}

    def ask(self, method, path, body=None, wanted=200):
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        while True:
            self.connection.request(method, path, json.dumps(body) if body else None, headers)
            response = self.connection.getresponse()
            content = response.read()
            if response.status == 429:
                time.sleep(float(response.headers.get("Retry-After", 1)))
                continue
            if response.status != wanted:
                sys.exit(f"error: {method} {path}: {response.status} {content[:500]}")
            return content

    def _asked(self, text, voice, is_ssml, settings):
        text_type = "ssml" if is_ssml else "text"
        return {"ereader_id": self.ereaders[voice]["id"], "text": text, "text_type": text_type, "seed": SEED, **settings}

    def file(self, text, voice="heart", is_ssml=False, **settings):
        """The file of `tts:synthesize`, as it is served."""
        body = {"format": "wav", **self._asked(text, voice, is_ssml, settings)}
        url = json.loads(self.ask("POST", "/v1/saas/tts:synthesize", body))["audio_url"]
        return self.ask("GET", url[url.index("/", url.index("//") + 2) :])

    def synthesize(self, text, **more):
        return samples_of(self.file(text, format="pcm", **more))

    def stream(self, text, voice="heart", is_ssml=False, **settings):
        body = {"format": "pcm", **self._asked(text, voice, is_ssml, settings)}
        return samples_of(self.ask("POST", "/v1/saas/tts:stream", body))

    def socket(self, text, voice="heart", is_ssml=False):
        start = {"type": "start", "format": "pcm", **self._asked("", voice, is_ssml, {})}
        del start["text"]
        headers = {"Authorization": f"Bearer {self.key}"}
        audio = b""
        with connect(f"ws://{self.api}/v1/saas/tts:socket", additional_headers=headers, max_size=None, proxy=None) as socket:
            for message in (start, {"type": "text", "text": text}, {"type": "end"}):
                socket.send(json.dumps(message))
            for message in socket:
                if isinstance(message, bytes):
                    audio += message
                elif json.loads(message)["type"] == "error":
                    sys.exit(f"error: the socket answered {message}")
        return samples_of(audio)

    def openai(self, text, voice="heart", is_ssml=False):
        input_type = "ssml" if is_ssml else "text"
        body = {"model": "tts-1", "voice": voice, "input": text, "input_type": input_type, "response_format": "pcm", "seed": SEED}
        return samples_of(self.ask("POST", "/v1/audio/speech", body))

    def elevenlabs(self, text, voice="heart", path="?"):
        path = f"/v1/text-to-speech/{self.ereaders[voice]['id']}{path}output_format=pcm_{RATE}"
        return samples_of(self.ask("POST", path, {"text": text, "seed": SEED}))

    def elevenlabs_stream(self, text):
        return self.elevenlabs(text, path="/stream?")

    def elevenlabs_socket(self, text, voice="heart"):
        url = f"ws://{self.api}/v1/text-to-speech/{self.ereaders[voice]['id']}/stream-input?output_format=pcm_{RATE}"
        audio = b""
        with connect(url, additional_headers={"xi-api-key": self.key}, max_size=None, proxy=None) as socket:
            for piece in (" ", text + " ", ""):
                socket.send(json.dumps({"text": piece}))
            for message in socket:
                said = json.loads(message)
                if "error" in said:
                    sys.exit(f"error: the socket answered {message}")
                audio += base64.b64decode(said.get("audio") or "")
                if said.get("isFinal"):
                    break
        return samples_of(audio)

    def speak(self, text, is_ssml=False, voice="heart"):
        """`lectern speak`, without the service."""
        command = [self.binary, "speak", text, "--voice", voice, "--seed", str(SEED), "--format", "pcm", "-o", "-"]
        command += ["--text-type", "ssml"] if is_ssml else []
        folder = Path(self.environment["LECTERN_DATA_DIR"])
        result = subprocess.run(command, env=self.environment, cwd=folder, check=True, capture_output=True)
        return samples_of(result.stdout)
