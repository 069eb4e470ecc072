//! How far one connection is, and until when it may keep the service waiting.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, AtomicU8, AtomicU64, AtomicUsize, Ordering::SeqCst},
    },
    task::Waker,
    time::Duration,
};

use futures_util::task::AtomicWaker;
use tokio::time::Instant;

use super::Patience;

/// How long a connection may be idle between two requests.
const IDLE: Duration = Duration::from_secs(75);

/// How long an idle connection stays open after the stop. A client may be sending its next request at this moment; that request is
/// answered, with `Connection: close`.
const NEXT: Duration = Duration::from_millis(250);

/// How long half a request head is still waited for after the stop, and a told connection for its end.
const LAST: Duration = Duration::from_secs(1);

/// How long a busy connection is left alone before it is looked at again.
const BUSY: Duration = Duration::from_secs(15);

/// Where a connection without a request in progress is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Phase {
    /// No byte has come yet.
    Fresh,
    /// A request was answered and no byte of the next has come.
    Idle,
    /// Part of a request's head has come.
    Head,
}

/// What is to be done about a connection now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Due {
    /// Nothing.
    Nothing,
    /// Answer that the request took too long to arrive.
    Refuse,
    /// End in good order.
    Close,
    /// End at once.
    Drop,
}

/// One connection's progress, shared by its task, its wire, its bodies and the registry.
#[derive(Debug)]
pub(super) struct Progress {
    patience: Patience,
    opened: Instant,
    phase: AtomicU8,
    /// When the phase, or the first of the requests in progress, began. Milliseconds after `opened`, as all times here.
    since: AtomicU64,
    /// Requests that are being answered.
    requests: AtomicUsize,
    /// Request bodies whose next bytes are waited for.
    bodies_awaited: AtomicUsize,
    /// When the client stopped taking bytes; 0: it takes them.
    stalled: AtomicU64,
    /// When the process was asked to stop; 0: it was not.
    stopping: AtomicU64,
    /// When the connection was told to end; 0: it was not.
    told: AtomicU64,
    http2: AtomicBool,
    /// Bytes of the client may lie unread.
    unread: AtomicBool,
    /// The client has closed its side.
    gone: AtomicBool,
    yielding: AtomicBool,
    task: AtomicWaker,
}

impl Progress {
    pub(super) fn new(patience: Patience) -> Self {
        Self {
            patience,
            opened: Instant::now(),
            phase: AtomicU8::new(Phase::Fresh as u8),
            since: AtomicU64::new(0),
            requests: AtomicUsize::new(0),
            bodies_awaited: AtomicUsize::new(0),
            stalled: AtomicU64::new(0),
            stopping: AtomicU64::new(0),
            told: AtomicU64::new(0),
            http2: AtomicBool::new(false),
            unread: AtomicBool::new(false),
            gone: AtomicBool::new(false),
            yielding: AtomicBool::new(false),
            task: AtomicWaker::new(),
        }
    }

    /// Milliseconds since the connection was opened; never 0, which means "not".
    fn now(&self) -> u64 {
        u64::try_from(self.opened.elapsed().as_millis()).unwrap_or(u64::MAX).max(1)
    }

    fn phase(&self) -> Phase {
        match self.phase.load(SeqCst) {
            0 => Phase::Fresh,
            1 => Phase::Idle,
            _ => Phase::Head,
        }
    }

    fn enter(&self, phase: Phase) {
        self.phase.store(phase as u8, SeqCst);
    }

    /// Whether a request is being answered.
    pub(super) fn is_busy(&self) -> bool {
        self.requests.load(SeqCst) > 0
    }

    /// A request begins; it ends when the answer's guard is dropped.
    pub(super) fn begin(self: &Arc<Self>) -> InProgress {
        if self.requests.fetch_add(1, SeqCst) == 0 {
            self.since.store(self.now(), SeqCst);
        }
        InProgress(Arc::clone(self))
    }

    /// Bytes came from the client.
    pub(super) fn received(&self) {
        if self.is_busy() || self.http2.load(SeqCst) {
            return;
        }
        if self.phase() == Phase::Idle {
            self.since.store(self.now(), SeqCst);
        }
        self.enter(Phase::Head);
    }

    /// The connection speaks HTTP/2, in which bytes between requests are no part of a head.
    pub(super) fn speaks_http2(&self) {
        self.http2.store(true, SeqCst);
        self.enter(Phase::Idle);
    }

    /// The client takes, or does not take, the bytes of its answer.
    pub(super) fn stalled(&self, stalled: bool) {
        match (stalled, self.stalled.load(SeqCst)) {
            (true, 0) => self.stalled.store(self.now(), SeqCst),
            (false, 1..) => self.stalled.store(0, SeqCst),
            _ => {}
        }
    }

