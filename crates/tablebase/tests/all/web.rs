//! Tablebases on honest and misbehaving servers. Every lookup must give the right record or one
//! clear error that names the file.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::server::{Misbehaviour, Server};
use grundy_core::{Diagnostic, Limits, Outcome, Play, Stop};
use grundy_tablebase::{About, GameKind, Record, Rows, Tablebase, Web, write};

/// Twenty rows of a tablebase, with different records. The field `shift` distinguishes the rows of
/// two games.
struct Numbered {
    shift: u32,
}

impl Rows for Numbered {
    fn len(&self) -> u32 {
        20
    }

    fn key(&self, number: u32) -> &str {
        const NAMES: &str = "p00p01p02p03p04p05p06p07p08p09p10p11p12p13p14p15p16p17p18p19";
        &NAMES[3 * number as usize..][..3]
    }

    fn record(&self, number: u32) -> Record {
        record(self.shift, number)
    }

    fn has_values(&self) -> bool {
        false
    }

    fn has_moves(&self) -> bool {
        true
    }
}

fn record(shift: u32, number: u32) -> Record {
    Record {
        outcome: if (number + shift).is_multiple_of(3) {
            Outcome::P
        } else {
            Outcome::N
        },
        remoteness: Some(number * number),
        value: None,
        best: Some((19 - number).into()),
    }
}

fn table(name: &str, game: &str, shift: u32) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&folder);
    let about = About {
        game: game.to_owned(),
        rules: None,
        graph: None,
        play: Play::Normal,
        kind: GameKind::Impartial,
        command: String::new(),
        program: "test".to_owned(),
    };
    write(
        &folder,
        &about,
        &Numbered { shift },
        &|_| Ok(Vec::new()),
        &Limits::none(),
    )
    .unwrap();
    folder
}

/// Returns the records of all positions, or the first error.
fn ask(address: &str) -> Result<Vec<Record>, Diagnostic> {
    // A short timeout for stalls keeps the test quick; the other one is not tested here.
    let web = Web::new(address)?.with_timeouts(Duration::from_millis(300), Duration::from_secs(60));
    let mut table = Tablebase::at(Arc::new(web))?;
    let rows = Numbered { shift: 0 };
    (0..20)
        .map(|number| {
            let found = table.probe(rows.key(number))?;
            Ok(found.expect("nothing must hide a position"))
        })
        .collect()
}

fn expected_records() -> Vec<Record> {
    (0..20).map(|number| record(0, number)).collect()
}

#[test]
fn lookups_need_few_requests_and_one_connection() {
    let folder = table("web-honest", "a game", 0);
    let server = Server::new(&folder, Misbehaviour::None);
    for address in [
        server.address(),
        format!("{}/", server.address()),
        format!("{}/manifest.json", server.address()),
    ] {
        assert_eq!(ask(&address), Ok(expected_records()));
    }
    // In each of three runs: the manifest, and for four columns a page of the index and a block.
    // One connection serves a run.
    assert_eq!(server.requests(), 3 * 9);
    assert_eq!(server.connections(), 3);
    let whole = Web::new(&server.address()).unwrap();
    Tablebase::at(Arc::new(whole)).unwrap().check().unwrap();
}

#[test]
fn redirects_are_followed_up_to_a_limit() {
    let folder = table("web-moved", "a game", 0);
    let server = Server::new(&folder, Misbehaviour::Moved);
    assert_eq!(ask(&server.address()), Ok(expected_records()));
    let server = Server::new(&folder, Misbehaviour::MovedForEver);
    let error = ask(&server.address()).unwrap_err();
    assert!(
        error.message.to_string().ends_with("too many redirects"),
        "{error}"
    );
}

