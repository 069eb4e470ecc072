//! The work of jobs: [`extract`] (an upload becomes chunks), [`convert_chunk`] (a chunk becomes
//! audio) and [`assemble`] (chunks become one file). [`run`] is one attempt at a job, [`context`]
//! the parts that all jobs need, `commit` the last step of a run, [`workspace`] the place of its
//! files. [`crate::workers`] decides when and where jobs run.

pub mod assemble;
mod commit;
pub mod context;
pub mod convert_chunk;
pub mod extract;
pub mod run;
pub mod workspace;

pub use context::JobContext;
