//! Access control by host and origin, and security headers.
//!
//! The server answers a request only if the host and the origin that the request names belong to
//! the server. Hence another web site cannot reach the server through the browser of a user, even
//! by DNS rebinding.

use std::fmt;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::str::FromStr;

use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Uri, header};

use crate::Settings;

/// The origin of a page: a scheme, a host and an optional port, such as
/// `https://games.example.org`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Origin {
    scheme: &'static str,
    host: String,
}

/// The error for a text that is not an origin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongOrigin;

impl fmt::Display for WrongOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("expected an address such as https://games.example.org")
    }
}

impl std::error::Error for WrongOrigin {}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}://{}", self.scheme, self.host)
    }
}

/// ```
/// use grundy_server::Origin;
/// assert_eq!(
///     "https://Games.example.org/".parse::<Origin>().unwrap().to_string(),
///     "https://games.example.org",
/// );
/// assert!("games.example.org".parse::<Origin>().is_err());
/// ```
impl FromStr for Origin {
    type Err = WrongOrigin;

    fn from_str(text: &str) -> Result<Self, WrongOrigin> {
        let (scheme, host) = text.split_once("://").ok_or(WrongOrigin)?;
        let scheme = match scheme {
            "http" => "http",
            "https" => "https",
            _ => return Err(WrongOrigin),
        };
        let host = host.strip_suffix('/').unwrap_or(host).to_ascii_lowercase();
        let is_allowed =
            |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | ':' | '[' | ']');
        if host.is_empty() || !host.chars().all(is_allowed) {
            return Err(WrongOrigin);
        }
        Ok(Self { scheme, host })
    }
}

/// Returns the address at which a server bound to `address` can be reached from this machine. For
/// the unspecified address, this is the loopback address.
pub(crate) fn reached_at(address: SocketAddr) -> SocketAddr {
    match address.ip() {
        ip if ip.is_unspecified() => (IpAddr::V4(Ipv4Addr::LOCALHOST), address.port()).into(),
        _ => address,
    }
}

/// The host names and origins to which the server answers, and the security headers of every
/// answer.
#[derive(Debug)]
pub(crate) struct Guard {
    /// The values of the header `Host` that clients on this machine and in its network may send.
    local_hosts: Vec<String>,
    public: Option<Origin>,
    policy: HeaderValue,
    framed: bool,
}

/// The kind of a client. It follows from the header `Host` of the request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ClientKind {
    /// A client on this machine or in its network. It does not use the proxy.
    Local,
    /// A client of the public address, which uses the proxy.
    Public,
}

impl Guard {
    pub(crate) fn new(settings: &Settings, address: SocketAddr) -> Self {
        let port = address.port();
        let mut local_hosts: Vec<String> = ["127.0.0.1", "localhost", "[::1]"]
            .iter()
            .map(|name| format!("{name}:{port}"))
            .collect();
        // The bound address itself is needed if the server is bound to an address of the local
        // network.
        local_hosts.push(reached_at(address).to_string());
        // Browsers omit port 80, the default port.
        if port == 80 {
            local_hosts.extend(["127.0.0.1", "localhost", "[::1]"].map(str::to_owned));
        }
        let framing = settings.frame.as_ref();
        let ancestors = framing.map_or("'none'".to_owned(), ToString::to_string);
        let policy = format!(
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; \
             connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors {ancestors}"
        );
        Self {
            local_hosts,
            public: settings.public.clone(),
            policy: HeaderValue::from_str(&policy)
                .unwrap_or(HeaderValue::from_static("default-src 'none'")),
            framed: framing.is_some(),
        }
    }

    /// Returns the kind of the client of a request. Returns `None` if the request names a host or
    /// an origin that is not one of the server's.
    ///
    /// The target of a request can also contain a host. HTTP then ignores the header `Host`. Hence
    /// a request with two different hosts is rejected.
    pub(crate) fn client_kind(&self, target: &Uri, headers: &HeaderMap) -> Option<ClientKind> {
        let mut hosts = headers.get_all(header::HOST).iter();
        let host = hosts.next()?.to_str().ok()?.to_ascii_lowercase();
        let named = target.authority().map(Authority::as_str);
        // A request with two `Host` headers is rejected, since a proxy might have checked the other
        // one.
        if hosts.next().is_some() || named.is_some_and(|named| !named.eq_ignore_ascii_case(&host)) {
            return None;
        }
        let public = self.public.as_ref().filter(|public| public.host == host);
        let (kind, origin) = match public {
            Some(public) => (ClientKind::Public, public.to_string()),
            None if self.local_hosts.contains(&host) => {
                (ClientKind::Local, format!("http://{host}"))
            }
            None => return None,
        };
        // A browser sends the origin with every cross-origin request that could change something. A
        // request without an origin is a navigation, or does not come from a browser.
        let mut origins = headers.get_all(header::ORIGIN).iter();
        let given = origins.next();
        let same =
            given.is_none_or(|given| given.as_bytes().eq_ignore_ascii_case(origin.as_bytes()));
        (same && origins.next().is_none()).then_some(kind)
    }

