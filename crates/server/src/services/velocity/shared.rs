//! Velocity counters that all processes share, in Redis.
//!
//! One script judges all limits that are asked about at once and counts them together, so that a refused attempt uses up nothing and
//! two processes cannot both take the last place. It is the arithmetic of [`crate::services::gcra`]. The time is the
//! caller's, not the server's, so that every process and every test has one clock.

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
use crate::{config::ConfigError, services::gcra::APART_MICROS};

/// How long an attempt waits for its count, a new connection included.
const PATIENCE: Duration = Duration::from_millis(500);

/// An instant further ahead than its window was written before a clock was set back: it is forgotten.
/// Numbers up to 2^53 are exact in Lua; microseconds since 1970 stay below it until the year 2255. A key outlives its
/// instant by a second, for the sake of processes whose clocks differ a little.
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

/// Takes back what [`SCRIPT`] counted.
const GIVE_BACK: &str = "
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
    give_back: Script,
    silent: AtomicBool,
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Shared(…)")
    }
}

/// The server does not answer.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("Redis does not answer")]
pub struct Silent;

impl Shared {
    /// Counters on the server that `url` names. Nothing is connected yet.
    pub(super) fn new(url: &SecretString) -> Result<Self, ConfigError> {
        let refused =
            |_: RedisError| ConfigError::new("rate_limit.redis_url", "cannot be used by the Redis client");
        let info = url.expose_secret().into_connection_info().map_err(refused)?;
        let client = Client::open(info).map_err(refused)?;
        let config = ConnectionManagerConfig::new()
            // Every attempt tries to connect anew, so that the first after an outage succeeds.
            .set_number_of_retries(0)
            .set_connection_timeout(Some(PATIENCE))
            .set_response_timeout(Some(PATIENCE));
        let redis = ConnectionManager::new_lazy_with_config(client, config).map_err(refused)?;
        let (script, give_back) = (Script::new(SCRIPT), Script::new(GIVE_BACK));
        Ok(Self { redis, script, give_back, silent: AtomicBool::new(false) })
    }

    /// Counts an attempt, or says how many microseconds it is too early and counts nothing.
    pub(super) async fn take(&self, counters: &[Counter], now: Timestamp) -> Result<Option<i64>, Silent> {
        let mut invocation = self.script.prepare_invoke();
        invocation.arg(now.0);
        for Counter { name, limit } in counters {
            invocation.key(key(name));
            invocation.arg(limit.step_micros()).arg(limit.window_micros());
        }
        invocation.arg(APART_MICROS);
        let attempt = || async {
            let mut redis = self.redis.clone();
            invocation.invoke_async::<i64>(&mut redis).await
        };
        let wait = self.answer(attempt).await?;
        Ok((wait > 0).then_some(wait))
    }

    /// Takes back one that was counted.
    pub(super) async fn give_back(&self, counter: &Counter, now: Timestamp) -> Result<(), Silent> {
        let mut invocation = self.give_back.prepare_invoke();
        invocation.key(key(&counter.name)).arg(now.0).arg(counter.limit.step_micros());
        let attempt = || async {
            let mut redis = self.redis.clone();
            invocation.invoke_async::<i64>(&mut redis).await
        };
        self.answer(attempt).await.map(|_| ())
    }

    /// Whether the server answers.
    pub(super) async fn ping(&self) -> Result<(), Silent> {
        let ping = || async {
            let mut redis = self.redis.clone();
            redis::cmd("PING").query_async::<()>(&mut redis).await
        };
        self.answer(ping).await
    }

    /// Asks, and asks once more: the first may only have found out that the connection is gone.
    async fn answer<T, F: Future<Output = Result<T, RedisError>>>(
        &self,
        ask: impl Fn() -> F,
    ) -> Result<T, Silent> {
        let twice = async {
            match ask().await {
                Ok(answer) => Ok(answer),
                Err(_) => ask().await,
            }
        };
        let why = match timeout(PATIENCE, twice).await {
            Ok(Ok(answer)) => {
                if self.silent.swap(false, Ordering::Relaxed) {
                    tracing::info!("Redis answers again");
                }
                return Ok(answer);
            }
            // Its kind only: the words may repeat the URL.
            Ok(Err(error)) => format!("{:?}", error.kind()),
            Err(_) => "no answer in time".to_owned(),
        };
        if !self.silent.swap(true, Ordering::Relaxed) {
            tracing::warn!(why, "Redis does not answer: sign-in and registration are refused until it does");
        }
        Err(Silent)
    }
}

/// The key of a counter.
fn key(name: &[u8; 16]) -> String {
    format!("lectern:velocity:{}", hex::encode(name))
}
