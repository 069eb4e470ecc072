"""The client of Lectern, the text-to-speech service that you run yourself."""

from . import errors as errors
from . import operations as operations
from . import types as types
from . import webhooks as webhooks
from ._async.client import AsyncLectern as AsyncLectern
from ._async.paging import AsyncPage as AsyncPage, AsyncPager as AsyncPager
from ._async.streams import AsyncAudioStream as AsyncAudioStream, AsyncBinaryStream as AsyncBinaryStream
from ._config import NOT_GIVEN as NOT_GIVEN
from ._errors import (
    APIConnectionError as APIConnectionError,
    APIError as APIError,
    APITimeoutError as APITimeoutError,
    LecternError as LecternError,
    WaitTimeoutError as WaitTimeoutError,
    WebhookVerificationError as WebhookVerificationError,
)
from ._events import MaterialEvent as MaterialEvent
from ._socket import (
    Audio as Audio,
    Done as Done,
    Flushed as Flushed,
    SocketClosedError as SocketClosedError,
    SocketEvent as SocketEvent,
    Words as Words,
)
from ._socket_async import AsyncSocket as AsyncSocket
from ._socket_sync import Socket as Socket
from ._sync.client import Lectern as Lectern
from ._sync.paging import Page as Page, Pager as Pager
from ._sync.streams import AudioStream as AudioStream, BinaryStream as BinaryStream
from ._version import VERSION as __version__
