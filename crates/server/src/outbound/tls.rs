//! Whom receivers' certificates are checked against: the public authorities, and what the operator's file holds.

mod vouched;

use std::{path::Path, sync::Arc};

use rustls::{
    ClientConfig, RootCertStore,
    client::WebPkiServerVerifier,
    pki_types::{CertificateDer, pem::PemObject as _},
};

use crate::config::ConfigError;
use vouched::Vouched;

/// The setting that a bad file is told under.
const SETTING: &str = "webhooks.extra_ca_file";

/// TLS 1.2 and 1.3, verified, HTTP/1.1 only.
///
/// # Errors
/// [`ConfigError`] when the file cannot be used.
pub(super) fn config(extra_ca: Option<&Path>) -> Result<Arc<ClientConfig>, ConfigError> {
    let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    let refused = |why: String| ConfigError::new(SETTING, why);
    let extra = extra_ca.map(read).transpose().map_err(refused)?.unwrap_or_default();
    for certificate in &extra {
        roots
            .add(certificate.clone())
            .map_err(|error| refused(format!("holds what is no authority's certificate: {error}")))?;
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&provider))
        .build()
        .map_err(|error| refused(error.to_string()))?;
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| refused(error.to_string()))?;
    // "Dangerous" is what the library calls every verifier that is not its own; this one asks its own.
    let verifier = Arc::new(Vouched { inner: verifier, certificates: extra });
    let mut config = builder.dangerous().with_custom_certificate_verifier(verifier).with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

fn read(path: &Path) -> Result<Vec<CertificateDer<'static>>, String> {
    let certificates: Result<Vec<_>, _> = CertificateDer::pem_file_iter(path)
        .map_err(|error| format!("{} cannot be read: {error}", path.display()))?
        .collect();
    match certificates {
        Ok(none) if none.is_empty() => Err(format!("{} holds no certificate", path.display())),
        Ok(certificates) => Ok(certificates),
        Err(error) => Err(format!("{} is not PEM: {error}", path.display())),
    }
}
