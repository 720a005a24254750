//! Nim with ten heaps of at most 7, all 2^30 positions, a byte each: labelled, held against Bouton's theorem, written as a
//! tablebase and asked.
//!
//! `cargo run --release -p grundy-tablebase --example nim_billion -- DIR [BITS [HEAPS]]`: heaps of less than 2^BITS chips (3),
//! so many of them (10). A checkpoint is written beside DIR every minute, and a run that finds one goes on from it.

use std::error::Error;
use std::fs::{self, File};
use std::io::{BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use grundy::implicit::dense;
use grundy::implicit::dense::{Outcomes, PassQuestion, Ranked as _, Reversible, Row, go_on, sieve};
use grundy::{Limits, Outcome, Play, Stop, message};
use grundy_tablebase::checked::Form;
use grundy_tablebase::{About, GameKind, RankedTable, Ranks, Tablebase, write_ranked};
use serde_json::json;

/// So many heaps of less than 2^bits chips, the first in the lowest bits: taking chips makes the number smaller.
#[derive(Clone, Copy)]
struct Nim {
    bits: u32,
    heaps: u32,
}

impl dense::Ranked for Nim {
    fn len(&self) -> u64 {
        1 << (self.bits * self.heaps)
    }

    #[inline]
    fn options(&self, position: u64, mut visit: impl FnMut(u64) -> bool) {
        for heap in 0..self.heaps {
            let shift = self.bits * heap;
            for taken in 1..=position >> shift & ((1 << self.bits) - 1) {
                if !visit(position - (taken << shift)) {
                    return;
                }
            }
        }
    }

    /// The sizes of the first heap.
    #[inline]
    fn block(&self) -> u64 {
        1 << self.bits
    }

    /// The moves in the other heaps.
    #[inline]
    fn shared(&self, start: u64, mut visit: impl FnMut(Row)) {
        for heap in 1..self.heaps {
            let shift = self.bits * heap;
            let count = start >> shift & ((1 << self.bits) - 1);
            visit(Row {
                first: start - (count << shift),
                step: 1 << shift,
                count,
            });
        }
    }

    #[inline]
    fn own(&self, position: u64, mut visit: impl FnMut(Row)) {
        let count = position & ((1 << self.bits) - 1);
        visit(Row {
            first: position - count,
            step: 1,
            count,
        });
    }
}

impl Reversible for Nim {
    #[inline]
    fn sources(&self, position: u64, mut visit: impl FnMut(u64)) {
        let most = (1 << self.bits) - 1;
        for heap in 0..self.heaps {
            let shift = self.bits * heap;
            for added in 1..=most - (position >> shift & most) {
                visit(position + (added << shift));
            }
        }
    }
}

impl Nim {
    fn sum(self, position: u64) -> u64 {
        let most = (1 << self.bits) - 1;
        (0..self.heaps).fold(0, |sum, heap| sum ^ (position >> (self.bits * heap) & most))
    }
}

/// Fills the table in stretches of a minute, with a checkpoint after each.
fn label(game: Nim, checkpoint: &Path) -> Result<Outcomes, Box<dyn Error>> {
    let form = Form {
        noun: || message!("checkpoint"),
        kind: "nim table",
        version: 1,
        help: || message!("remove it to begin again"),
    };
    let of = json!([game.bits, game.heaps]);
    let mut bytes = Vec::new();
    if checkpoint.exists() {
        let mut kept = form.open(checkpoint)?;
        if *kept.head() != of {
            return Err(kept
                .refuse(&message!("the checkpoint is of another game"))
                .into());
        }
        bytes = kept.rest()?;
        kept.finish()?;
    }
    println!("{} of {} positions are known", bytes.len(), game.len());
    loop {
        let end = Instant::now() + Duration::from_secs(60);
        let limits = Limits {
            interrupted: &|| (Instant::now() >= end).then_some(Stop::Time),
            ..Limits::none()
        };
        match go_on(
            &game,
            PassQuestion::Remoteness,
            Play::Normal,
            &mut bytes,
            &limits,
        ) {
            Ok(()) => return Ok(Outcomes::from_bytes(bytes)),
            Err(Stop::Time) => {
                let beside = checkpoint.with_extension("partial");
                let mut out = BufWriter::new(File::create(&beside)?);
                let length = bytes.len() as u64;
                form.write(&mut out, &of, length, |out| out.write_all(&bytes))?;
                out.flush()?;
                fs::rename(&beside, checkpoint)?;
                println!("{} positions", bytes.len());
            }
            Err(stop) => return Err(stop.into()),
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let folder = PathBuf::from(arguments.next().ok_or("where is the tablebase to be?")?);
    let mut number = |default| arguments.next().map_or(Ok(default), |text| text.parse());
    let game = Nim {
        bits: number(3)?,
        heaps: number(10)?,
    };
    let begun = Instant::now();
    let say = |what: &str, since: Instant| {
        let seconds = since.elapsed().as_secs_f64();
        let rate = game.len() as f64 / seconds / 1e6;
        println!("{what}: {seconds:.1} s, {rate:.1} million positions a second");
    };
    let quick = sieve(&game, Play::Normal, &Limits::none())?;
    say("outcomes by the sieve", begun);
    let right =
        |table: &Outcomes| (0..game.len()).all(|rank| table.wins(rank) == (game.sum(rank) != 0));
    assert!(right(&quick), "Bouton's theorem");
    drop(quick);
    let since = Instant::now();
    let checkpoint = folder.with_extension("checkpoint");
    let table = label(game, &checkpoint)?;
    say("outcomes and remoteness", since);
    assert!(right(&table), "Bouton's theorem");
    let since = Instant::now();
    let keys = Ranks::new("nim", vec![1 << game.bits; game.heaps as usize]);
    let about = About {
        game: keys.position(game.len() - 1),
        rules: None,
        graph: None,
        play: Play::Normal,
        kind: GameKind::Impartial,
        command: String::new(),
        program: String::new(),
    };
    let ranked = RankedTable {
        keys,
        labels: Some(&table),
        values: None,
    };
    write_ranked(&folder, &about, &ranked, &|_| Vec::new(), &Limits::none())?;
    say("written", since);
    let _ = fs::remove_file(checkpoint);
    let since = Instant::now();
    let mut asked = Tablebase::open(&folder)?;
    let mut rank = 1u64;
    for _ in 0..1000 {
        rank = rank
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let found = asked.record(rank % game.len())?;
        assert_eq!(
            found.outcome == Outcome::P,
            game.sum(rank % game.len()) == 0
        );
    }
    let each = since.elapsed().as_secs_f64();
    println!(
        "asked 1000 times: {each:.3} ms each, {} blocks in all",
        asked.reads()
    );
    say("all", begun);
    Ok(())
}