/// Checks every misbehaviour for every file. The result is an error that names the file and the
/// cause, never a wrong record.
#[test]
fn hostile_responses_are_errors() {
    let folder = table("web-lies", "a game", 0);
    let other = table("web-other", "another game", 1);
    let files = [
        "keys0.index",
        "keys0.data",
        "outcome.index",
        "outcome.data",
        "remoteness.data",
        "move.index",
    ];
    let cases: [(Misbehaviour, &str); 16] = [
        (
            Misbehaviour::NoRanges,
            "the server does not support range requests",
        ),
        (
            Misbehaviour::OtherRange,
            "unexpected response from the server",
        ),
        (
            Misbehaviour::NoRangeHeader,
            "unexpected response from the server",
        ),
        // Only a checksum detects wrong bytes of the right length, in the index or in a block. The
        // message depends on which of them is damaged.
        (Misbehaviour::OtherBytes, ""),
        (
            Misbehaviour::OtherLength,
            "the file is cut off, or it is not the expected file",
        ),
        (
            Misbehaviour::HalfAndClosed,
            "the response from the server is too short",
        ),
        (
            Misbehaviour::Half,
            "the response from the server is too short",
        ),
        (Misbehaviour::More, "unexpected response from the server"),
        (
            Misbehaviour::Compressed,
            "unexpected response from the server",
        ),
        (Misbehaviour::Stalls, "the server timed out"),
        (Misbehaviour::StallsHalfway, "the server timed out"),
        (
            Misbehaviour::Status(404),
            "no such file: the folder is not a tablebase, or the tablebase is incomplete",
        ),
        (
            Misbehaviour::Status(500),
            "the server responded with status 500",
        ),
        (
            Misbehaviour::Status(416),
            "the server does not have the requested bytes: the file is cut off, or it is not the expected file",
        ),
        (Misbehaviour::Flipped, ""),
        (Misbehaviour::Garbage, ""),
    ];
    for (misbehaviour, expected) in cases {
        for file in files {
            let server = Server::misbehaving(&folder, misbehaviour.clone(), file);
            let error =
                ask(&server.address()).expect_err(&format!("{misbehaviour:?} about {file}"));
            let text = error.message.to_string();
            let column = file.split('.').next().unwrap();
            let named = format!("{}/{column}.", server.address());
            assert!(
                text.starts_with(&named),
                "{misbehaviour:?} about {file}: {text}"
            );
            assert!(
                text.ends_with(expected),
                "{misbehaviour:?} about {file}: {text}"
            );
            assert_eq!(text.lines().count(), 1);
        }
    }
    // Files of another table of the same shape, alone or in pairs, and the manifest of another
    // table. All files are intact, so only the identity in the checksums detects the mix.
    for names in [
        &["outcome.data"][..],
        &["outcome.index"],
        &["outcome.data", "outcome.index"],
        &["keys0.data", "keys0.index"],
        &["manifest.json"],
    ] {
        let mixed = table("web-mixed", "a game", 0);
        for name in names {
            fs::copy(other.join(name), mixed.join(name)).unwrap();
        }
        let server = Server::new(&mixed, Misbehaviour::None);
        let error = ask(&server.address()).expect_err(&format!("{names:?}"));
        assert!(
            error.message.to_string().ends_with("its checksum is wrong"),
            "{error}"
        );
        let error = Tablebase::open(&mixed).and_then(|mut table| table.probe("p07"));
        assert!(error.is_err(), "{names:?} on the disk");
    }
}

#[test]
fn hostile_manifests_are_errors() {
    let folder = table("web-manifest", "a game", 0);
    for (misbehaviour, expected) in [
        (
            Misbehaviour::Status(404),
            "no such file: the folder is not a tablebase, or the tablebase is incomplete",
        ),
        (
            Misbehaviour::Status(503),
            "the server responded with status 503",
        ),
        (
            Misbehaviour::Half,
            "the file is not a manifest, or it is cut off",
        ),
        (
            Misbehaviour::HalfAndClosed,
            "the response from the server is too short",
        ),
        (
            Misbehaviour::Flipped,
            "the file is damaged: its checksum is wrong",
        ),
        (
            Misbehaviour::Compressed,
            "unexpected response from the server",
        ),
        // The body is longer than the limit of a manifest, so reading must stop there.
        (Misbehaviour::Endless, "the file is larger than 64 MiB"),
        (Misbehaviour::Stalls, "the server timed out"),
    ] {
        let server = Server::misbehaving(&folder, misbehaviour.clone(), "manifest.json");
        let error = ask(&server.address()).expect_err(&format!("{misbehaviour:?}"));
        let text = error.message.to_string();
        assert!(
            text.starts_with(&format!("{}/manifest.json: ", server.address())),
            "{text}"
        );
        assert!(text.ends_with(expected), "{misbehaviour:?}: {text}");
    }
    // The address of a server that has been shut down.
    let stopped_server = {
        let server = Server::new(&folder, Misbehaviour::None);
        server.address()
    };
    assert!(ask(&stopped_server).is_err());
}

#[test]
fn a_slow_response_times_out() {
    let folder = table("web-trickles", "a game", 0);
    let server = Server::misbehaving(&folder, Misbehaviour::Trickles, "manifest.json");
    // Each byte takes 20 ms, which is below the timeout for stalls, so the timeout for the whole
    // response must end the request.
    let web = Web::new(&server.address()).unwrap();
    let web = web.with_timeouts(Duration::from_millis(500), Duration::from_secs(1));
    let begun = Instant::now();
    let error = Tablebase::at(Arc::new(web)).unwrap_err();
    assert!(begun.elapsed() < Duration::from_secs(8));
    let text = error.message.to_string();
    let expected = "the server is too slow: the response is incomplete after 1 s";
    assert!(text.ends_with(expected), "{text}");
}

#[test]
fn a_cancelled_lookup_does_not_wait() {
    let folder = table("web-stopped", "a game", 0);
    let server = Server::new(&folder, Misbehaviour::Stalls);
    // Both timeouts are far away: only the stop callback can end the request in time.
    let web = Web::new(&server.address())
        .unwrap()
        .with_timeouts(Duration::from_secs(60), Duration::from_secs(60));
    let begun = Instant::now();
    web.watch(Arc::new(move || {
        (begun.elapsed() > Duration::from_millis(50)).then_some(Stop::Time)
    }));
    let error = Tablebase::at(Arc::new(web)).unwrap_err();
    assert_eq!(error, Stop::Time.into());
}

#[test]
fn addresses() {
    for wrong in [
        "http://",
        "http://a b",
        "http://a/b?c",
        "http://a/#b",
        "ftp://a",
        "a/b",
        "http:///x",
    ] {
        let asked = Web::new(wrong).and_then(|web| Tablebase::at(Arc::new(web)));
        assert!(asked.is_err(), "{wrong}");
    }
}
