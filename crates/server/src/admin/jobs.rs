//! `lectern admin jobs list|retry`.

use clap::Subcommand;
use lectern_store::{
    job_outcomes::{self, RetryOutcome},
    jobs::{self, Filter, Job, JobKind, JobStatus, UnreadableJob},
};
use lectern_types::JobId;
use serde_json::{Value, json};

use super::Operator;
use crate::{error::CommandError, numbers, output};

#[derive(Debug, Subcommand)]
pub(super) enum Jobs {
    /// List jobs, newest first. Finished jobs are not listed.
    List {
        /// queued, running or dead.
        #[arg(long, value_parser = parse::<JobStatus>)]
        status: Option<JobStatus>,
        /// `extract`, `convert_chunk` or `assemble`.
        #[arg(long, value_parser = parse::<JobKind>)]
        kind: Option<JobKind>,
        /// The maximum number of jobs to list.
        #[arg(long, default_value_t = 50, allow_negative_numbers = true, value_parser = numbers::whole::<u32>(1, 10_000))]
        limit: u32,
    },
    /// Queue a dead job again. A chunk's price is held again, so the account must have enough
    /// credits.
    Retry {
        /// The job's id, from the list.
        id: JobId,
    },
}

fn parse<T: std::str::FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| "is not a valid value; see --help".to_owned())
}

pub(super) async fn run(operator: &Operator, command: Jobs) -> Result<(), CommandError> {
    match command {
        Jobs::List { status, kind, limit } => {
            list(operator, Filter { status, kind, before: None }, limit).await
        }
        Jobs::Retry { id } => retry(operator, id).await,
    }
}

async fn list(operator: &Operator, filter: Filter, limit: u32) -> Result<(), CommandError> {
    let found = jobs::list(&operator.base.store, filter, limit).await?;
    operator.print(&found.iter().map(listed_json).collect::<Vec<_>>());
    if !operator.json && found.len() == usize::try_from(limit).unwrap_or(usize::MAX) {
        output::note("there may be more; see --limit");
    }
    Ok(())
}

async fn retry(operator: &Operator, id: JobId) -> Result<(), CommandError> {
    let store = &operator.base.store;
    let refusal = match job_outcomes::retry(store, id, operator.base.writing()).await? {
        RetryOutcome::Queued => {
            let job = jobs::find(store, id).await?;
            operator.print(&job.as_ref().map(job_json));
            return Ok(());
        }
        RetryOutcome::NotFound => {
            format!("there is no job {id}; finished jobs and jobs of deleted materials are removed")
        }
        RetryOutcome::NotDead => format!("the job {id} is not dead: it is queued or running already"),
        RetryOutcome::Insufficient { available, required } => format!(
            "the chunk's price of {required} credits was released when it failed and cannot be held again: the \
             account has {available} available. See: lectern admin credits grant"
        ),
    };
    Err(CommandError::Refused(refusal))
}

fn listed_json(job: &Result<Job, UnreadableJob>) -> Value {
    match job {
        Ok(job) => job_json(job),
        Err(UnreadableJob { id, kind, status, error }) => {
            json!({ "id": id, "kind": kind, "status": status, "unreadable": output::chain(error) })
        }
    }
}

fn job_json(job: &Job) -> Value {
    json!({
        "id": job.id,
        "kind": job.kind.as_str(),
        "status": job.status.as_str(),
        "account_id": job.account,
        "environment": job.environment.as_str(),
        "material_id": job.material,
        "chunk_index": job.chunk,
        "detail": job.detail,
        "attempts": job.attempts,
        "lost_leases": job.lost_leases,
        "last_error": job.last_error,
        "worker": job.worker,
        "lease_until": job.lease_until,
        "run_at": job.run_at,
        "created_at": job.created_at,
        "updated_at": job.updated_at,
    })
}
