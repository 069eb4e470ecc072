//! Carries news between the processes that share a PostgreSQL database: tells the others what committed transactions of this
//! one made due, and passes on to this one's signals what they say. News that is lost costs the interval at which its reader
//! looks by himself, never work, so that nothing here is tried twice.

use std::time::Duration;

use lectern_store::{Heard, Listener, News, QueuedJob};
use tokio_util::sync::CancellationToken;

use crate::{app::Base, error::chain};

/// The rest after the database could not be listened to; readers look by themselves meanwhile.
const REST: Duration = Duration::from_secs(1);

/// What the last news may take at the end.
const LAST_WORDS: Duration = Duration::from_millis(500);

/// Carries news until `stop` is cancelled.
pub async fn run(base: Base, stop: CancellationToken) {
    tokio::select! {
        () = stop.cancelled() => {}
        ((), ()) = async { tokio::join!(tell(&base), hear(&base, &base.word)) } => {}
    }
    // What the last transactions told, such as jobs that were given back.
    let news = base.store.news_so_far();
    if !news.is_empty() {
        let _ = tokio::time::timeout(LAST_WORDS, say(&base, &news)).await;
    }
}

/// Tells the others, all that gathered since the last time at once.
async fn tell(base: &Base) {
    let mut is_silent = false;
    loop {
        let news = base.store.news().await;
        match say(base, &news).await {
            Ok(()) => is_silent = false,
            Err(error) if is_silent => {
                tracing::debug!(error = chain(&error), "other processes were not told of news");
            }
            Err(error) => {
                is_silent = true;
                tracing::warn!(
                    error = chain(&error),
                    "other processes are not told of news and look by themselves"
                );
            }
        }
    }
}

/// Says jobs by the queue and the rest by the database; jobs as well when the queue does not take them.
async fn say(base: &Base, news: &[News]) -> lectern_store::Result<()> {
    let jobs: Vec<QueuedJob> = news.iter().filter_map(queued).collect();
    let rest: Vec<News> = news.iter().filter(|one| queued(one).is_none()).copied().collect();
    // Beside one another: a queue that hangs is not to hold up what does not go by it.
    let publish = async {
        let Some(first) = jobs.first() else { return Ok(()) };
        let Err(error) = base.queue.publish(&jobs).await else { return Ok(()) };
        tracing::debug!(error = %error, queue.jobs = jobs.len(), "the queue did not take jobs");
        base.store.announce(&base.word, &[News::Job(*first)]).await
    };
    let (published, announced) = tokio::join!(publish, base.store.announce(&base.word, &rest));
    published.and(announced)
}

fn queued(news: &News) -> Option<QueuedJob> {
    match news {
        News::Job(job) => Some(*job),
        _ => None,
    }
}

/// Passes on what the others say.
async fn hear(base: &Base, own: &str) {
    let mut is_deaf = false;
    loop {
        match base.store.listen(own).await {
            Ok(None) => return,
            Ok(Some(listener)) => {
                if is_deaf {
                    tracing::info!("news of other processes is heard again");
                }
                // What was said while nobody listened.
                base.signals.anything();
                base.store.deliveries_elsewhere();
                let error = pass_on(base, listener).await;
                tracing::warn!(
                    error = chain(&error),
                    "news of other processes is not heard: it is looked for instead"
                );
                is_deaf = true;
            }
            Err(error) if is_deaf => {
                tracing::debug!(error = chain(&error), "the database is not listened to");
            }
            Err(error) => {
                tracing::warn!(
                    error = chain(&error),
                    "news of other processes is not heard: it is looked for instead"
                );
                is_deaf = true;
            }
        }
        base.signals.set_hears_others(false);
        tokio::time::sleep(REST).await;
    }
}

/// Passes on until the connection is lost; why it was.
async fn pass_on(base: &Base, mut listener: Listener) -> lectern_store::Error {
    base.signals.set_hears_others(true);
    loop {
        let heard = match listener.next().await {
            Ok(heard) => heard,
            Err(error) => return error,
        };
        for one in heard {
            match one {
                Heard::Jobs => base.signals.jobs_queued(),
                Heard::Deliveries => base.store.deliveries_elsewhere(),
                Heard::Material(material) => base.signals.material_changed(material),
            }
        }
    }
}
