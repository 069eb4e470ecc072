//! Object storage on an S3 server that checks signatures.

mod commands;
mod large;
mod missing;
mod outages;
mod presigned;
mod settings;
mod sharing;

use std::{path::Path, sync::Arc};

use lectern_service::{
    config::{Config, Sources},
    objects::Objects,
};
use lectern_testkit::S3Server;

/// A server with an empty bucket `books`, and the server's root.
fn server() -> (tempfile::TempDir, S3Server) {
    let folder = tempfile::tempdir().unwrap();
    let server = S3Server::start(folder.path());
    server.make_bucket("books");
    (folder, server)
}

/// Settings for a service that stores its objects on the server.
fn config(server: &S3Server, prefix: &str, data: &Path) -> Arc<Config> {
    // TLS needs one provider for the whole process; another test may have installed it already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let mut settings = server.settings("books", prefix);
    settings.push(("LECTERN_DATA_DIR".to_owned(), data.display().to_string()));
    let environment = settings.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
    Arc::new(Config::load(&Sources { environment, ..Sources::default() }).unwrap())
}

/// The storage of a service with [`config`].
fn objects(server: &S3Server, prefix: &str) -> Objects {
    let config = config(server, prefix, Path::new("/nonexistent"));
    Objects::open(&config.storage, &config.storage.url).unwrap()
}

/// Bytes without repetition.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let words = std::iter::repeat_with(|| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()
    });
    words.flatten().take(length).collect()
}

/// A whole object, or the reason why it cannot be read.
async fn whole(objects: &Objects, key: &str) -> Result<Vec<u8>, String> {
    use futures_util::TryStreamExt as _;
    let about = objects.head(key).await.map_err(|error| error.to_string())?;
    let about = about.ok_or("there is none")?;
    let pieces = objects.read(key, 0..about.bytes).await.map_err(|error| error.to_string())?;
    let pieces = pieces.ok_or("there is none any more")?;
    let pieces: Vec<_> = pieces.try_collect().await.map_err(|error| error.to_string())?;
    Ok(pieces.concat())
}
