"""The server of scripts/throwaway_smtp: accepts email on a free port and stores it as FOLDER/mail/N.json.

Some recipients are special: refused@ is refused permanently, later@ temporarily, and private@ is accepted from clients that
have signed in.
"""

import asyncio
import itertools
import json
import os
import pathlib
import ssl
import sys

from aiosmtpd.smtp import SMTP, AuthResult, LoginPassword

USER, PASSWORD = "postman", "p@ss:word/%"


class Keeper:
    def __init__(self, folder: pathlib.Path) -> None:
        self.folder = folder
        self.numbers = itertools.count(1)

    async def handle_RCPT(self, server, session, envelope, address, options):
        local = address.partition("@")[0]
        if local == "refused":
            return f"550 5.1.1 <{address}> does not exist"
        if local == "later":
            return f"451 4.3.0 <{address}> later, please"
        if local == "private" and not session.authenticated:
            return "530 5.7.0 Authentication required"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server, session, envelope):
        mail = {
            "from": envelope.mail_from,
            "to": envelope.rcpt_tos,
            "tls": session.ssl is not None,
            "user": session.auth_data.login.decode() if session.auth_data else None,
            "text": envelope.content.decode("utf-8", "replace"),
        }
        partial = self.folder / ".part"
        partial.write_text(json.dumps(mail), encoding="utf-8")
        partial.rename(self.folder / f"{next(self.numbers):06}.json")
        return "250 OK"


def sign_in(server, session, envelope, mechanism, auth_data):
    if not isinstance(auth_data, LoginPassword):
        return AuthResult(success=False, handled=False)
    right = (auth_data.login, auth_data.password) == (USER.encode(), PASSWORD.encode())
    return AuthResult(success=right, handled=False, auth_data=auth_data if right else None)


async def main(folder: pathlib.Path) -> None:
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(folder / "server.pem", folder / "server.key")
    keeper = Keeper(folder / "mail")
    loop = asyncio.get_running_loop()

    def connection() -> SMTP:
        return SMTP(keeper, hostname="sink", tls_context=tls, authenticator=sign_in, auth_require_tls=False, loop=loop)

    server = await loop.create_server(connection, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    password = "".join(c if c.isalnum() else f"%{ord(c):02X}" for c in PASSWORD)
    print(f"smtp://{USER}:{password}@localhost:{port}?folder={folder}", flush=True)
    await loop.run_in_executor(None, sys.stdin.read)
    os._exit(0)


asyncio.run(main(pathlib.Path(sys.argv[1])))
