//! The balance, the ledger, the packs for sale and automatic purchases.

pub mod export;
pub mod packs;
pub mod price;
pub mod statement;
pub mod threshold;
pub mod top_up;