    /// The next bytes of a request's body are, or are no longer, waited for.
    pub(super) fn awaits_body(&self, awaits: bool) {
        if awaits {
            self.bodies_awaited.fetch_add(1, SeqCst);
        } else {
            self.bodies_awaited.fetch_sub(1, SeqCst);
        }
    }

    pub(super) fn leaves_unread(&self) {
        self.unread.store(true, SeqCst);
    }

    pub(super) fn has_unread(&self) -> bool {
        self.unread.load(SeqCst)
    }

    /// The client closed its side.
    pub(super) fn is_closed_by_client(&self) {
        self.gone.store(true, SeqCst);
    }

    pub(super) fn is_gone(&self) -> bool {
        self.gone.load(SeqCst)
    }

    /// The task to wake when the connection is told something.
    pub(super) fn watched_by(&self, waker: &Waker) {
        self.task.register(waker);
    }

    /// Tells the connection to make room at once.
    pub(super) fn make_room(&self) {
        self.yielding.store(true, SeqCst);
        self.task.wake();
    }

    /// Tells the connection that the process stops.
    pub(super) fn stop(&self) {
        self.stopping.store(self.now(), SeqCst);
        self.task.wake();
    }

    /// Since when this connection does nothing but wait for its client, and whether a request of it would be lost: the
    /// lowest yields first. `None`: it is being worked for.
    pub(super) fn waiting_since(&self) -> Option<(bool, Instant)> {
        let (busy, awaited) = (self.requests.load(SeqCst), self.bodies_awaited.load(SeqCst));
        let waits = busy == 0 || awaited >= busy || self.stalled.load(SeqCst) > 0;
        let since = self.opened + Duration::from_millis(self.since.load(SeqCst));
        (waits && !self.yielding.load(SeqCst)).then_some((busy > 0, since))
    }

    /// When the connection is to be looked at next.
    pub(super) fn next_look(&self) -> Instant {
        match self.deadline() {
            Some((at, _)) => self.opened + Duration::from_millis(at),
            None => Instant::now() + BUSY,
        }
    }

    /// When it is to be looked at first.
    pub(super) fn first_look(&self) -> Instant {
        self.opened + self.patience.headers
    }

    /// What is to be done now.
    pub(super) fn due(&self) -> Due {
        if self.yielding.load(SeqCst) {
            return Due::Drop;
        }
        let now = self.now();
        let stopping = self.stopping.load(SeqCst) > 0;
        match self.deadline() {
            Some((at, due)) if at <= now => {
                // A second look at the same deadline, a little later, ends what did not end by itself.
                if due != Due::Drop {
                    self.told.store(now, SeqCst);
                }
                due
            }
            // GOAWAY tells the client which requests will be answered, so it needs no waiting.
            _ if stopping && self.http2.load(SeqCst) => Due::Close,
            _ => Due::Nothing,
        }
    }

    /// When something is to be done, and what.
    fn deadline(&self) -> Option<(u64, Due)> {
        let millis = |duration: Duration| u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
        let since = self.since.load(SeqCst);
        let told = self.told.load(SeqCst);
        if self.is_busy() {
            let stalled = self.stalled.load(SeqCst);
            return (stalled > 0).then(|| (stalled.saturating_add(millis(self.patience.answers)), Due::Drop));
        }
        if told > 0 {
            return Some((told + millis(LAST), Due::Drop));
        }
        let headers = since.saturating_add(millis(self.patience.headers));
        let stopping = self.stopping.load(SeqCst);
        Some(match self.phase() {
            Phase::Fresh | Phase::Idle if stopping > 0 => (since.max(stopping) + millis(NEXT), Due::Close),
            Phase::Fresh => (headers, Due::Drop),
            Phase::Idle => (since.saturating_add(millis(IDLE)), Due::Close),
            Phase::Head if stopping > 0 => (headers.min(stopping + millis(LAST)), Due::Refuse),
            Phase::Head => (headers, Due::Refuse),
        })
    }

    /// Whether a request's head was waited for in vain.
    pub(super) fn is_refused(&self) -> bool {
        !self.is_busy() && self.phase() == Phase::Head && self.told.load(SeqCst) > 0
    }
}

/// A request in progress, until it is dropped.
#[derive(Debug)]
pub(super) struct InProgress(Arc<Progress>);

impl Drop for InProgress {
    fn drop(&mut self) {
        if self.0.requests.fetch_sub(1, SeqCst) == 1 {
            self.0.enter(Phase::Idle);
            self.0.told.store(0, SeqCst);
            self.0.since.store(self.0.now(), SeqCst);
        }
    }
}