    /// Inserts the security headers that every answer has.
    pub(crate) fn headers(&self, headers: &mut HeaderMap) {
        let mut put = |name: HeaderName, value: &'static str| {
            headers.insert(name, HeaderValue::from_static(value));
        };
        put(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
        put(header::REFERRER_POLICY, "no-referrer");
        put(
            HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin",
        );
        put(
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        );
        if !self.framed {
            put(header::X_FRAME_OPTIONS, "DENY");
        }
        headers.insert(header::CONTENT_SECURITY_POLICY, self.policy.clone());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(public: Option<&str>) -> Guard {
        let address: SocketAddr = "127.0.0.1:8080".parse().unwrap();
        let settings = Settings {
            address: address.ip(),
            port: 8080,
            public: public.map(|public| public.parse().unwrap()),
            frame: None,
            program: crate::Program::this([]).unwrap(),
            workers: 1,
            memory: 1 << 30,
        };
        Guard::new(&settings, address)
    }

    fn client_kind(guard: &Guard, values: &[(&'static str, &str)]) -> Option<ClientKind> {
        client_kind_at(guard, "/api/v1/tables", values)
    }

    fn client_kind_at(
        guard: &Guard,
        target: &str,
        values: &[(&'static str, &str)],
    ) -> Option<ClientKind> {
        let mut headers = HeaderMap::new();
        for (name, value) in values {
            headers.append(*name, value.parse().unwrap());
        }
        guard.client_kind(&target.parse().unwrap(), &headers)
    }

    #[test]
    fn only_the_names_of_the_server_are_accepted() {
        let own = guard(None);
        assert_eq!(
            client_kind(&own, &[("host", "127.0.0.1:8080")]),
            Some(ClientKind::Local)
        );
        assert_eq!(
            client_kind(&own, &[("host", "LOCALHOST:8080")]),
            Some(ClientKind::Local)
        );
        for other in [
            "127.0.0.1:8081",
            "evil.example:8080",
            "localhost",
            "127.0.0.1.evil.example:8080",
            "",
        ] {
            assert_eq!(client_kind(&own, &[("host", other)]), None, "{other}");
        }
        assert_eq!(client_kind(&own, &[]), None);
        assert_eq!(
            client_kind(
                &own,
                &[("host", "localhost:8080"), ("host", "evil.example")]
            ),
            None
        );
        let public = guard(Some("https://games.example.org"));
        assert_eq!(
            client_kind(&public, &[("host", "games.example.org")]),
            Some(ClientKind::Public)
        );
        assert_eq!(
            client_kind(&public, &[("host", "games.example.org:443")]),
            None
        );
        assert_eq!(client_kind(&own, &[("host", "games.example.org")]), None);
    }

    #[test]
    fn a_host_in_the_target_must_match_the_header() {
        let own = guard(None);
        let host = [("host", "localhost:8080")];
        for same in [
            "http://localhost:8080/",
            "HTTP://LocalHost:8080/api/v1/tables",
        ] {
            assert_eq!(
                client_kind_at(&own, same, &host),
                Some(ClientKind::Local),
                "{same}"
            );
        }
        for other in [
            "http://evil.example/api/v1/tables",
            "http://evil.example:8080/",
            "http://localhost/",
            "http://127.0.0.1:8080/",
            "http://localhost:8080@evil.example/",
            "http://evil.example@localhost:8080/",
            "evil.example:8080",
        ] {
            assert_eq!(client_kind_at(&own, other, &host), None, "{other}");
        }
        let evil = [("host", "evil.example")];
        assert_eq!(client_kind_at(&own, "http://localhost:8080/", &evil), None);
    }

    #[test]
    fn other_origins_are_rejected() {
        let own = guard(Some("https://games.example.org"));
        let host = ("host", "localhost:8080");
        assert_eq!(
            client_kind(&own, &[host, ("origin", "http://localhost:8080")]),
            Some(ClientKind::Local)
        );
        for other in [
            "null",
            "http://evil.example",
            "https://localhost:8080",
            "http://127.0.0.1:8080",
            "https://games.example.org",
        ] {
            assert_eq!(
                client_kind(&own, &[host, ("origin", other)]),
                None,
                "{other}"
            );
        }
        let same = ("origin", "http://localhost:8080");
        for second in [same, ("origin", "http://evil.example")] {
            assert_eq!(client_kind(&own, &[host, same, second]), None, "{second:?}");
            assert_eq!(client_kind(&own, &[host, second, same]), None, "{second:?}");
        }
        let host = ("host", "games.example.org");
        assert_eq!(
            client_kind(&own, &[host, ("origin", "https://games.example.org")]),
            Some(ClientKind::Public)
        );
        assert_eq!(
            client_kind(&own, &[host, ("origin", "http://games.example.org")]),
            None
        );
    }

    #[test]
    fn origins_are_parsed() {
        for wrong in [
            "",
            "http://",
            "ftp://a",
            "http://a/b",
            "http://a b",
            "https://a\"",
            "a",
        ] {
            assert_eq!(wrong.parse::<Origin>(), Err(WrongOrigin), "{wrong}");
        }
        assert_eq!(
            "http://[::1]:80/".parse::<Origin>().unwrap().to_string(),
            "http://[::1]:80"
        );
    }
}
