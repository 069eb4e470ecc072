//! How work finds its workers: [`queue`] calls workers to jobs that are due, [`notifier`] carries
//! wake-ups between processes (those within a process are the store's, which wakes its watchers at
//! each commit), and [`batcher`] puts what several jobs ask of the store into one transaction. What
//! the jobs are is not known here.

pub mod batcher;
pub mod notifier;
pub mod queue;
