//! The files of the web page, which are embedded in the executable. All of them are compressed when
//! a file is requested for the first time.

use std::io::Write as _;
use std::sync::OnceLock;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, Response, StatusCode, header};
use flate2::Compression;
use flate2::write::GzEncoder;

/// A file of the page.
struct Asset {
    path: &'static str,
    kind: &'static str,
    bytes: &'static [u8],
    cache_control: &'static str,
}

/// Value of the header `Cache-Control` for files that change with the program. A browser then
/// checks on each use whether its copy is current.
const REVALIDATE: &str = "no-cache";

/// Value of the header `Cache-Control` for the icon. Browsers request the icon for every new
/// address, and each move in a game has a new address.
const ONE_DAY: &str = "max-age=86400";

const ASSETS: [Asset; 4] = [
    Asset {
        path: "/",
        kind: "text/html; charset=utf-8",
        bytes: include_bytes!("../assets/index.html"),
        cache_control: REVALIDATE,
    },
    Asset {
        path: "/app.js",
        kind: "text/javascript; charset=utf-8",
        bytes: include_bytes!("../assets/app.js"),
        cache_control: REVALIDATE,
    },
    Asset {
        path: "/app.css",
        kind: "text/css; charset=utf-8",
        bytes: include_bytes!("../assets/app.css"),
        cache_control: REVALIDATE,
    },
    Asset {
        path: "/icon.svg",
        kind: "image/svg+xml",
        bytes: include_bytes!("../assets/icon.svg"),
        cache_control: ONE_DAY,
    },
];

/// The compressed form of a file, and its entity tag.
struct CompressedAsset {
    zipped: Bytes,
    tag: HeaderValue,
}

fn packed() -> &'static [CompressedAsset] {
    static PACKED: OnceLock<Vec<CompressedAsset>> = OnceLock::new();
    PACKED.get_or_init(|| {
        let packed = ASSETS.iter().map(|asset| {
            let mut zip = GzEncoder::new(Vec::new(), Compression::best());
            // Writing to memory does not fail.
            let _ = zip.write_all(asset.bytes);
            let zipped = zip.finish().unwrap_or_default();
            // A checksum suffices as an entity tag. It only has to differ between versions, not to
            // resist an attacker.
            let mut sum = flate2::Crc::new();
            sum.update(asset.bytes);
            let tag = format!("\"{:08x}-{}\"", sum.sum(), asset.bytes.len());
            CompressedAsset {
                zipped: zipped.into(),
                tag: HeaderValue::from_str(&tag).unwrap_or(HeaderValue::from_static("\"\"")),
            }
        });
        packed.collect()
    })
}

/// Returns the response for a path, or `None` if the page has no such file.
pub(crate) fn get(path: &str, request: &HeaderMap) -> Option<Response<Body>> {
    let index = ASSETS.iter().position(|asset| asset.path == path)?;
    let (asset, packed) = (&ASSETS[index], &packed()[index]);
    let mut answer = Response::new(Body::empty());
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(asset.kind));
    headers.insert(header::ETAG, packed.tag.clone());
    // Caches must not serve a compressed body to a client that cannot decode it.
    headers.insert(header::VARY, HeaderValue::from_static("accept-encoding"));
    headers.insert(
        header::CACHE_CONTROL,
        HeaderValue::from_static(asset.cache_control),
    );
    if request.get(header::IF_NONE_MATCH) == Some(&packed.tag) {
        *answer.status_mut() = StatusCode::NOT_MODIFIED;
        return Some(answer);
    }
    let encodings = request.get(header::ACCEPT_ENCODING);
    let encodings = encodings.and_then(|value| value.to_str().ok());
    if encodings.is_some_and(|value| {
        value
            .split(',')
            .any(|coding| coding.trim().starts_with("gzip"))
    }) {
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
        *answer.body_mut() = Body::from(packed.zipped.clone());
    } else {
        *answer.body_mut() = Body::from(asset.bytes);
    }
    Some(answer)
}
