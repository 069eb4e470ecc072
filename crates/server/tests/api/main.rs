//! Tests of the API as clients see it: every test starts the real application on a real socket and
//! reads like the contract.

#![expect(clippy::unwrap_used, reason = "a failure here is a failed test")]

mod accounts;
mod auth;
mod bodies;
mod brought_voices;
mod commands;
mod connections;
mod crash;
mod credits;
mod databases;
mod disconnects;
mod document;
mod elevenlabs;
mod ereaders;
mod extraction;
mod formats;
mod freshness;
mod idempotency;
mod init;
mod jobs;
mod keys;
mod ledger;
mod lexicons;
mod listen;
mod lost_commits;
mod mail;
mod management;
mod materials;
mod media;
mod notifications;
mod openai;
mod outbound;
mod program;
mod queue;
mod read;
mod reference;
mod s3;
mod secrecy;
mod signatures;
mod slow_connections;
mod socket;
mod speak;
mod ssml;
mod starting;
mod storms;
mod stream;
mod surface;
mod synthesize;
mod usage;
mod velocity;
mod voice_packs;
mod web;
mod webhooks;
mod wyoming;
