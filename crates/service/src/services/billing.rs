//! Billing: purchases of credits, and the ledger as a file. Prices, holds and charges are in the
//! store (`lectern_store::ledger`).

pub mod ledger_export;
pub mod payments;
