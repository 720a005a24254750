//! The certificate authorities that `https` connections trust: those of the system.

use std::sync::Arc;

use rustls::crypto::ring::default_provider;
use ureq::tls::{Certificate, RootCerts, TlsConfig, TlsProvider};

/// Returns the TLS configuration. Certificates that cannot be loaded are skipped. If none can be
/// loaded, every connection is refused.
pub(crate) fn tls_config() -> TlsConfig {
    let found = rustls_native_certs::load_native_certs().certs;
    let certificates: Vec<_> = found
        .iter()
        .map(|certificate| Certificate::from_der(certificate).to_owned())
        .collect();
    TlsConfig::builder()
        .provider(TlsProvider::Rustls)
        .root_certs(RootCerts::new_with_certs(&certificates))
        .unversioned_rustls_crypto_provider(Arc::new(default_provider()))
        .build()
}
