//! `lectern admin storage migrate`: copies every object from one storage to another and verifies
//! each copy by hash.

mod copy_log;

use clap::Subcommand;
use futures_util::TryStreamExt as _;
use lectern_types::RequestId;
use serde_json::json;

use self::copy_log::CopyLog;
use super::Operator;
use crate::{error::CommandError, output};
use lectern_service::{
    base::StartError,
    config::StorageUrl,
    objects::{
        CHECKS, ListedObject, Objects,
        migration::{self, CopyOutcome},
    },
};

/// Objects copied at once.
const AT_ONCE: usize = 4;

/// Objects between two lines of progress.
const PROGRESS: u64 = 1_000;

/// Failures that are printed one by one; the rest are only counted.
const FAILURES_PRINTED: usize = 20;

#[derive(Debug, Subcommand)]
pub(super) enum Storage {
    /// Copy every object from one storage to another and read each copy back. Nothing is deleted.
    /// The command can run while the service runs; when repeated, it continues where it stopped.
    /// For s3:// URLs, the settings give endpoint and keys.
    Migrate {
        /// The source: `file://DIRECTORY` or `s3://BUCKET/PREFIX`.
        #[arg(long, value_name = "URL")]
        from: StorageUrl,
        /// The target: `file://DIRECTORY` or `s3://BUCKET/PREFIX`.
        #[arg(long, value_name = "URL")]
        to: StorageUrl,
    },
}

/// The counts that the command prints.
#[derive(Debug, Default)]
struct Tally {
    objects: u64,
    copied: u64,
    copied_bytes: u64,
    already_there: u64,
    gone: u64,
    failed: u64,
    printed: Vec<String>,
}

pub(super) async fn run(operator: &Operator, command: Storage) -> Result<(), CommandError> {
    let Storage::Migrate { from, to } = command;
    refuse_overlap(&from, &to)?;
    let source = open(operator, &from)?;
    let target = open(operator, &to)?;
    source.ping().await.map_err(CommandError::from_error)?;
    let check_id: RequestId = operator.base.ids.make();
    target.check(&check_id.to_string()).await.map_err(StartError::from)?;
    let copy_log = CopyLog::open(&operator.base.config.data_dir, &from, &to)?;
    let tally = copy_all(&source, &target, &copy_log).await?;
    operator.print(&json!({
        "ok": tally.failed == 0,
        "from": from.to_string(),
        "to": to.to_string(),
        "objects": tally.objects,
        "copied": tally.copied,
        "copied_bytes": tally.copied_bytes,
        "already_there": tally.already_there,
        "gone": tally.gone,
        "failed": tally.failed,
        "failures": tally.printed,
    }));
    if tally.failed == 0 { Ok(()) } else { Err(CommandError::CheckFailed) }
}

async fn copy_all(source: &Objects, target: &Objects, copy_log: &CopyLog) -> Result<Tally, CommandError> {
    let mut tally = Tally::default();
    let listed = source.list("").map_err(CommandError::from_error);
    let listed = listed.try_filter(|found| std::future::ready(!found.key.starts_with(&format!("{CHECKS}/"))));
    let moved = listed.map_ok(|found| async move {
        let outcome = copy_one(source, target, copy_log, &found).await;
        Ok::<_, CommandError>((found, outcome))
    });
    let mut moved = std::pin::pin!(moved.try_buffer_unordered(AT_ONCE));
    while let Some((found, outcome)) = moved.try_next().await? {
        tally.objects += 1;
        match outcome {
            Ok(CopyOutcome::Copied) => {
                tally.copied += 1;
                tally.copied_bytes += found.bytes;
            }
            Ok(CopyOutcome::AlreadyThere) => tally.already_there += 1,
            Ok(CopyOutcome::Gone) => tally.gone += 1,
            Err(why) => {
                tally.failed += 1;
                if tally.printed.len() < FAILURES_PRINTED {
                    tally.printed.push(format!("{}: {why}", found.key));
                }
            }
        }
        if tally.objects.is_multiple_of(PROGRESS) {
            output::progress(&format!(
                "{} objects seen, {} copied, {} failed",
                tally.objects, tally.copied, tally.failed
            ));
        }
    }
    Ok(tally)
}

async fn copy_one(
    source: &Objects,
    target: &Objects,
    copy_log: &CopyLog,
    found: &ListedObject,
) -> Result<CopyOutcome, String> {
    let said = |error: &dyn std::error::Error| output::chain(error);
    if copy_log.has(found) {
        let there = target.head(&found.key).await.map_err(|error| said(&error))?;
        if there.is_some_and(|about| about.bytes == found.bytes) {
            return Ok(CopyOutcome::AlreadyThere);
        }
    }
    let moved =
        migration::copy(source, target, &found.key, found.bytes).await.map_err(|error| said(&error))?;
    if moved != CopyOutcome::Gone {
        copy_log.record(found).map_err(|error| format!("the copy log cannot be written: {error}"))?;
    }
    Ok(moved)
}

fn open(operator: &Operator, url: &StorageUrl) -> Result<Objects, CommandError> {
    Ok(Objects::open(&operator.base.config.storage, url).map_err(StartError::from)?)
}

/// Refuses a target inside the source or the reverse: the copies would be copied again.
fn refuse_overlap(from: &StorageUrl, to: &StorageUrl) -> Result<(), CommandError> {
    if let StorageUrl::Directory(path) = from
        && !path.is_dir()
    {
        return Err(CommandError::Usage(format!("--from: there is no directory {}", path.display())));
    }
    let within = |inner: &str, outer: &str| {
        inner == outer
            || outer.is_empty()
            || inner.strip_prefix(outer).is_some_and(|rest| rest.starts_with('/'))
    };
    let overlap = match (from, to) {
        (StorageUrl::Directory(from), StorageUrl::Directory(to)) => {
            from.starts_with(to) || to.starts_with(from)
        }
        (
            StorageUrl::S3 { bucket: from, prefix: from_prefix },
            StorageUrl::S3 { bucket: to, prefix: to_prefix },
        ) => from == to && (within(from_prefix, to_prefix) || within(to_prefix, from_prefix)),
        _ => false,
    };
    if overlap {
        return Err(CommandError::Usage(
            "--from and --to must not be the same, or one within the other".to_owned(),
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::refuse_overlap;

    #[test]
    fn a_storage_is_not_copied_into_itself() {
        let refused =
            |from: &str, to: &str| refuse_overlap(&from.parse().unwrap(), &to.parse().unwrap()).is_err();
        let here = format!("file://{}", env!("CARGO_MANIFEST_DIR"));
        assert!(refused(&here, &here) && refused(&here, &format!("{here}/src")));
        assert!(refused("file:///no/such/place", "s3://abc"));
        assert!(refused("s3://abc", "s3://abc/x") && refused("s3://abc/x/y", "s3://abc/x"));
        assert!(!refused("s3://abc/x", "s3://abc/xy") && !refused("s3://abc/x", "s3://abd/x"));
        assert!(!refused(&here, "s3://abc"));
    }
}
