//! Whom receivers' certificates are checked against: the public authorities, and those of the operator's file.

use std::{path::Path, sync::Arc};

use rustls::{
    ClientConfig, RootCertStore,
    pki_types::{CertificateDer, pem::PemObject as _},
};

use crate::config::ConfigError;

/// The setting that a bad file is told under.
const SETTING: &str = "webhooks.extra_ca_file";

/// TLS 1.2 and 1.3, verified, HTTP/1.1 only.
///
/// # Errors
/// [`ConfigError`] when the file cannot be used.
pub(super) fn config(extra_ca: Option<&Path>) -> Result<Arc<ClientConfig>, ConfigError> {
    let mut roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
    if let Some(path) = extra_ca {
        add(&mut roots, path).map_err(|why| ConfigError::new(SETTING, why))?;
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| ConfigError::new(SETTING, error.to_string()))?;
    let mut config = builder.with_root_certificates(roots).with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(Arc::new(config))
}

fn add(roots: &mut RootCertStore, path: &Path) -> Result<(), String> {
    let name = path.display();
    let certificates =
        CertificateDer::pem_file_iter(path).map_err(|error| format!("{name} cannot be read: {error}"))?;
    let mut added = 0;
    for certificate in certificates {
        let certificate = certificate.map_err(|error| format!("{name} is not PEM: {error}"))?;
        roots
            .add(certificate)
            .map_err(|error| format!("{name} holds what is no authority's certificate: {error}"))?;
        added += 1;
    }
    if added == 0 { Err(format!("{name} holds no certificate")) } else { Ok(()) }
}
