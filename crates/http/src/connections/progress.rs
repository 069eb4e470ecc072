//! The state of one connection and its deadline.

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

/// How long an idle connection stays open at shutdown. A client may be sending its next request at
/// this moment; that request is answered, with `Connection: close`.
const NEXT: Duration = Duration::from_millis(250);

/// At shutdown, how long the service waits for the rest of a request head. Also how long an evicted
/// connection may take to close.
const LAST: Duration = Duration::from_secs(1);

/// How long until a busy connection is checked again.
const BUSY: Duration = Duration::from_secs(15);

/// The phase of a connection without a request in progress.
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

/// What to do with a connection now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Due {
    /// Nothing.
    Nothing,
    /// Answer that the request took too long to arrive (408).
    Refuse,
    /// Close gracefully.
    Close,
    /// Close at once.
    Drop,
}

/// One connection's progress, shared by its task, its wire, its bodies and the registry.
#[derive(Debug)]
pub(super) struct Progress {
    patience: Patience,
    opened: Instant,
    phase: AtomicU8,
    /// When the phase, or the first of the requests in progress, began. All times here are
    /// milliseconds after `opened`.
    since: AtomicU64,
    /// Requests in progress.
    requests: AtomicUsize,
    /// Request bodies whose next bytes the service waits for.
    bodies_awaited: AtomicUsize,
    /// When the client stopped reading; 0 while it reads.
    stalled: AtomicU64,
    /// When the process was asked to stop; 0 if it was not.
    stopping: AtomicU64,
    /// When the connection was told to close; 0 if it was not.
    told: AtomicU64,
    http2: AtomicBool,
    /// Whether bytes of the client may be unread.
    unread: AtomicBool,
    /// Whether the client has closed its side.
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

    /// Milliseconds since the connection was opened. Never 0, because 0 stands for "not set".
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

    /// Whether a request is in progress.
    pub(super) fn is_busy(&self) -> bool {
        self.requests.load(SeqCst) > 0
    }

    /// Starts a request, which ends when the returned guard is dropped.
    pub(super) fn begin(self: &Arc<Self>) -> InProgress {
        if self.requests.fetch_add(1, SeqCst) == 0 {
            self.since.store(self.now(), SeqCst);
        }
        InProgress(Arc::clone(self))
    }

    /// Records bytes from the client.
    pub(super) fn received(&self) {
        if self.is_busy() || self.http2.load(SeqCst) {
            return;
        }
        if self.phase() == Phase::Idle {
            self.since.store(self.now(), SeqCst);
        }
        self.enter(Phase::Head);
    }

    /// Records that the connection speaks HTTP/2, where bytes between requests are not part of a
    /// head.
    pub(super) fn speaks_http2(&self) {
        self.http2.store(true, SeqCst);
        self.enter(Phase::Idle);
    }

    /// Records whether the client reads its answer.
    pub(super) fn stalled(&self, stalled: bool) {
        match (stalled, self.stalled.load(SeqCst)) {
            (true, 0) => self.stalled.store(self.now(), SeqCst),
            (false, 1..) => self.stalled.store(0, SeqCst),
            _ => {}
        }
    }

    /// Records whether the service waits for the next bytes of a request's body.
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

    /// Records that the client closed its side.
    pub(super) fn is_closed_by_client(&self) {
        self.gone.store(true, SeqCst);
    }

    pub(super) fn is_gone(&self) -> bool {
        self.gone.load(SeqCst)
    }

    /// Sets the task to wake when the connection's deadline changes.
    pub(super) fn watched_by(&self, waker: &Waker) {
        self.task.register(waker);
    }

    /// Evicts the connection.
    pub(super) fn make_room(&self) {
        self.yielding.store(true, SeqCst);
        self.task.wake();
    }

    /// Tells the connection that the process is stopping.
    pub(super) fn stop(&self) {
        self.stopping.store(self.now(), SeqCst);
        self.task.wake();
    }

    /// The eviction order, lowest first: whether a request would be lost, and since when the
    /// connection has been waiting for its client. `None` while a request is in progress.
    pub(super) fn waiting_since(&self) -> Option<(bool, Instant)> {
        let (busy, awaited) = (self.requests.load(SeqCst), self.bodies_awaited.load(SeqCst));
        let waits = busy == 0 || awaited >= busy || self.stalled.load(SeqCst) > 0;
        let since = self.opened + Duration::from_millis(self.since.load(SeqCst));
        (waits && !self.yielding.load(SeqCst)).then_some((busy > 0, since))
    }

    /// When to check the connection next.
    pub(super) fn next_look(&self) -> Instant {
        match self.deadline() {
            Some((at, _)) => self.opened + Duration::from_millis(at),
            None => Instant::now() + BUSY,
        }
    }

    /// When to check the connection first.
    pub(super) fn first_look(&self) -> Instant {
        self.opened + self.patience.headers
    }

    /// What to do now.
    pub(super) fn due(&self) -> Due {
        if self.yielding.load(SeqCst) {
            return Due::Drop;
        }
        let now = self.now();
        let stopping = self.stopping.load(SeqCst) > 0;
        match self.deadline() {
            Some((at, due)) if at <= now => {
                // A second check of the same deadline, a little later, closes a connection that did
                // not close by itself.
                if due != Due::Drop {
                    self.told.store(now, SeqCst);
                }
                due
            }
            // GOAWAY tells the client which requests will be answered, so there is no need to wait.
            _ if stopping && self.http2.load(SeqCst) => Due::Close,
            _ => Due::Nothing,
        }
    }

    /// The next deadline and what to do then.
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

    /// Whether a request head timed out.
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
