//! Tablebases on honest and misbehaving servers. The result is the right label or one clear error
//! that names the file.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::server::{Lie, Server};
use grundy::{Diagnostic, Limits, Outcome, Play, Stop};
use grundy_tablebase::{About, GameKind, Record, Rows, Tablebase, Web, write};

/// Twenty rows that differ in every column. `shift` distinguishes the rows of two games.
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
    let web = Web::new(address)?.patient(Duration::from_millis(300), Duration::from_secs(60));
    let mut table = Tablebase::at(Arc::new(web))?;
    let rows = Numbered { shift: 0 };
    (0..20)
        .map(|number| {
            let found = table.probe(rows.key(number))?;
            Ok(found.expect("nothing must hide a position"))
        })
        .collect()
}

fn right() -> Vec<Record> {
    (0..20).map(|number| record(0, number)).collect()
}

#[test]
fn an_honest_server_is_asked_for_a_few_pieces() {
    let folder = table("web-honest", "a game", 0);
    let server = Server::new(&folder, Lie::None);
    for address in [
        server.address(),
        format!("{}/", server.address()),
        format!("{}/manifest.json", server.address()),
    ] {
        assert_eq!(ask(&address), Ok(right()));
    }
    // In each of three runs: the manifest, and for four columns a page of the index and a block.
    // One connection serves a run.
    assert_eq!(server.requests(), 3 * 9);
    assert_eq!(server.connections(), 3);
    let whole = Web::new(&server.address()).unwrap();
    Tablebase::at(Arc::new(whole)).unwrap().check().unwrap();
}

#[test]
fn one_that_sends_elsewhere_is_followed_a_little() {
    let folder = table("web-moved", "a game", 0);
    let server = Server::new(&folder, Lie::Moved);
    assert_eq!(ask(&server.address()), Ok(right()));
    let server = Server::new(&folder, Lie::MovedForEver);
    let error = ask(&server.address()).unwrap_err();
    assert!(
        error
            .message
            .to_string()
            .ends_with("from address to address"),
        "{error}"
    );
}

/// Checks every misbehaviour for every file. The result is an error that names the file and the
/// cause, never a wrong record.
#[test]
fn lies_are_told_from_answers() {
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
    let cases: [(Lie, &str); 16] = [
        (Lie::NoRanges, "this server does not answer range requests"),
        (
            Lie::OtherRange,
            "the server sends something else than what was asked for",
        ),
        (
            Lie::NoRangeSaid,
            "the server sends something else than what was asked for",
        ),
        // Only a checksum detects wrong bytes of the right length, in the index or in a block. The
        // message depends on which of them is damaged.
        (Lie::OtherBytes, ""),
        (Lie::OtherLength, "it is cut off or another"),
        (
            Lie::HalfAndClosed,
            "the server sends less than what was asked for",
        ),
        (Lie::Half, "the server sends less than what was asked for"),
        (
            Lie::More,
            "the server sends something else than what was asked for",
        ),
        (
            Lie::Compressed,
            "the server sends something else than what was asked for",
        ),
        (Lie::Stalls, "the server stalls: it sends nothing"),
        (Lie::StallsHalfway, "the server stalls: it sends nothing"),
        (
            Lie::Status(404),
            "there is no such file: this is no tablebase, or not a whole one",
        ),
        (Lie::Status(500), "the server answers with status 500"),
        (
            Lie::Status(416),
            "the server says that it has no such bytes: the file is cut off or another",
        ),
        (Lie::Flipped, ""),
        (Lie::Garbage, ""),
    ];
    for (lie, expected) in cases {
        for file in files {
            let server = Server::lying(&folder, lie.clone(), file);
            let error = ask(&server.address()).expect_err(&format!("{lie:?} about {file}"));
            let text = error.message.to_string();
            let column = file.split('.').next().unwrap();
            let named = format!("{}/{column}.", server.address());
            assert!(text.starts_with(&named), "{lie:?} about {file}: {text}");
            assert!(text.ends_with(expected), "{lie:?} about {file}: {text}");
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
        let server = Server::new(&mixed, Lie::None);
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
fn lies_about_the_manifest() {
    let folder = table("web-manifest", "a game", 0);
    for (lie, expected) in [
        (
            Lie::Status(404),
            "there is no such file: this is no tablebase, or not a whole one",
        ),
        (Lie::Status(503), "the server answers with status 503"),
        (Lie::Half, "it is no manifest, or cut off"),
        (
            Lie::HalfAndClosed,
            "the server sends less than what was asked for",
        ),
        (Lie::Flipped, "it is damaged: its checksum is wrong"),
        (
            Lie::Compressed,
            "the server sends something else than what was asked for",
        ),
        // The body is longer than the limit of a manifest, so reading must stop there.
        (Lie::Endless, "it is longer than 64 MiB"),
        (Lie::Stalls, "the server stalls: it sends nothing"),
    ] {
        let server = Server::lying(&folder, lie.clone(), "manifest.json");
        let error = ask(&server.address()).expect_err(&format!("{lie:?}"));
        let text = error.message.to_string();
        assert!(
            text.starts_with(&format!("{}/manifest.json: ", server.address())),
            "{text}"
        );
        assert!(text.ends_with(expected), "{lie:?}: {text}");
    }
    // The address of a server that has been shut down.
    let nobody = {
        let server = Server::new(&folder, Lie::None);
        server.address()
    };
    assert!(ask(&nobody).is_err());
}

#[test]
fn an_answer_that_trickles_in_has_a_limit() {
    let folder = table("web-trickles", "a game", 0);
    let server = Server::lying(&folder, Lie::Trickles, "manifest.json");
    // Each byte takes 20 ms, which is below the timeout for stalls, so the timeout for the whole
    // response must end the request.
    let web = Web::new(&server.address()).unwrap();
    let web = web.patient(Duration::from_millis(500), Duration::from_secs(1));
    let begun = Instant::now();
    let error = Tablebase::at(Arc::new(web)).unwrap_err();
    assert!(begun.elapsed() < Duration::from_secs(8));
    let text = error.message.to_string();
    let expected = "the server is too slow: its answer is not complete after 1 s";
    assert!(text.ends_with(expected), "{text}");
}

#[test]
fn a_question_that_is_stopped_does_not_wait() {
    let folder = table("web-stopped", "a game", 0);
    let server = Server::new(&folder, Lie::Stalls);
    // Both timeouts are far away: only the stop callback can end the request in time.
    let web = Web::new(&server.address())
        .unwrap()
        .patient(Duration::from_secs(60), Duration::from_secs(60));
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
