//! Support for the tests of the service: the real application on a real socket ([`TestApp`]) with
//! its own store, an engine that the test controls ([`FakeEngine`]) and a clock that the test
//! moves. Only tests use this crate, so it panics where a test should fail.

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
mod database_proxy;
mod dns;
mod engine;
mod faults;
mod manual_worker;
mod nats;
mod old_tls;
mod receiver;
mod reply;
mod s3;
mod servers;
mod wait;

pub use app::{Account, Setup, TestApp};
pub use authority::Authority;
pub use black_hole::BlackHole;
pub use canary::Canary;
pub use connection::Connection;
pub use database::{Database, Kind, Lock};
pub use database_proxy::DatabaseProxy;
pub use dns::{DnsReply, DnsServer};
pub use engine::{Behavior, FakeEngine};
pub use faults::FaultyStore;
pub use manual_worker::audio_of;
pub use nats::Nats;
pub use old_tls::serve_old_tls;
pub use receiver::{Received, Script, TestReceiver};
pub use reply::Reply;
pub use s3::{ACCESS_KEY_ID, Link, Rules, S3Server, SECRET_ACCESS_KEY};
pub use servers::{Delivered, Redis, SmtpSink};
pub use wait::{holds_within, holds_within_blocking, until, until_within};
