//! Dispatch: how workers learn of due jobs. [`queue`] announces due jobs to workers, [`notifier`]
//! carries wake-ups between processes (within a process, the store wakes its watchers at each
//! commit), and [`batcher`] puts the store requests of several jobs into one transaction. This
//! module does not know what the jobs do.

pub mod batcher;
pub mod notifier;
pub mod queue;
