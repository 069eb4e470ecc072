//! A certificate authority for one test, and the certificates that it signs.

use std::{path::PathBuf, sync::Arc};

use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair, date_time_ymd};
use rustls::{
    ServerConfig,
    pki_types::{CertificateDer, PrivatePkcs8KeyDer},
};

/// The first and last year in which the certificates are valid.
const YEARS: (i32, i32) = (2020, 2090);

pub struct Authority {
    issuer: CertifiedIssuer<'static, KeyPair>,
    folder: tempfile::TempDir,
}

impl Authority {
    /// A new authority, with its certificate in a file.
    pub fn new() -> Self {
        Self::named(&[])
    }

    /// An authority whose own certificate is for `names`, like a server with a self-signed
    /// certificate.
    pub fn named(names: &[&str]) -> Self {
        let mut params = params(names);
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        (params.not_before, params.not_after) = (date_time_ymd(YEARS.0, 1, 1), date_time_ymd(YEARS.1, 1, 1));
        let issuer = CertifiedIssuer::self_signed(params, key()).expect("an authority signs itself");
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("ca.pem"), issuer.pem()).expect("a folder to write to");
        Self { issuer, folder }
    }

    /// The file with the authority's certificate, for `LECTERN_WEBHOOKS__EXTRA_CA_FILE`.
    pub fn file(&self) -> PathBuf {
        self.folder.path().join("ca.pem")
    }

    /// The TLS configuration of a server called `names`, which may be addresses and wildcards.
    pub fn issue(&self, names: &[&str]) -> Arc<ServerConfig> {
        self.issue_until(names, YEARS.1)
    }

    /// Like [`Authority::issue`], with a certificate that expired at the end of the year before
    /// `year`.
    pub fn issue_until(&self, names: &[&str], year: i32) -> Arc<ServerConfig> {
        let mut params = params(names);
        (params.not_before, params.not_after) = (date_time_ymd(2000, 1, 1), date_time_ymd(year, 1, 1));
        let key = key();
        let certificate = params.signed_by(&key, &self.issuer).expect("the authority signs");
        server(certificate.der(), &key)
    }

    /// Certificate and key files for a server in another program that is called `names`.
    pub fn files(&self, names: &[&str]) -> (PathBuf, PathBuf) {
        let mut params = params(names);
        (params.not_before, params.not_after) = (date_time_ymd(YEARS.0, 1, 1), date_time_ymd(YEARS.1, 1, 1));
        let key = key();
        let certificate = params.signed_by(&key, &self.issuer).expect("the authority signs");
        let file = |name: &str, text: String| {
            let path = self.folder.path().join(name);
            std::fs::write(&path, text).expect("a folder to write to");
            path
        };
        (file("server.pem", certificate.pem()), file("server.key", key.serialize_pem()))
    }

    /// The TLS configuration of a server that presents the authority's own certificate.
    pub fn itself(&self) -> Arc<ServerConfig> {
        server(self.issuer.der(), self.issuer.key())
    }
}

fn params(names: &[&str]) -> CertificateParams {
    let names: Vec<String> = names.iter().map(ToString::to_string).collect();
    CertificateParams::new(names).expect("names that certificates can have")
}

fn server(certificate: &CertificateDer<'static>, key: &KeyPair) -> Arc<ServerConfig> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ServerConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("the provider knows TLS 1.2 and 1.3")
        .with_no_client_auth()
        .with_single_cert(vec![certificate.clone()], PrivatePkcs8KeyDer::from(key.serialize_der()).into());
    Arc::new(config.expect("the key is the certificate's"))
}

impl Default for Authority {
    fn default() -> Self {
        Self::new()
    }
}

impl std::fmt::Debug for Authority {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Authority").field("file", &self.file()).finish_non_exhaustive()
    }
}

fn key() -> KeyPair {
    KeyPair::generate().expect("a key can be made")
}
