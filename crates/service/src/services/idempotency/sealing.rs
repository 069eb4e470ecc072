//! Encrypts stored responses that hold a secret, so that only the sender of the request can decrypt
//! them.
//!
//! The encryption key is derived (HKDF-SHA-256) from the presented API key, the `Idempotency-Key`
//! and a key of the server. The first two are not stored: the row is found by a keyed hash of the
//! `Idempotency-Key`, and the API key is stored hashed as always. So the database cannot be
//! decrypted by itself, nor together with the master key.

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

/// Bytes of the nonce (RFC 8439, section 2.8), which precedes the ciphertext.
const NONCE_BYTES: usize = 12;

/// Encrypts and decrypts the response of one request.
#[derive(Clone)]
pub struct Seal(ChaCha20Poly1305);

impl std::fmt::Debug for Seal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Seal(…)")
    }
}

impl Seal {
    /// The cipher for the request that was sent with the API key `presented` and this
    /// `idempotency_key`.
    pub fn new(server: &Key, presented: &SecretString, idempotency_key: &str) -> Self {
        Self(ChaCha20Poly1305::new(&derive_key(server, presented, idempotency_key).into()))
    }

    /// The key of the row of an encrypted response, which reveals nothing about the
    /// `Idempotency-Key`.
    pub fn row_key(server: &Key, idempotency_key: &str) -> String {
        hex::encode(server.mac(&[b"row\n", idempotency_key.as_bytes()]))
    }

    /// Encrypts a response for the row `row`; it cannot be decrypted in any other.
    ///
    /// # Errors
    /// [`Error::Internal`] for a body of more than 256 GiB.
    pub fn seal(&self, row: &str, response: &Response) -> Result<Response> {
        let nonce = clock::random::<NONCE_BYTES>();
        let associated_data = associated_data(row, response);
        let payload = Payload { msg: &response.body, aad: associated_data.as_bytes() };
        let sealed = self.0.encrypt(&Nonce::from(nonce), payload);
        let sealed = sealed.map_err(|_| Error::Internal("a response could not be encrypted".to_owned()))?;
        Ok(Response { body: [&nonce[..], &sealed].concat(), sealed: true, ..response.clone() })
    }

    /// Decrypts a response; `None` when it was encrypted with another key, changed or moved.
    pub fn open(&self, row: &str, response: &Response) -> Option<Response> {
        let (nonce, sealed) = response.body.split_at_checked(NONCE_BYTES)?;
        let nonce: [u8; NONCE_BYTES] = nonce.try_into().ok()?;
        let associated_data = associated_data(row, response);
        let body = self
            .0
            .decrypt(&Nonce::from(nonce), Payload { msg: sealed, aad: associated_data.as_bytes() })
            .ok()?;
        Some(Response { body, sealed: false, ..response.clone() })
    }
}

fn derive_key(server: &Key, presented: &SecretString, idempotency_key: &str) -> [u8; 32] {
    let hkdf = Hkdf::<Sha256>::new(Some(server.bytes()), presented.expose_secret().as_bytes());
    let mut key = [0; 32];
    #[expect(clippy::expect_used, reason = "HKDF-SHA-256 gives up to 8160 bytes; 32 are asked for")]
    hkdf.expand(idempotency_key.as_bytes(), &mut key).expect("32 bytes are within HKDF's limit");
    key
}

/// The associated data: not secret, but must not be changed. No part can contain a line break.
fn associated_data(row: &str, response: &Response) -> String {
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

    // Negative control: without the row in the associated data the moved response can be
    // decrypted, and this fails.
    #[test]
    fn a_response_is_decrypted_only_with_its_own_keys_in_its_own_row() {
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
    fn no_two_encrypted_responses_are_alike() {
        let seal = Seal::new(&Secrets::derive(b"one").sealing, &"api".to_owned().into(), "k");
        assert_ne!(seal.seal("row", &response()).unwrap().body, seal.seal("row", &response()).unwrap().body);
    }
}
