#!/usr/bin/env python3
"""Reads the service's objects on S3 with Amazon's own Python SDK, and through the service's signed URLs.

usage: s3_storage.py LECTERN S3_SERVER

Starts S3_SERVER (an example of crates/testkit: it checks signatures) and LECTERN on it, on free ports, with the real voice. Needs
the packages of scripts/test_requirements.txt. Exits 1 with the first thing that is not as it should be.
"""

import datetime
import hashlib
import json
import pathlib
import subprocess
import sys
import tempfile
import urllib.error
import urllib.parse
import urllib.request

import boto3
import botocore.client
import botocore.exceptions

from fuzz_api import Server

BUCKET, PREFIX = "books", "eu/prod"
TEXT = "The lamp was lit before the storm came over the hill."


def check(holds, what):
    if not holds:
        sys.exit(f"not so: {what}")


def fetch(url, method="GET"):
    """Status, headers and bytes."""
    try:
        with urllib.request.urlopen(urllib.request.Request(url, method=method)) as answer:
            return answer.status, answer.headers, answer.read()
    except urllib.error.HTTPError as refusal:
        return refusal.code, refusal.headers, refusal.read()


def client_of(settings, secret=None):
    return boto3.client(
        "s3",
        endpoint_url=settings["LECTERN_STORAGE__ENDPOINT"],
        region_name=settings["LECTERN_STORAGE__REGION"],
        aws_access_key_id=settings["LECTERN_STORAGE__ACCESS_KEY_ID"],
        aws_secret_access_key=secret or settings["LECTERN_STORAGE__SECRET_ACCESS_KEY"],
        config=botocore.client.Config(signature_version="s3v4", s3={"addressing_style": "path"}, retries={"total_max_attempts": 1}),
    )


def check_oracle(settings):
    """Checks that the server rejects wrong signatures; otherwise the test would prove nothing."""
    try:
        client_of(settings, secret="another").list_objects_v2(Bucket=BUCKET)
    except botocore.exceptions.ClientError as refusal:
        check(refusal.response["Error"]["Code"] == "SignatureDoesNotMatch", f"a wrong secret is refused: {refusal}")
    else:
        sys.exit("not so: the S3 server checks signatures")


def check_synthesis(server, s3, key, ereader):
    said = server.post("/v1/saas/tts:synthesize", {"ereader_id": ereader, "text": TEXT}, key)
    url = urllib.parse.urlsplit(said["audio_url"])
    name = urllib.parse.unquote(url.path).removeprefix(f"/{BUCKET}/")
    check(name.startswith(f"{PREFIX}/syntheses/syn_"), f"the audio lies below the prefix: {name}")
    status, headers, audio = fetch(said["audio_url"])
    check(status == 200 and len(audio) > 5_000, "the URL answers with audio")
    check(headers["Content-Type"] == "audio/mpeg", "as what it is")
    check("attachment" not in headers["Content-Disposition"] and ".mp3" in headers["Content-Disposition"], "under its name")
    there = s3.get_object(Bucket=BUCKET, Key=name)
    check(there["Body"].read() == audio, "boto3 reads the same bytes")
    check(there["ContentType"] == "audio/mpeg", "with the same media type")
    check(there["ETag"] == headers["ETag"], "and the same entity tag")
    query = dict(urllib.parse.parse_qsl(url.query))
    issued = datetime.datetime.strptime(query["X-Amz-Date"], "%Y%m%dT%H%M%SZ")
    ends = datetime.datetime.strptime(said["expires_at"], "%Y-%m-%dT%H:%M:%S.%fZ")
    check(ends - issued == datetime.timedelta(hours=24), "24 hours, to the second")
    check(fetch(said["audio_url"], "HEAD")[0] == 403, "HEAD is not what was signed")
    changed = said["audio_url"][:-1] + ("0" if said["audio_url"][-1] != "0" else "1")
    check(fetch(changed)[0] == 403, "a changed signature is refused")
    own = s3.generate_presigned_url("get_object", Params={"Bucket": BUCKET, "Key": name}, ExpiresIn=60)
    check(fetch(own)[2] == audio, "boto3's own URL gives the same")
    return name, audio


def check_migration(server, s3, folder):
    """To files and to another prefix and back, by command; boto3 sees the same bytes."""
    where = {found["Key"]: found for found in s3.list_objects_v2(Bucket=BUCKET, Prefix=f"{PREFIX}/")["Contents"]}
    files = folder / "files"
    told = server.admin("storage", "migrate", "--from", f"s3://{BUCKET}/{PREFIX}", "--to", f"file://{files}")
    check(told["ok"] and told["copied"] == len(where), f"every object was copied: {told}")
    told = server.admin("storage", "migrate", "--from", f"file://{files}", "--to", f"s3://{BUCKET}/again")
    check(told["ok"] and told["copied"] == len(where), f"and back: {told}")
    for key in where:
        here = s3.get_object(Bucket=BUCKET, Key=key)["Body"].read()
        there = s3.get_object(Bucket=BUCKET, Key=f"again/{key.removeprefix(PREFIX + '/')}")
        check(there["Body"].read() == here, f"{key} is the same")
        on_disk = (files / key.removeprefix(f"{PREFIX}/")).read_bytes()
        check(hashlib.sha256(on_disk).digest() == hashlib.sha256(here).digest(), f"{key} is the same as a file")


def main():
    binary, s3_server = sys.argv[1:]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "s3").mkdir()
        s3_process = subprocess.Popen(
            [s3_server, folder / "s3", BUCKET], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        try:
            settings = json.loads(s3_process.stdout.readline())
            check_oracle(settings)
            s3 = client_of(settings)
            settings["LECTERN_STORAGE__URL"] = f"s3://{BUCKET}/{PREFIX}"
            with Server(binary, folder, settings) as server:
                key = server.admin("invite", "create", "--email", "s3@example.com", "--credits", "10000")["live_key"]
                ereaders = urllib.request.Request(f"{server.url}/v1/saas/ereaders", headers={"Authorization": f"Bearer {key}"})
                with urllib.request.urlopen(ereaders) as answer:
                    ereader = next(e["id"] for e in json.load(answer)["data"] if e["slug"] == "heart")
                name, _ = check_synthesis(server, s3, key, ereader)
                check_migration(server, s3, folder)
                print(f"boto3 {boto3.__version__} agrees on {name}")
        finally:
            s3_process.stdin.close()
            s3_process.wait(timeout=20)


if __name__ == "__main__":
    main()
