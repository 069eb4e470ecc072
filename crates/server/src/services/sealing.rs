//! Responses that hold a secret, kept for replay: sealed so that only who sent the request can open them.
//!
//! The sealing key is derived (HKDF-SHA-256) from the presented API key and the `Idempotency-Key` under a key of the
//! server. Neither of the two is stored: the row is found by a keyed hash of the `Idempotency-Key`, the API key is
//! stored hashed as ever. So the database alone opens nothing, nor does the database with the master key.

use chacha20poly1305::{
    ChaCha20Poly1305, Nonce,
    aead::{Aead as _, KeyInit as _, Payload},
};
use hkdf::Hkdf;
use lectern_store::idempotency::Response;
use secrecy::{ExposeSecret as _, SecretString};
use sha2::Sha256;

use crate::{
    clock,
    error::{Error, Result},
    secrets::Key,
};

/// Bytes of a nonce (RFC 8439, section 2.8), which go in front of what is sealed.
const NONCE_BYTES: usize = 12;

/// What seals and opens the response of one request.
#[derive(Clone)]
pub struct Seal(ChaCha20Poly1305);

impl std::fmt::Debug for Seal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Seal(…)")
    }
}

impl Seal {
    /// The seal of the request that `presented` sent under `idempotency_key`.
    pub fn new(server: &Key, presented: &SecretString, idempotency_key: &str) -> Self {
        Self(ChaCha20Poly1305::new(&derived(server, presented, idempotency_key).into()))
    }

    /// By what the row of a sealed response is found: nothing of the `Idempotency-Key` can be read from it.
    pub fn row_key(server: &Key, idempotency_key: &str) -> String {
        hex::encode(server.mac(&[b"row\n", idempotency_key.as_bytes()]))
    }

    /// Seals a response; `row` says which row it is kept in, and it opens in no other.
    ///
    /// # Errors
    /// [`Error::Internal`] for a body of more than 256 GiB.
    pub fn seal(&self, row: &str, response: &Response) -> Result<Response> {
        let nonce = clock::random::<NONCE_BYTES>();
        let about = about(row, response);
        let payload = Payload { msg: &response.body, aad: about.as_bytes() };
        let sealed = self.0.encrypt(&Nonce::from(nonce), payload);
        let sealed = sealed.map_err(|_| Error::Internal("a response could not be sealed".to_owned()))?;
        Ok(Response { body: [&nonce[..], &sealed].concat(), sealed: true, ..response.clone() })
    }

    /// Opens a response; `None` when another key sealed it, or it was changed or moved.
    pub fn open(&self, row: &str, response: &Response) -> Option<Response> {
        let (nonce, sealed) = response.body.split_at_checked(NONCE_BYTES)?;
        let nonce: [u8; NONCE_BYTES] = nonce.try_into().ok()?;
        let about = about(row, response);
        let body =
            self.0.decrypt(&Nonce::from(nonce), Payload { msg: sealed, aad: about.as_bytes() }).ok()?;
        Some(Response { body, sealed: false, ..response.clone() })
    }
}

fn derived(server: &Key, presented: &SecretString, idempotency_key: &str) -> [u8; 32] {
    let hkdf = Hkdf::<Sha256>::new(Some(server.bytes()), presented.expose_secret().as_bytes());
    let mut key = [0; 32];
    #[expect(clippy::expect_used, reason = "HKDF-SHA-256 gives up to 8160 bytes; 32 are asked for")]
    hkdf.expand(idempotency_key.as_bytes(), &mut key).expect("32 bytes are within HKDF's limit");
    key
}

/// What is not secret and must not be changed. No part can hold a line break.
fn about(row: &str, response: &Response) -> String {
    format!("{row}\n{}\n{}", response.status, response.content_type)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::secrets::Secrets;

    fn response() -> Response {
        Response {
            status: 201,
            content_type: "application/json".to_owned(),
            body: b"{\"key\":\"svc_test_secret\"}".to_vec(),
            sealed: false,
        }
    }

    // Negative control: with the row taken out of the associated data the moved response opens, and this fails.
    #[test]
    fn a_response_opens_under_its_own_keys_in_its_own_row_only() {
        let (one, two) = (Secrets::derive(b"one").sealing, Secrets::derive(b"two").sealing);
        let seal = |server: &Key, api: &str, key: &str| Seal::new(server, &api.to_owned().into(), key);
        let sealed = seal(&one, "api-1", "k").seal("row", &response()).unwrap();
        assert!(sealed.sealed && !sealed.body.windows(6).any(|bytes| bytes == b"secret"));
        assert_eq!(seal(&one, "api-1", "k").open("row", &sealed), Some(response()));
        assert_eq!(seal(&one, "api-1", "k").open("another row", &sealed), None);
        for other in [seal(&one, "api-2", "k"), seal(&one, "api-1", "l"), seal(&two, "api-1", "k")] {
            assert_eq!(other.open("row", &sealed), None);
        }
        for at in 0..sealed.body.len() {
            let mut changed = sealed.clone();
            changed.body[at] ^= 1;
            assert_eq!(seal(&one, "api-1", "k").open("row", &changed), None, "byte {at}");
        }
        let shorter = Response { body: sealed.body[..5].to_vec(), ..sealed.clone() };
        assert_eq!(seal(&one, "api-1", "k").open("row", &shorter), None);
        let other_status = Response { status: 200, ..sealed };
        assert_eq!(seal(&one, "api-1", "k").open("row", &other_status), None);
    }

    #[test]
    fn no_two_sealed_responses_are_alike() {
        let seal = Seal::new(&Secrets::derive(b"one").sealing, &"api".to_owned().into(), "k");
        assert_ne!(seal.seal("row", &response()).unwrap().body, seal.seal("row", &response()).unwrap().body);
    }
}
