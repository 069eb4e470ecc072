//! Velocity counters in Redis, shared by all processes.
//!
//! One script checks all limits of an attempt and counts them together, so that a refused attempt
//! uses nothing and two processes cannot both use the last attempt. Its arithmetic is that of
//! [`crate::services::limits::gcra`]. The caller supplies the time, so that the server's clock does
//! not matter and tests can use a fixed one.

use std::{
    sync::atomic::{AtomicBool, Ordering},
    time::Duration,
};

use lectern_types::Timestamp;
use redis::{
    Client, IntoConnectionInfo as _, RedisError, Script,
    aio::{ConnectionManager, ConnectionManagerConfig},
};
use secrecy::{ExposeSecret as _, SecretString};
use tokio::time::timeout;

use super::Counter;
use crate::{config::ConfigError, services::limits::gcra::MAX_CLOCK_SKEW_MICROS};

/// How long an attempt waits for Redis, including a new connection.
const TIMEOUT: Duration = Duration::from_millis(500);

/// An instant further ahead than its window was written before a clock was set back, and is
/// discarded. Numbers up to 2^53 are exact in Lua; microseconds since 1970 stay below that until
/// the year
/// 2255. A key expires a second after its instant, for processes whose clocks differ slightly.
const SCRIPT: &str = "
local now, wait, used = tonumber(ARGV[1]), 0, {}
for i, key in ipairs(KEYS) do
  local step, window = tonumber(ARGV[2 * i]), tonumber(ARGV[2 * i + 1])
  local ahead = math.max(0, (tonumber(redis.call('GET', key) or now) or now) - now)
  if ahead > window + tonumber(ARGV[2 * #KEYS + 2]) then
    redis.call('DEL', key)
    ahead = 0
  end
  used[i] = ahead + step
  wait = math.max(wait, used[i] - window)
end
if wait > 0 then return wait end
for i, key in ipairs(KEYS) do
  redis.call('SET', key, string.format('%.0f', now + used[i]), 'PX', math.ceil(used[i] / 1000) + 1000)
end
return 0
";

/// The script that undoes a count of [`SCRIPT`].
const UNDO: &str = "
local now, step = tonumber(ARGV[1]), tonumber(ARGV[2])
local at = (tonumber(redis.call('GET', KEYS[1]) or now) or now) - step
if at > now then
  redis.call('SET', KEYS[1], string.format('%.0f', at), 'PX', math.ceil((at - now) / 1000) + 1000)
else
  redis.call('DEL', KEYS[1])
end
return 0
";

/// The shared counters.
pub(super) struct Shared {
    redis: ConnectionManager,
    script: Script,
    undo: Script,
    is_down: AtomicBool,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Shared(…)")
    }
}

/// The server does not answer.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("Redis does not answer")]
pub struct RedisUnavailable;

impl Shared {
    /// Counters on the server at `url`. Does not connect yet.
    pub(super) fn new(url: &SecretString) -> Result<Self, ConfigError> {
        let refused =
            |_: RedisError| ConfigError::new("rate_limit.redis_url", "cannot be used by the Redis client");
        let info = url.expose_secret().into_connection_info().map_err(refused)?;
        let client = Client::open(info).map_err(refused)?;
        let config = ConnectionManagerConfig::new()
            // Every attempt may reconnect, so that the first after an outage succeeds.
            .set_number_of_retries(0)
            .set_connection_timeout(Some(TIMEOUT))
            .set_response_timeout(Some(TIMEOUT));
        let redis = ConnectionManager::new_lazy_with_config(client, config).map_err(refused)?;
        let (script, undo) = (Script::new(SCRIPT), Script::new(UNDO));
        Ok(Self { redis, script, undo, is_down: AtomicBool::new(false) })
    }

    /// Counts an attempt, or returns how many microseconds it is too early and counts nothing.
    pub(super) async fn take(
        &self,
        counters: &[Counter],
        now: Timestamp,
    ) -> Result<Option<i64>, RedisUnavailable> {
        let mut invocation = self.script.prepare_invoke();
        invocation.arg(now.0);
        for Counter { name, limit } in counters {
            invocation.key(key(name));
            invocation.arg(limit.step_micros()).arg(limit.window_micros());
        }
        invocation.arg(MAX_CLOCK_SKEW_MICROS);
        let attempt = || async {
            let mut redis = self.redis.clone();
            invocation.invoke_async::<i64>(&mut redis).await
        };
        let wait = self.query(attempt).await?;
        Ok((wait > 0).then_some(wait))
    }

    /// Undoes the count of an attempt.
    pub(super) async fn undo(&self, counter: &Counter, now: Timestamp) -> Result<(), RedisUnavailable> {
        let mut invocation = self.undo.prepare_invoke();
        invocation.key(key(&counter.name)).arg(now.0).arg(counter.limit.step_micros());
        let attempt = || async {
            let mut redis = self.redis.clone();
            invocation.invoke_async::<i64>(&mut redis).await
        };
        self.query(attempt).await.map(|_| ())
    }

    /// Checks that the server responds.
    pub(super) async fn ping(&self) -> Result<(), RedisUnavailable> {
        let ping = || async {
            let mut redis = self.redis.clone();
            redis::cmd("PING").query_async::<()>(&mut redis).await
        };
        self.query(ping).await
    }

    /// Sends a query up to twice: the first attempt may only discover that the connection is lost.
    async fn query<T, F: Future<Output = Result<T, RedisError>>>(
        &self,
        send: impl Fn() -> F,
    ) -> Result<T, RedisUnavailable> {
        let twice = async {
            match send().await {
                Ok(answer) => Ok(answer),
                Err(_) => send().await,
            }
        };
        let why = match timeout(TIMEOUT, twice).await {
            Ok(Ok(answer)) => {
                if self.is_down.swap(false, Ordering::Relaxed) {
                    tracing::info!("Redis answers again");
                }
                return Ok(answer);
            }
            // Logs only the error's kind: the message may repeat the URL.
            Ok(Err(error)) => format!("{:?}", error.kind()),
            Err(_) => "no answer in time".to_owned(),
        };
        if !self.is_down.swap(true, Ordering::Relaxed) {
            tracing::warn!(why, "Redis does not respond: sign-in and registration are refused until it does");
        }
        Err(RedisUnavailable)
    }
}

/// The key of a counter.
fn key(name: &[u8; 16]) -> String {
    format!("lectern:velocity:{}", hex::encode(name))
}
