//! What committed transactions made due or changed, for those who wait for it: in this process, and, on PostgreSQL, in the others
//! that share the database. News only says where to look; the rows are the truth, so that news may be lost, doubled or late.
//!
//! A transaction collects its news ([`crate::db::Tx::tells`]) and its commit posts them on the store's [`Board`]. From there
//! one task of the process takes them ([`Store::news`]) and tells the others ([`Store::announce`]), who [`Store::listen`].
//! They are not sent inside the transaction that they tell of: PostgreSQL lets transactions that notify commit one at a time
//! only, so that they no longer share a write to disk.

use std::{
    collections::BTreeSet,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use lectern_types::{JobId, MaterialId};
use sqlx::postgres::{PgListener, PgPoolOptions};
use tokio::{
    sync::{Notify, watch},
    time::timeout,
};

use crate::{
    Environment, Error, Result, Store,
    db::{Pools, SIGN_OF_LIFE, silent, sql},
    dialect,
    jobs::JobKind,
};

/// What is kept for a process that takes no news, as a command that soon ends; past it the rest is forgotten.
const MOST_KEPT: usize = 65_536;

/// How long nothing may be said before the one who listens asks whether there is anybody.
const SILENCE: Duration = Duration::from_secs(20);

/// PostgreSQL takes less than 8,000 bytes at once.
const LONGEST_LINE: usize = 7_500;

/// One thing that a committed transaction made due or changed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum News {
    /// A job is due.
    Job(QueuedJob),
    /// There are webhook deliveries to attempt.
    Deliveries,
    /// An event of this material was written, or its audio came about, or it was deleted.
    Material(MaterialId),
}

/// A job that became due.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct QueuedJob {
    /// What is to be done.
    pub kind: JobKind,
    /// The environment.
    pub environment: Environment,
    /// The job, or another id that names this queueing of it.
    pub id: JobId,
    /// How often it had been claimed before: the same job may be queued again.
    pub epoch: u32,
}

/// What another process said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Heard {
    /// Jobs are due.
    Jobs,
    /// There are webhook deliveries to attempt.
    Deliveries,
    /// Something of this material changed.
    Material(MaterialId),
}

/// The news of one handle and its clones.
#[derive(Debug, Default)]
pub(crate) struct Board {
    kept: Mutex<BTreeSet<News>>,
    posted: Notify,
    deliveries: watch::Sender<()>,
}

impl Board {
    /// Posts what a committed transaction told.
    pub(crate) fn post(&self, news: Vec<News>) {
        if news.is_empty() {
            return;
        }
        if news.contains(&News::Deliveries) {
            self.deliveries.send_replace(());
        }
        let mut kept = self.kept();
        for one in news {
            if kept.len() < MOST_KEPT {
                kept.insert(one);
            }
        }
        drop(kept);
        self.posted.notify_one();
    }

    fn kept(&self) -> MutexGuard<'_, BTreeSet<News>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Store {
    /// Waits until transactions of this handle and its clones have told something, and takes all of it. For one task.
    pub async fn news(&self) -> Vec<News> {
        loop {
            let news = self.news_so_far();
            if !news.is_empty() {
                return news;
            }
            self.board.posted.notified().await;
        }
    }

    /// As [`Store::news`], without waiting.
    pub fn news_so_far(&self) -> Vec<News> {
        std::mem::take(&mut *self.board.kept()).into_iter().collect()
    }

    /// From now on, hears of each committed transaction of this handle and its clones that wrote webhook deliveries, and of
    /// those of others that [`Store::deliveries_elsewhere`] tells of.
    pub fn watch_deliveries(&self) -> watch::Receiver<()> {
        self.board.deliveries.subscribe()
    }

    /// Wakes who watches deliveries: another process has written some.
    pub fn deliveries_elsewhere(&self) {
        self.board.deliveries.send_replace(());
    }

    /// Tells the other processes on the database, in the name `from`, which has no spaces. On SQLite nobody hears it.
    pub async fn announce(&self, from: &str, news: &[News]) -> Result<()> {
        let Pools::Postgres(..) = &self.pools else { return Ok(()) };
        let mut words: Vec<String> = news.iter().map(|one| word(*one)).collect();
        words.dedup();
        let mut words = words.into_iter().peekable();
        while words.peek().is_some() {
            let mut line = from.to_owned();
            while let Some(word) = words.next_if(|word| line.len() + word.len() < LONGEST_LINE) {
                line.push(' ');
                line.push_str(&word);
            }
            self.one(sql!(dialect::ANNOUNCE, line)).await?;
        }
        Ok(())
    }

    /// Begins to hear what other processes announce, on a connection of its own; `None` on SQLite. `own` is the name under
    /// which this process announces.
    pub async fn listen(&self, own: &str) -> Result<Option<Listener>> {
        let Pools::Postgres(pool, _) = &self.pools else { return Ok(None) };
        let channel = self.one(sql!(dialect::CHANNEL)).await?;
        let channel: String = channel.map(|row| row.first()).transpose()?.unwrap_or_default();
        let own_pool = PgPoolOptions::new().max_connections(1).idle_timeout(None).max_lifetime(None);
        let own_pool = own_pool.connect_with((*pool.connect_options()).clone()).await?;
        let mut listener = PgListener::connect_with(&own_pool).await?;
        listener.ignore_pool_close_event(true);
        listener.eager_reconnect(false);
        listener.listen(&channel).await?;
        Ok(Some(Listener { listener, own: own.to_owned() }))
    }
}

fn word(news: News) -> String {
    match news {
        News::Job(_) => "jobs".to_owned(),
        News::Deliveries => "deliveries".to_owned(),
        News::Material(material) => material.to_string(),
    }
}

/// Hears what other processes announce.
#[derive(Debug)]
pub struct Listener {
    listener: PgListener,
    own: String,
}

impl Listener {
    /// What was said next; nothing when it was this process's own or in words of another version.
    ///
    /// # Errors
    /// When the connection is lost: what is said from then on is not heard by this listener.
    pub async fn next(&mut self) -> Result<Vec<Heard>> {
        let Ok(said) = timeout(SILENCE, self.listener.try_recv()).await else {
            // Nothing to say, or nobody there?
            let asked = sql!("SELECT 1").postgres_rows(&mut self.listener);
            timeout(SIGN_OF_LIFE, asked).await.unwrap_or_else(|_| Err(silent()))?;
            return Ok(Vec::new());
        };
        let Some(said) = said? else {
            let lost =
                std::io::Error::new(std::io::ErrorKind::ConnectionReset, "the listening connection is lost");
            return Err(Error::Unavailable(sqlx::Error::Io(lost)));
        };
        let mut words = said.payload().split(' ');
        if words.next() == Some(self.own.as_str()) {
            return Ok(Vec::new());
        }
        let heard = words.filter_map(|word| match word {
            "jobs" => Some(Heard::Jobs),
            "deliveries" => Some(Heard::Deliveries),
            material => material.parse().ok().map(Heard::Material),
        });
        Ok(heard.collect())
    }
}
