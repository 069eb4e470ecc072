//! What tests of the service share: the real application on a real socket ([`TestApp`]) with a store of its own, an
//! engine that obeys the test ([`FakeEngine`]) and a clock that the test moves. Used by tests only, so it panics
//! where a test should fail.

#![expect(clippy::expect_used, reason = "a failure here is a failed test")]
#![expect(clippy::missing_panics_doc, reason = "everything here panics to fail a test")]

mod app;
mod authority;
mod black_hole;
mod canary;
mod cluster;
mod connection;
mod daemon;
mod database;
mod dns;
mod engine;
mod faults;
mod hand;
mod nats;
mod receiver;
mod reply;
mod s3;
mod servers;
mod way;

pub use app::{Account, Setup, TestApp};
pub use authority::Authority;
pub use black_hole::BlackHole;
pub use canary::Canary;
pub use connection::Connection;
pub use database::{Database, Kind, Lock};
pub use dns::{DnsReply, DnsServer};
pub use engine::{FakeEngine, Mood};
pub use faults::FaultyStore;
pub use hand::audio_of;
pub use nats::Nats;
pub use receiver::{Received, Script, TestReceiver};
pub use reply::Reply;
pub use s3::{ACCESS_KEY_ID, Rules, S3Server, SECRET_ACCESS_KEY, Wire};
pub use servers::{Delivered, Redis, SmtpSink};
pub use way::Way;
