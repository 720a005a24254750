//! Whom an address of https is believed: the authorities that the system trusts.

use std::sync::Arc;

use rustls::crypto::ring::default_provider;
use ureq::tls::{Certificate, RootCerts, TlsConfig, TlsProvider};

/// How connections are made secret. What cannot be read of the system's list is left out: then
/// nobody is believed.
pub(crate) fn trusted() -> TlsConfig {
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
