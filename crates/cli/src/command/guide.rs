//! Pages about the program: the first screen, `grundy help PAGE`, completions, the man page.

use std::io::Write as _;
use std::process::ExitCode;

use clap::CommandFactory as _;
use grundy::registry::CONSTRUCTORS;

use crate::arguments::{CommandLine, GuideArgs, Page};
use crate::failure::Failure;
use crate::outside;

/// What `grundy` alone prints.
pub(crate) const FIRST_SCREEN: &str = "\
grundy: who wins a combinatorial game, with what value, by which moves, and why

  grundy solve   \"nim(3, 4) + kayles(7) + chomp(4, 3, 1)\"
  grundy explain \"subtraction([1, 3, 4], 100)\"
  grundy play    \"nim(3, 4, 5)\"
  grundy label   \"chomp(3, 4)\"

Next:
  grundy --help            all commands
  grundy help games        all games, each with an example
  grundy help notation     how positions are written
";

const NOTATION: &str = "\
A position is written like a call in Python: the name of a game and its arguments.

  nim(3, 4, 5)                      three heaps of Nim
  subtraction([1, 3, 4], 100)       take 1, 3 or 4 chips from a heap of 100
  take_and_break(\"0.137\", 20)       an octal game

A sum of games is written with +; sum_of([g, h, ...]) is the same for long lists.

  nim(3, 4) + kayles(7) + chomp(4, 3, 1)

Numbers go up to 2^64 - 1. In `grundy table` an argument may hold a free variable:

  grundy table \"wythoff(a, b)\" a=0..10 b=0..10

A Hackenbush picture can also come from a file: --picture FILE, a list of edges or a drawing in SVG.

Misère play, where the last player to move loses, is an option: --misere.
";

const RULES: &str = "\
A rule file says in Starlark, which reads like Python, what moves there are:

  # squares.star: remove a perfect square
  def moves(n):
      return [n - k * k for k in range(1, n + 1) if k * k <= n]

  grundy solve --rules squares.star \"game(moves, 100)\"
  grundy table --rules squares.star \"game(moves, n)\" n=0..200
  grundy solve --rules squares.star \"game(moves, 20) + nim(3)\"

moves(p) returns a list of positions one move away. A position is an integer, a string, or a tuple or list of these.
  (label, position)         names the move
  sum_of([p, q, ...])       is a position that has fallen into independent ones
  left(p) and right(p)      instead of moves(p) make a partizan game: game(rules, start)
  value(p)                  says who has won where p has no moves: \"win\", \"tie\" or \"lose\" for the player
                            who would be to move; with ties, a game stands alone
Positions that come back make no error: the answer is then N, P or D (a draw) without a value.

A rule may take 50 million steps and 256 MiB for one position, numbers have 64 bits, and calls nest 200 deep.
";

const JSON: &str = "\
grundy solve --json EXPR prints one object:

  game            the position, in canonical notation
  play            normal or misere
  outcome         N: the next player wins; P: the previous player wins; D: a draw
  grundy          the Sprague-Grundy value (normal play, when it was computed)
  remoteness      moves left with best play (with --remoteness)
  status          exact, proved (with a proved period) or partial (a limit stopped it)
  method          the theorem or algorithm
  winning_moves   each with move, at, to and, in a sum, component
  remarks         what was left out when the position was read

Where the players have different moves, as in Hackenbush with colours, outcome is L (Left wins, whoever begins), R, N or
P, value is the number where it is one, and winning_moves is {\"left\": [...], \"right\": [...]}.

In a game that can end in a tie, such as tic_tac_toe(), outcome is win, tie or lose for the player to move, and
winning_moves are the moves that keep it.

grundy solve --jsonl FILE reads one object {\"game\": ..., \"play\": ..., \"id\": ...} or one plain
expression a line and prints one object a line, in the same order. A bad line gives an object with
`error` and the exit code 1 at the end. A line has ten seconds, or those of --timeout, or of its own key
\"timeout\"; when they are up, what is known is given with the status partial, and the exit code is 3 if nothing
worse happened. A line may say what it expects, {\"expect\": {\"outcome\": ..., \"grundy\": ..., \"winning_moves\":
[positions after them]}}: its answer then has expected, true or false, with what is missing and what is extra,
and one false gives the exit code 1. --stats adds stats: the milliseconds taken, ms, the positions looked
at, the table_hits that came from memory, and the components.

Errors are {\"error\": {\"kind\": ..., \"message\": ..., \"at\": {\"offset\": ..., \"line\": ..., \"column\": ...}}}.
Exit codes: 0 done, 1 a line of a batch failed, 2 bad input, 3 a limit, 130 Ctrl-C.
";

pub(crate) fn run(guide: &GuideArgs) -> Result<ExitCode, Failure> {
    let mut out = outside::answers();
    match guide.page {
        Some(Page::Notation) => out.write_all(NOTATION.as_bytes())?,
        Some(Page::Rules) => out.write_all(RULES.as_bytes())?,
        Some(Page::Json) => out.write_all(JSON.as_bytes())?,
        Some(Page::Games) => {
            let games: Vec<_> = CONSTRUCTORS
                .iter()
                .map(|game| (game.signature, game.example))
                .collect();
            let width = games.iter().map(|game| game.0.len()).max().unwrap_or(0);
            for (signature, example) in games {
                writeln!(out, "{signature:width$}   {example}")?;
            }
        }
        None => write!(
            out,
            "{FIRST_SCREEN}\nPages: grundy help notation | games | rules | json\n"
        )?,
    }
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn completions(shell: clap_complete::Shell) -> Result<ExitCode, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut CommandLine::command(), "grundy", &mut script);
    outside::answers().write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn man() -> Result<ExitCode, Failure> {
    let mut page = Vec::new();
    clap_mangen::Man::new(CommandLine::command()).render(&mut page)?;
    outside::answers().write_all(&page)?;
    Ok(ExitCode::SUCCESS)
}
