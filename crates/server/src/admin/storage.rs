//! `lectern admin storage migrate`: every object from one storage to another, proved by hash.

mod journal;

use clap::Subcommand;
use futures_util::TryStreamExt as _;
use lectern_types::RequestId;
use serde_json::json;

use self::journal::Journal;
use super::Operator;
use crate::{
    app::StartError,
    commands::{CommandError, output},
    config::StorageUrl,
    objects::{
        CHECKS, Found, Objects,
        migration::{self, Moved},
    },
};

/// Objects copied at once.
const AT_ONCE: usize = 4;

/// Objects between two lines of progress.
const PROGRESS: u64 = 1_000;

/// Failures that are told one by one; more are only counted.
const FAILURES_TOLD: usize = 20;

#[derive(Debug, Subcommand)]
pub(super) enum Storage {
    /// Copies every object from one storage to another and reads each copy back. Nothing is deleted. It may run beside the
    /// service and be run again: it goes on where it was. Endpoint and keys of s3:// are those of the settings.
    Migrate {
        /// Where the objects are: `file://DIRECTORY` or `s3://BUCKET/PREFIX`.
        #[arg(long, value_name = "URL")]
        from: StorageUrl,
        /// Where they are to be.
        #[arg(long, value_name = "URL")]
        to: StorageUrl,
    },
}

/// What was done.
#[derive(Debug, Default)]
struct Tally {
    objects: u64,
    copied: u64,
    copied_bytes: u64,
    already_there: u64,
    gone: u64,
    failed: u64,
    told: Vec<String>,
}

pub(super) async fn run(operator: &Operator, command: Storage) -> Result<(), CommandError> {
    let Storage::Migrate { from, to } = command;
    refuse_overlap(&from, &to)?;
    let source = open(operator, &from)?;
    let target = open(operator, &to)?;
    source.ping().await.map_err(CommandError::from_error)?;
    let word: RequestId = operator.base.ids.make();
    target.check(&word.to_string()).await.map_err(StartError::from)?;
    let journal = Journal::open(&operator.base.config.data_dir, &from, &to)?;
    let tally = copy_all(&source, &target, &journal).await?;
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
        "failures": tally.told,
    }));
    if tally.failed == 0 { Ok(()) } else { Err(CommandError::CheckFailed) }
}

async fn copy_all(source: &Objects, target: &Objects, journal: &Journal) -> Result<Tally, CommandError> {
    let mut tally = Tally::default();
    let listed = source.list("").map_err(CommandError::from_error);
    let listed = listed.try_filter(|found| std::future::ready(!found.key.starts_with(&format!("{CHECKS}/"))));
    let moved = listed.map_ok(|found| async move {
        let outcome = copy_one(source, target, journal, &found).await;
        Ok::<_, CommandError>((found, outcome))
    });
    let mut moved = std::pin::pin!(moved.try_buffer_unordered(AT_ONCE));
    while let Some((found, outcome)) = moved.try_next().await? {
        tally.objects += 1;
        match outcome {
            Ok(Moved::Copied) => {
                tally.copied += 1;
                tally.copied_bytes += found.bytes;
            }
            Ok(Moved::AlreadyThere) => tally.already_there += 1,
            Ok(Moved::Gone) => tally.gone += 1,
            Err(why) => {
                tally.failed += 1;
                if tally.told.len() < FAILURES_TOLD {
                    tally.told.push(format!("{}: {why}", found.key));
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
    journal: &Journal,
    found: &Found,
) -> Result<Moved, String> {
    let said = |error: &dyn std::error::Error| output::chain(error);
    if journal.has(found) {
        let there = target.about(&found.key).await.map_err(|error| said(&error))?;
        if there.is_some_and(|about| about.bytes == found.bytes) {
            return Ok(Moved::AlreadyThere);
        }
    }
    let moved =
        migration::copy(source, target, &found.key, found.bytes).await.map_err(|error| said(&error))?;
    if moved != Moved::Gone {
        journal.note(found).map_err(|error| format!("the journal cannot be written: {error}"))?;
    }
    Ok(moved)
}

fn open(operator: &Operator, url: &StorageUrl) -> Result<Objects, CommandError> {
    Ok(Objects::open(&operator.base.config.storage, url).map_err(StartError::from)?)
}

/// A copy within itself would find its own copies.
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
