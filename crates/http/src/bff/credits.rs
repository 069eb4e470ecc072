//! The balance, the ledger and the packs for sale.

pub mod export;
pub mod packs;
pub mod statement;
pub mod threshold;
