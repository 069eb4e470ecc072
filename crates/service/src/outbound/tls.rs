//! Certificate authorities for receivers: the public ones and those in the operator's file.

mod listed;

use std::{path::Path, sync::Arc};

use rustls::{
    ClientConfig, RootCertStore,
    client::WebPkiServerVerifier,
    pki_types::{CertificateDer, pem::PemObject as _},
};

use crate::config::ConfigError;
use listed::ListedCertificates;

/// The setting that errors about the file name.
const SETTING: &str = "webhooks.extra_ca_file";

/// TLS 1.2 and 1.3 with verification, HTTP/1.1 only.
///
/// # Errors
/// [`ConfigError`] when the file cannot be used.
pub(super) fn config(extra_ca: Option<&Path>) -> Result<Arc<ClientConfig>, ConfigError> {
    let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    let refused = |why: String| ConfigError::new(SETTING, why);
    let extra = extra_ca.map(read).transpose().map_err(refused)?.unwrap_or_default();
    for certificate in &extra {
        roots.add(certificate.clone()).map_err(|error| {
            refused(format!("contains a certificate that is not an authority's: {error}"))
        })?;
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(&provider))
        .build()
        .map_err(|error| refused(error.to_string()))?;
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| refused(error.to_string()))?;
    // "Dangerous" is the library's word for any verifier but its own. This verifier delegates to
    // the library's.
    let verifier = Arc::new(ListedCertificates { inner: verifier, certificates: extra });
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
