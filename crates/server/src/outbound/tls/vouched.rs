//! Receivers' own certificates that the operator vouches for.
//!
//! A certificate that a receiver signed itself often calls itself an authority (`openssl req -x509` makes it so), and as such is
//! refused as a server's, also when it stands in the operator's file. Here it is taken when it is that very certificate, is
//! current and is for the name. Everything else is the library's verifier's to decide.

use std::sync::Arc;

use rustls::{
    CertificateError, DigitallySignedStruct, Error, SignatureScheme,
    client::{
        WebPkiServerVerifier,
        danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier},
        verify_server_name,
    },
    pki_types::{CertificateDer, ServerName, UnixTime},
    server::ParsedCertificate,
};

/// The library's verifier, and certificates that are taken as they are.
#[derive(Debug)]
pub(super) struct Vouched {
    pub(super) inner: Arc<WebPkiServerVerifier>,
    pub(super) certificates: Vec<CertificateDer<'static>>,
}

impl ServerCertVerifier for Vouched {
    fn verify_server_cert(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        let verified = self.inner.verify_server_cert(end_entity, intermediates, name, ocsp, now);
        match verified {
            // Whether it is current is looked at before whether it is an authority's.
            Err(Error::InvalidCertificate(CertificateError::Other(_)))
                if self.certificates.contains(end_entity) =>
            {
                verify_server_name(&ParsedCertificate::try_from(end_entity)?, name)?;
                Ok(ServerCertVerified::assertion())
            }
            verified => verified,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.inner.verify_tls12_signature(message, certificate, signed)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        self.inner.verify_tls13_signature(message, certificate, signed)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.inner.supported_verify_schemes()
    }
}
