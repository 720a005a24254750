//! The card of a tablebase: a README with statistics of the table, and a plot.

use std::fmt::Write as _;

use grundy_core::Play;
use grundy_core::message::Command;
use grundy_draw::plot::{MovesPlot, moves};
use grundy_tablebase::{Census, Extra, GameKind, Histogram, Keys, Manifest};
use grundy_wording::plain::brief;
use grundy_wording::{Language, words};

/// The file name of the card.
const CARD: &str = "README.md";
/// The file name of the plot.
const PLOT: &str = "moves.svg";
/// Number of rows for finite values in the README's table of Grundy values. Finite values that are
/// too large for these rows share one further row.
const VALUES: usize = 16;

/// Returns the files of the card: the README and its plot.
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
    // Both steps are powers of two, so the larger one is a multiple of the smaller one.
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

/// Returns the bars of a histogram, merged to bars of width `step`.
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
            "Left and Right have different moves; each position has two entries, Left to move and Right to move",
            "entries",
        ),
        GameKind::Ties => ("The game may end in a tie, which counts as D", "positions"),
    };
    let _ = writeln!(
        out,
        "All positions of this game in {play}, with the winner and the number of moves if the winner \
         hurries and the loser delays. {kind}.\n"
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
        "| longest game with best play, in moves | {} |",
        grouped(census.longest)
    );
    // The size is that of the data. The index files are small and are not included.
    let bytes: u64 = manifest.columns.iter().map(|column| column.bytes).sum();
    let _ = writeln!(
        out,
        "| bytes of all columns, compressed | {} |",
        grouped(bytes)
    );
    let _ = writeln!(
        out,
        "\n![Number of positions won and lost, by the number of moves]({PLOT})\n"
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
    usage(&mut out, manifest);
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

/// Appends a table with the number of positions for each Grundy value.
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

/// Appends the commands that build, probe and verify the tablebase.
fn usage(out: &mut String, manifest: &Manifest) {
    let about = &manifest.about;
    let example = manifest.hardest.first().unwrap_or(&about.game);
    let found = match manifest.keys {
        Keys::Sorted { .. } => "by name",
        Keys::Ranked => "by rank, which the rules compute",
    };
    let fence = fence(&about.command);
    let _ = writeln!(
        out,
        "## How to use it\n\n\
         `DIR` is this folder, or its address on any web server that supports range requests. Positions are found {found}.\n\n\
         {fence}sh\n{command}\n{probe}\n{verify}\n{fence}\n\n\
         The first command reproduces the tablebase (grundy {program}), the second looks up a position, the third verifies every label.\n",
        command = about.command,
        probe = Command::command_line("probe")
            .word("DIR")
            .word(example)
            .command_line_form(),
        verify = Command::command_line("verify")
            .word("DIR")
            .command_line_form(),
        program = about.program,
    );
}

/// Returns `text` as a Markdown code span.
fn code(text: &str) -> String {
    // In CommonMark a code span is closed by a run of exactly as many backticks as opened it. So
    // one backtick more than the longest run in the text is always safe.
    let ticks = "`".repeat(longest_ticks(text) + 1);
    format!("{ticks}{text}{ticks}")
}

/// Returns a code fence that is longer than any run of backticks in `text`.
fn fence(text: &str) -> String {
    "`".repeat((longest_ticks(text) + 1).max(3))
}

fn longest_ticks(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// Returns a number with its digits in groups of three.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            // A no-break space prevents a line break inside the number.
            out.push('\u{a0}');
        }
        out.push(digit);
    }
    out
}
