//! The parts of an uploaded form: the file, which streams into storage, the other fields, and what is wrong with them.

use axum::http::Uri;
use lectern_types::{Fields, Request as _, UploadMaterialForm, request::MOST_UNKNOWN};
use serde_json::{Map, Value};
use sha2::{Digest as _, Sha256};

use super::{Uploading, idempotent, settle};
use crate::{
    extract::{
        auth::Caller,
        form_data::{FormData, Part},
        page::Parameters,
    },
    saas::materials::shown,
};
use lectern_service::{
    base::Base,
    error::{Error, FieldErrors, Result},
    services::{
        idempotency::IdempotentResponse,
        materials::{
            intake::Intake,
            upload::{self, Upload},
        },
    },
};

/// Bytes of a text field that are read; the longest title has fewer.
const FIELD_BYTES: usize = 64 * 1024;

/// The most characters of a file's name.
const MAX_FILENAME: usize = 255;

/// The contents of a form.
#[derive(Default)]
pub(super) struct Form {
    file: Option<Intake>,
    filename: Option<String>,
    /// The fields: texts, and null for what is not to be read as one.
    object: Map<String, Value>,
    /// How many of the fields are not a form's.
    foreign: usize,
    /// Each part's name and the hash of its content, for the fingerprint.
    hashes: Vec<(String, [u8; 32])>,
    /// What is wrong with the parts themselves.
    errors: FieldErrors,
}

impl Form {
    /// Reads all parts. What is wrong with them is noted: a replay comes before.
    pub(super) async fn read(&mut self, base: &Base, mut data: FormData, file_bytes: u64) -> Result<()> {
        while let Some(part) = data.next().await? {
            let name = part.name().unwrap_or_default().to_owned();
            let hash = match name.as_str() {
                "file" => self.read_file(base, part, file_bytes).await?,
                _ => self.read_field(&name, part).await?,
            };
            self.hashes.push((name, hash));
        }
        Ok(())
    }

    async fn read_file(&mut self, base: &Base, mut part: Part, file_bytes: u64) -> Result<[u8; 32]> {
        if self.file.is_some() {
            self.errors.add("file", "must be sent once");
            return hash_of(part).await;
        }
        self.object.insert("file".to_owned(), Value::Null);
        self.filename = part.file_name().and_then(plain_name);
        let file = self.file.insert(Intake::begin(base).await?);
        while let Some(bytes) = part.chunk().await? {
            if file.bytes() + bytes.len() as u64 > file_bytes {
                return Err(Error::FileTooLarge { max_bytes: file_bytes });
            }
            file.write(bytes).await?;
        }
        Ok(file.sha256())
    }

    async fn read_field(&mut self, name: &str, mut part: Part) -> Result<[u8; 32]> {
        if !matches!(name, "title" | "language") {
            let shown = if name.is_empty() { "body" } else { name };
            if self.foreign < MOST_UNKNOWN && self.object.insert(shown.to_owned(), Value::Null).is_none() {
                self.foreign += 1;
            }
            return hash_of(part).await;
        }
        if self.hashes.iter().any(|(seen, _)| seen == name) {
            self.errors.add(name, "must be sent once");
            return hash_of(part).await;
        }
        let (mut content, mut hash) = (Vec::new(), Sha256::new());
        while let Some(bytes) = part.chunk().await? {
            hash.update(&bytes);
            let room = FIELD_BYTES - content.len();
            content.extend(bytes.iter().take(room));
        }
        match String::from_utf8(content) {
            Ok(text) => self.object.insert(name.to_owned(), text.into()).map_or((), drop),
            Err(_) => self.errors.add(name, "must be UTF-8"),
        }
        Ok(hash.finalize().into())
    }

    /// The same for the same parts in any order.
    fn fingerprint(&mut self) -> [u8; 32] {
        self.hashes.sort();
        let mut all = Sha256::new();
        for (name, hash) in &self.hashes {
            all.update((name.len() as u64).to_le_bytes());
            all.update(name);
            all.update(hash);
        }
        all.finalize().into()
    }

    pub(super) async fn answer(
        mut self,
        base: &Base,
        caller: &Caller<Uploading>,
        uri: &Uri,
    ) -> Result<IdempotentResponse> {
        let idempotent = idempotent(caller, uri, || self.fingerprint());
        let settled = match settle(base, idempotent.as_ref()).await {
            Ok(Some(answer)) => Ok(answer),
            Ok(None) => match self.upload(uri) {
                Ok(upload) => {
                    return upload::create(base, &caller.authenticated, upload, idempotent, shown).await;
                }
                Err(error) => Err(error),
            },
            Err(error) => Err(error),
        };
        self.abort().await;
        settled
    }

    /// The upload that this is, or everything that is wrong with it.
    fn upload(&mut self, uri: &Uri) -> Result<Upload> {
        Parameters::of(uri).finish()?;
        let mut fields = Fields::of(std::mem::take(&mut self.object));
        let form = UploadMaterialForm::take(&mut fields);
        for (field, sentence) in std::mem::take(&mut self.errors).0 {
            fields.wrong(&field, &sentence);
        }
        let UploadMaterialForm { title, language, .. } = fields.finish(form)?;
        let intake = self.file.take();
        let intake =
            intake.ok_or_else(|| Error::Internal("a form without a file was not noted".to_owned()))?;
        Ok(Upload { intake, is_text: false, title, language, filename: self.filename.take(), url: None })
    }

    pub(super) async fn abort(&mut self) {
        if let Some(intake) = self.file.take() {
            intake.abort().await;
        }
    }
}

/// Reads a part to its end for its hash alone.
async fn hash_of(mut part: Part) -> Result<[u8; 32]> {
    let mut hash = Sha256::new();
    while let Some(bytes) = part.chunk().await? {
        hash.update(&bytes);
    }
    Ok(hash.finalize().into())
}

/// The last part of a possible path, without characters that cannot be shown.
fn plain_name(name: &str) -> Option<String> {
    let last = name.rsplit(['/', '\\']).next().unwrap_or_default();
    let plain: String = last.chars().filter(|c| !c.is_control()).take(MAX_FILENAME).collect();
    let plain = plain.trim();
    (!plain.is_empty()).then(|| plain.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_files_name_is_no_path() {
        for (name, plain) in [
            ("book.epub", Some("book.epub")),
            ("../../etc/passwd", Some("passwd")),
            ("C:\\fakepath\\büch.pdf", Some("büch.pdf")),
            ("a\u{0}b\n.txt", Some("ab.txt")),
            ("dir/", None),
            (" ", None),
        ] {
            assert_eq!(plain_name(name).as_deref(), plain, "{name:?}");
        }
        assert_eq!(plain_name(&"x".repeat(1_000)).map(|name| name.len()), Some(MAX_FILENAME));
    }

    #[test]
    fn the_fingerprint_does_not_see_the_order_of_parts() {
        let print = |parts: &[(&str, u8)]| {
            let hashes = parts.iter().map(|(name, byte)| ((*name).to_owned(), [*byte; 32])).collect();
            Form { hashes, ..Form::default() }.fingerprint()
        };
        assert_eq!(print(&[("file", 1), ("title", 2)]), print(&[("title", 2), ("file", 1)]));
        assert_ne!(print(&[("file", 1), ("title", 2)]), print(&[("file", 2), ("title", 1)]));
        assert_ne!(print(&[("file", 1)]), print(&[("file", 1), ("title", 2)]));
    }
}
