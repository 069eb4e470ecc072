//! Sends notifications to other processes and receives theirs, by PostgreSQL's `NOTIFY` and
//! `LISTEN`. On SQLite there are no other processes to notify.

use std::time::Duration;

use lectern_types::MaterialId;
use sqlx::postgres::{PgListener, PgPoolOptions};
use tokio::{sync::watch, time::timeout};

use crate::{
    Error, Result,
    db::{Pools, SIGN_OF_LIFE, Store, silent, sql},
    dialect,
    notifications::{Changes, MaterialChanges, Notification, WakeUp},
};

/// After this long without a notification, a listener asks whether the server still answers.
const SILENCE: Duration = Duration::from_secs(20);

/// PostgreSQL limits a payload to less than 8,000 bytes.
const MAX_PAYLOAD_BYTES: usize = 7_500;

impl Store {
    /// Waits for notifications of committed transactions of this handle and its clones, and takes
    /// all of them. Meant for one task, which notifies other processes; watchers in this process
    /// are woken without it.
    pub async fn notifications(&self) -> Vec<Notification> {
        self.notifications.next().await
    }

    /// Like [`Store::notifications`], without waiting.
    pub fn pending_notifications(&self) -> Vec<Notification> {
        self.notifications.take()
    }

    /// Wake-ups for workers: by committed transactions of this handle and its clones, and by
    /// [`Store::wake`].
    pub fn watch_jobs(&self) -> Changes {
        self.notifications.watch_jobs()
    }

    /// Wake-ups for the delivery loop, like [`Store::watch_jobs`].
    pub fn watch_deliveries(&self) -> watch::Receiver<()> {
        self.notifications.watch_deliveries()
    }

    /// Wake-ups for the followers of a material, like [`Store::watch_jobs`]. Subscribe first and
    /// read the store afterwards, so that a change between the two is not lost.
    pub fn watch_material(&self, material: MaterialId) -> MaterialChanges {
        self.notifications.watch_material(material)
    }

    /// Wakes watchers in this process, because another process reported a change.
    pub fn wake(&self, what: WakeUp) {
        self.notifications.wake(what);
    }

    /// Wakes every watcher in this process, because notifications of other processes may have been
    /// lost.
    pub fn wake_all(&self) {
        self.notifications.wake_all();
    }

    /// Sends notifications to the other processes on the database. `from` is this process's name,
    /// without spaces. Does nothing on SQLite.
    pub async fn announce(&self, from: &str, notifications: &[Notification]) -> Result<()> {
        let Pools::Postgres(..) = &self.pools else { return Ok(()) };
        let mut names: Vec<String> = notifications.iter().map(|one| encode(one.into())).collect();
        names.dedup();
        let mut names = names.into_iter().peekable();
        while names.peek().is_some() {
            let mut payload = from.to_owned();
            while let Some(name) = names.next_if(|name| payload.len() + name.len() < MAX_PAYLOAD_BYTES) {
                payload.push(' ');
                payload.push_str(&name);
            }
            self.one(sql!(dialect::ANNOUNCE, payload)).await?;
        }
        Ok(())
    }

    /// Listens for the notifications of other processes, on a connection of its own; `None` on
    /// SQLite. `own` is the name under which this process announces.
    pub async fn listen(&self, own: &str) -> Result<Option<Listener>> {
        let Pools::Postgres(pool, _) = &self.pools else { return Ok(None) };
        let channel = self.one(sql!(dialect::CHANNEL)).await?;
        let channel: String = channel.map(|row| row.scalar()).transpose()?.unwrap_or_default();
        let own_pool = PgPoolOptions::new().max_connections(1).idle_timeout(None).max_lifetime(None);
        let own_pool = own_pool.connect_with((*pool.connect_options()).clone()).await?;
        let mut listener = PgListener::connect_with(&own_pool).await?;
        listener.ignore_pool_close_event(true);
        listener.eager_reconnect(false);
        listener.listen(&channel).await?;
        Ok(Some(Listener { listener, own: own.to_owned() }))
    }
}

fn encode(what: WakeUp) -> String {
    match what {
        WakeUp::Jobs => "jobs".to_owned(),
        WakeUp::Deliveries => "deliveries".to_owned(),
        WakeUp::Material(material) => material.to_string(),
    }
}

/// `None` for a name that only another version knows.
fn decode(name: &str) -> Option<WakeUp> {
    match name {
        "jobs" => Some(WakeUp::Jobs),
        "deliveries" => Some(WakeUp::Deliveries),
        material => material.parse().ok().map(WakeUp::Material),
    }
}

/// Receives the announcements of other processes.
#[derive(Debug)]
pub struct Listener {
    listener: PgListener,
    own: String,
}

impl Listener {
    /// The next announcement; empty when it was this process's own, or one that only another
    /// version understands.
    ///
    /// # Errors
    /// When the connection is lost. This listener receives nothing from then on.
    pub async fn next(&mut self) -> Result<Vec<WakeUp>> {
        let Ok(received) = timeout(SILENCE, self.listener.try_recv()).await else {
            // An idle channel and a server that is gone look the same until the server is asked.
            let asked = sql!("SELECT 1").postgres_rows(&mut self.listener);
            timeout(SIGN_OF_LIFE, asked).await.unwrap_or_else(|_| Err(silent()))?;
            return Ok(Vec::new());
        };
        let Some(received) = received? else {
            let lost =
                std::io::Error::new(std::io::ErrorKind::ConnectionReset, "the listening connection is lost");
            return Err(Error::Unavailable(sqlx::Error::Io(lost)));
        };
        let mut names = received.payload().split(' ');
        if names.next() == Some(self.own.as_str()) {
            return Ok(Vec::new());
        }
        Ok(names.filter_map(decode).collect())
    }
}
