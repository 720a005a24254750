//! The card of a tablebase: what a reader of its folder should know, with a picture.

use std::fmt::Write as _;

use grundy::Play;
use grundy::message::Command;
use grundy_draw::plot::{MovesPlot, moves};
use grundy_tablebase::{Census, Extra, GameKind, Histogram, Keys, Manifest};
use grundy_wording::plain::brief;
use grundy_wording::{Language, words};

/// The names of the files.
const CARD: &str = "README.md";
const PLOT: &str = "moves.svg";
/// Values whose counts are listed.
const VALUES: usize = 16;

/// Returns the card and its picture.
pub(crate) fn files(manifest: &Manifest) -> Vec<Extra> {
    let of = |name: &str, text: String| Extra {
        name: name.to_owned(),
        bytes: text.into_bytes(),
    };
    vec![of(CARD, card(manifest)), of(PLOT, plot(manifest))]
}

fn plot(manifest: &Manifest) -> String {
    let Census {
        won, lost, drawn, ..
    } = &manifest.census;
    let step = won.step.max(lost.step);
    let plot = MovesPlot {
        title: &brief(manifest.about.game.clone()),
        step,
        won: &with_step(won, step),
        lost: &with_step(lost, step),
        drawn: *drawn,
    };
    moves(&plot, &|step| words(step, Language::En))
}

/// Returns the bars of a histogram made as wide as another's.
fn with_step(histogram: &Histogram, step: u64) -> Vec<u64> {
    let together = (step / histogram.step.max(1)).max(1) as usize;
    let bars = histogram.bars.chunks(together);
    bars.map(|bars| bars.iter().sum()).collect()
}

fn card(manifest: &Manifest) -> String {
    let about = &manifest.about;
    let game = brief(about.game.clone());
    let (census, tally) = (&manifest.census, &manifest.outcomes);
    let mut out = String::new();
    let _ = writeln!(out, "# A tablebase of {}\n", code(&game));
    let play = match about.play {
        Play::Normal => "normal play",
        Play::Misere => "misère play",
    };
    let (kind, entries) = match about.kind {
        GameKind::Impartial => ("Both players have the same moves", "positions"),
        GameKind::Partizan => (
            "Left and Right have their own moves; each position has two entries, Left to move and Right to move",
            "entries",
        ),
        GameKind::Ties => ("A play may end in a tie, which is D here", "positions"),
    };
    let _ = writeln!(
        out,
        "Every position that belongs to this game, in {play}, with who wins and in how many moves if the winner hurries and the loser \
         delays. {kind}.\n"
    );
    let _ = writeln!(out, "| | |\n|---|---:|");
    let _ = writeln!(out, "| positions | {} |", grouped(manifest.positions));
    let _ = writeln!(
        out,
        "| {entries} won by the player to move (N) | {} |",
        grouped(tally.n)
    );
    let _ = writeln!(
        out,
        "| {entries} lost by the player to move (P) | {} |",
        grouped(tally.p)
    );
    if tally.d > 0 {
        let _ = writeln!(out, "| {entries} drawn (D) | {} |", grouped(tally.d));
    }
    let _ = writeln!(
        out,
        "| moves of the longest best play | {} |",
        grouped(census.longest)
    );
    let bytes: u64 = manifest.columns.iter().map(|column| column.bytes).sum();
    let _ = writeln!(
        out,
        "| bytes of all columns, compressed | {} |",
        grouped(bytes)
    );
    let _ = writeln!(
        out,
        "\n![How many positions are won and lost in how many moves]({PLOT})\n"
    );
    if !manifest.hardest.is_empty() {
        let _ = writeln!(
            out,
            "Hardest positions, {} moves each: {}.\n",
            census.longest,
            manifest
                .hardest
                .iter()
                .map(|one| code(&brief(one.clone())))
                .collect::<Vec<_>>()
                .join(", ")
        );
    }
    values(&mut out, census);
    asked(&mut out, manifest);
    if let Some(rules) = &about.rules {
        let fence = fence(&rules.text);
        let _ = writeln!(
            out,
            "## The rules\n\n`{}`:\n\n{fence}python\n{}\n{fence}",
            rules.file,
            rules.text.trim_end()
        );
    }
    out
}

/// How many positions have which value.
fn values(out: &mut String, census: &Census) {
    let Histogram { step, bars } = &census.grundy;
    if bars.is_empty() && census.infinite == 0 {
        return;
    }
    let _ = writeln!(out, "| Grundy value | positions |\n|---|---:|");
    for (value, &count) in (0u64..).zip(bars).take(VALUES) {
        let value = value * step;
        let name = if *step == 1 {
            value.to_string()
        } else {
            format!("{value} to {}", value + step - 1)
        };
        let _ = writeln!(out, "| {name} | {} |", grouped(count));
    }
    let rest: u64 = bars.iter().skip(VALUES).sum();
    if rest > 0 {
        let _ = writeln!(out, "| larger | {} |", grouped(rest));
    }
    if census.infinite > 0 {
        let _ = writeln!(out, "| infinite | {} |", grouped(census.infinite));
    }
    out.push('\n');
}

/// How to make it again, ask and check it.
fn asked(out: &mut String, manifest: &Manifest) {
    let about = &manifest.about;
    let example = manifest.hardest.first().unwrap_or(&about.game);
    let found = match manifest.keys {
        Keys::Sorted { .. } => "by their names, which are sorted",
        Keys::Ranked => "by their ranks, which the rules give",
    };
    let fence = fence(&about.command);
    let _ = writeln!(
        out,
        "## How to use it\n\n\
         `DIR` is this folder, or the address of it on any web server that answers range requests. Positions are found {found}.\n\n\
         {fence}sh\n{command}\n{probe}\n{verify}\n{fence}\n\n\
         The first line makes it again (grundy {program}), the second asks for one position, the third holds every label against the moves.\n",
        command = about.command,
        probe = Command::typed("probe").word("DIR").word(example).as_typed(),
        verify = Command::typed("verify").word("DIR").as_typed(),
        program = about.program,
    );
}

/// Text as code, whatever is in it.
fn code(text: &str) -> String {
    let ticks = "`".repeat(longest_ticks(text) + 1);
    format!("{ticks}{text}{ticks}")
}

/// Returns a fence that is longer than all within.
fn fence(text: &str) -> String {
    "`".repeat((longest_ticks(text) + 1).max(3))
}

fn longest_ticks(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// Returns a number with a space after every three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push('\u{a0}');
        }
        out.push(digit);
    }
    out
}
