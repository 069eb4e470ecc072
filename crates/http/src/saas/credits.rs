//! `/v1/saas/credits`.

pub mod balance;
pub mod transactions;
