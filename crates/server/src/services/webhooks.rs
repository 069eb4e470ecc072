//! Webhooks: endpoints of customers, what is sent to them and when.

pub mod signature;
