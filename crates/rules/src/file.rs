//! Rule files, and the games that they define.

mod ranks;
mod recognize;
mod set;

use std::any::Any;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use grundy_core::argument::Argument;
use grundy_core::dynamic::{
    DynamicGame, DynamicMove, DynamicPosition, DynamicRules, MoveResult, Ranks, endless_of,
};
use grundy_core::heap::HeapRules;
use grundy_core::position::AnyTerm;
use grundy_core::ruleset::{Ends, Nature};
use grundy_core::{Diagnostic, Kind, Limits, Message, PayoffResult, Player, Stop, Term, message};
use grundy_notation::{Games, parse};
use grundy_syntax::Statement;

use crate::compile::compile;
use crate::error::{RuleError, type_error};
use crate::machine::{Allowance, Machine};
use crate::runaway::{Runaway, runaway_functions};
use crate::value::Value;
use ranks::RankFunctions;

/// A loaded rule file. It can be used by several threads at the same time.
#[derive(Debug)]
pub struct RuleFile {
    shared: Arc<Shared>,
    /// The player who wins a play that never ends, from the variable `endless`.
    endless: Option<Player>,
}

/// The state that all games of a rule file share.
struct Shared {
    name: String,
    source: Arc<str>,
    /// The functions whose moves are proved to go on for ever.
    runaways: Vec<Runaway>,
    /// The machine in its state after the file was loaded.
    initial: Machine,
    /// The machines that are not in use at the moment.
    idle: Mutex<Vec<Machine>>,
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl Shared {
    /// Returns a machine that no other thread uses.
    fn machine(&self) -> Machine {
        // A machine is cleared before each use. So its state does not matter, even after a panic in
        // another thread.
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.pop().unwrap_or_else(|| self.initial.clone())
    }

    /// Puts a machine that is no longer used back into the pool of idle machines.
    fn put_back(&self, machine: Machine) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push(machine);
    }

    /// Calls a rule function with a position. `value` is the function as a value of the language,
    /// and `function` is its name in error messages. The closure `read` converts the value that the
    /// function returns. The arguments of `read` are the machine, the returned value, and the
    /// position as a value of the language.
    fn call_with_position<T>(
        &self,
        function: &str,
        value: Value,
        position: &DynamicPosition,
        read: impl FnOnce(&mut Machine, Value, Value) -> Result<T, RuleError>,
    ) -> Result<T, Stop> {
        let call = |machine: &mut Machine| {
            let argument = machine.value_of(position)?;
            let returned = machine.call(value, &[argument]);
            let answer = returned.and_then(|returned| read(machine, returned, argument));
            answer.map_err(|error| with_sum_hint(error, position))
        };
        self.run(function, value, || position.to_string(), call)
    }

    /// Runs `task` on a machine that no other thread uses. `task` calls a rule function: `value` is
    /// this function as a value of the language, and `function` is its name. Error messages contain
    /// this name and the beginning of the text that `arguments` returns.
    fn run<T>(
        &self,
        function: &str,
        value: Value,
        arguments: impl FnOnce() -> String,
        task: impl FnOnce(&mut Machine) -> Result<T, RuleError>,
    ) -> Result<T, Stop> {
        let mut machine = self.machine();
        // This also resets the limits, since they apply to each call separately.
        machine.clear();
        let answer = task(&mut machine);
        let answer = answer.map_err(|mut error| {
            // If the caller requested the stop, this is not an error of the rules. The reason is
            // returned unchanged.
            if let Some(stop) = error.stop.take() {
                return stop;
            }
            if error.span.is_none() {
                error.span = machine.span_of(value);
            }
            // Positions can be long, so the message contains only the beginning.
            let text: String = arguments();
            let shown: String = text.chars().take(60).collect();
            let dots = if shown.len() < text.len() { "..." } else { "" };
            let at = format!("{}: {function}({shown}{dots})", self.name);
            let diagnostic = error.diagnostic(&at).of_rules(Arc::clone(&self.source));
            Stop::Rules(Arc::new(diagnostic))
        });
        self.put_back(machine);
        answer
    }
}

/// Adds a hint to an error of types in a position of several numbers. The numbers are often heaps
/// that a move has returned as a pair instead of a sum.
fn with_sum_hint(mut error: RuleError, position: &DynamicPosition) -> RuleError {
    if error.kind == Kind::Type
        && error.help.is_none()
        && let DynamicPosition::Tuple(parts) = position
        && parts.len() > 1
        && parts
            .iter()
            .all(|part| matches!(part, DynamicPosition::Int(_)))
    {
        let heaps: Vec<String> = parts.iter().take(4).map(ToString::to_string).collect();
        let dots = if parts.len() > 4 { ", ..." } else { "" };
        error.help = Some(message!(
            "if the numbers are separate heaps, return sum_of([{heaps}]) instead of a tuple",
            heaps = heaps.join(", ") + dots
        ));
    }
    error
}

impl RuleFile {
    /// Parses the file with text `source`, and runs its top level. `name` is the name of the file
    /// in messages.
    ///
    /// # Errors
    /// A syntax error, or an error while the top level is run, with its place in `source`.
    pub fn read(name: &str, source: &str, allowance: Allowance) -> Result<Self, Diagnostic> {
        let source: Arc<str> = source.into();
        let read =
            |statements: &[Statement]| Ok((compile(statements)?, runaway_functions(statements)));
        let (program, runaways) = parse::with_rules(&source, read).map_err(|mut error| {
            error.message = message!("{name}: {what}", name, what = error.message);
            error.of_rules(Arc::clone(&source))
        })?;
        let initial = Machine::new(program, allowance)
            .map_err(|error| error.diagnostic(name).of_rules(Arc::clone(&source)))?;
        // Contradictions in the file are found when it is loaded, and not later when a position is
        // solved.
        check_one_game(&initial).map_err(|what| {
            Diagnostic::new(
                Kind::IllegalPosition,
                message!("{name}: {what}", name, what),
            )
            .help(message!(
                "a game needs either moves(p), with value(p) if it can end in a tie, or both left(p) and right(p)"
            ))
            .of_rules(Arc::clone(&source))
        })?;
        let endless = endless_winner(&initial).map_err(|what| {
            Diagnostic::new(Kind::Type, message!("{name}: {what}", name, what))
                .help(message!(
                    "write endless = \"left\", endless = \"right\" or endless = \"draw\""
                ))
                .of_rules(Arc::clone(&source))
        })?;
        Ok(Self {
            endless,
            shared: Arc::new(Shared {
                name: name.to_owned(),
                source,
                runaways,
                initial,
                idle: Mutex::new(Vec::new()),
            }),
        })
    }

    /// Returns the name of the file.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.shared.name
    }

    /// Returns the text of the file.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.shared.source
    }

    /// Returns the rules of the impartial game whose moves the function `name` computes. Returns
    /// `None` if the file does not define this function.
    #[must_use]
    pub fn rules(&self, name: &str) -> Option<Arc<dyn DynamicRules>> {
        Some(self.impartial_rules(name, self.function(name)?))
    }

    /// Returns the rules of the impartial game called `name`, whose moves `function` computes.
    fn impartial_rules(&self, name: &str, function: Value) -> Arc<dyn DynamicRules> {
        Arc::new(FileRules {
            shared: Arc::clone(&self.shared),
            name: name.to_owned(),
            moves: MoveFunctions::Either(function),
            value: self.function("value"),
            ranks: self.ranks(),
            endless: self.endless,
        })
    }

    /// Returns the function that computes the moves of `game(name, ...)`, and its name.
    fn moves_function<'a>(&'a self, name: &'a str) -> Option<(&'a str, Value)> {
        // The name `rules` refers to the game that the whole file defines, unless the file has a
        // function with this name.
        let whole = name == "rules" && self.function("rules").is_none();
        let name = if whole { "moves" } else { name };
        let found = self.function(name).map(|function| (name, function));
        found.or_else(|| self.only_function(name))
    }

    /// Returns the function called `name` that the file defines, if there is one.
    fn function(&self, name: &str) -> Option<Value> {
        let value = self.shared.initial.global(name)?;
        matches!(value, Value::Function(_)).then_some(value)
    }

    /// Returns the only function of the file, if the file defines one function and `moves` is
    /// meant. The name of the function is then of no importance.
    fn only_function(&self, name: &str) -> Option<(&str, Value)> {
        let mut functions = self.shared.initial.functions();
        let only = functions.next().filter(|_| functions.next().is_none())?;
        let is_other = matches!(only, "left" | "right" | "value");
        (name == "moves" && !is_other).then_some((only, self.function(only)?))
    }

    /// Returns the error for a function that does not exist. Its hint depends on the functions in
    /// the file.
    fn no_such_function(&self, name: &str) -> Diagnostic {
        let known: Vec<&str> = self.shared.initial.functions().collect();
        let message = message!(
            "{name} does not define the function `{function}`",
            name = self.shared.name,
            function = name
        );
        let refusal = Diagnostic::new(Kind::UnknownName, message).at([0]);
        let alone = |one, other| known.contains(&one) && !known.contains(&other);
        for (one, other) in [("left", "right"), ("right", "left")] {
            if alone(one, other) {
                return refusal.help(message!(
                    "the file defines {one}(p) but not {other}(p): a partizan game needs both functions",
                    one,
                    other
                ));
            }
        }
        if name == "rules" {
            return refusal.help(message!(
                "a rule file must define moves(p), or left(p) and right(p)"
            ));
        }
        match known.as_slice() {
            [] => refusal.help(message!(
                "the rule file defines no function: write def moves(p): ..."
            )),
            known => refusal.help(message!(
                "the file defines {known}",
                known = known.join(", ")
            )),
        }
    }
}

/// Returns an error if `left` and `right` are defined together with `moves` or `value`, since some
/// of these functions would be ignored. Returns an error, too, if `value` is not a function or the
/// declarations of ranks are inconsistent.
fn check_one_game(machine: &Machine) -> Result<(), Message> {
    let function = |name| matches!(machine.global(name), Some(Value::Function(_)));
    if machine.global("value").is_some() && !function("value") {
        return Err(message!("`value` is not a function"));
    }
    let both = function("left") && function("right");
    ranks::check(machine)?;
    match ["moves", "value"].into_iter().find(|name| function(name)) {
        Some(other) if both => Err(message!(
            "the file defines left and right, so it cannot also define {other}",
            other
        )),
        _ => Ok(()),
    }
}

/// Returns the player who wins a play that never ends, from the variable `endless` of the file.
fn endless_winner(machine: &Machine) -> Result<Option<Player>, Message> {
    let Some(value) = machine.global("endless") else {
        return Ok(None);
    };
    if matches!(value, Value::Function(_)) {
        return Ok(None);
    }
    let Some(winner) = machine.word(value).and_then(endless_of) else {
        return Err(message!(
            "`endless` must be \"draw\", \"left\" or \"right\""
        ));
    };
    if winner.is_some() && matches!(machine.global("value"), Some(Value::Function(_))) {
        return Err(message!(
            "a file that defines value(p) cannot name a winner of endless play"
        ));
    }
    Ok(winner)
}

impl Games for RuleFile {
    /// Returns a function of the file as a set of numbers, or the value of a variable.
    fn argument(&self, name: &str) -> Result<Option<Argument>, Diagnostic> {
        set::argument(&self.shared, name)
    }

    fn heap_rules(&self, rules: &str, limits: &Limits<'_>) -> Result<Option<HeapRules>, Stop> {
        self.recognize(rules, limits)
    }

    fn game(&self, rules: &str, start: DynamicPosition) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
        let whole = rules == "rules" && self.function("rules").is_none();
        let sides = (self.function("left"), self.function("right"));
        if let (true, (Some(left), Some(right))) = (whole, sides) {
            let rules = FileRules {
                shared: Arc::clone(&self.shared),
                name: rules.to_owned(),
                moves: MoveFunctions::Partizan { left, right },
                value: None,
                ranks: self.ranks(),
                endless: self.endless,
            };
            return Ok(Arc::new(Term::new(
                DynamicGame(Arc::new(rules)),
                vec![start],
            )));
        }
        // With only one of the two functions, the game would be impartial: both players would have
        // the moves of that player.
        if matches!(rules, "left" | "right") && sides.0.is_some() && sides.1.is_some() {
            let message = message!(
                "{name} defines the functions `left` and `right`",
                name = self.shared.name
            );
            return Err(Diagnostic::new(Kind::Type, message).at([0]).help(message!(
                "write game(rules, {start}), in which Left moves by left(p) and Right by right(p)",
                start
            )));
        }
        let (name, function) = self.moves_function(rules).ok_or_else(|| {
            if sides.0.is_some() && sides.1.is_some() {
                let message = message!(
                    "{name} defines the functions `left` and `right`",
                    name = self.shared.name
                );
                return Diagnostic::new(Kind::NotImpartial, message)
                    .at([0])
                    .help(message!("the game is partizan: write game(rules, ...)"));
            }
            self.no_such_function(rules)
        })?;
        let rules = self.impartial_rules(name, function);
        Ok(Arc::new(Term::new(DynamicGame(rules), vec![start])))
    }
}

/// The functions that compute the moves of a game.
#[derive(Debug)]
enum MoveFunctions {
    Either(Value),
    Partizan { left: Value, right: Value },
}

/// A game that is defined by functions of a rule file.
#[derive(Debug)]
struct FileRules {
    shared: Arc<Shared>,
    name: String,
    moves: MoveFunctions,
    /// The function `value`, which determines the result at the end of a game and allows ties.
    value: Option<Value>,
    ranks: Option<RankFunctions>,
    /// The player who wins a play that never ends.
    endless: Option<Player>,
}

impl FileRules {
    /// Returns the function that computes the moves of a player, and the name of this function.
    fn moves_of(&self, player: Player) -> (&str, Value) {
        match (&self.moves, player) {
            (MoveFunctions::Either(function), _) => (self.name.as_str(), *function),
            (MoveFunctions::Partizan { left, .. }, Player::Left) => ("left", *left),
            (MoveFunctions::Partizan { right, .. }, Player::Right) => ("right", *right),
        }
    }
}

impl DynamicRules for FileRules {
    fn name(&self) -> &str {
        &self.name
    }

    /// Returns whether `other` is the same game. Games are the same if they are defined by the same
    /// file and have the same name, since the name determines the functions.
    fn same(&self, other: &dyn DynamicRules) -> bool {
        let other: &dyn Any = other;
        other.downcast_ref::<Self>().is_some_and(|other| {
            Arc::ptr_eq(&self.shared, &other.shared) && self.name == other.name
        })
    }

    fn nature(&self) -> Nature {
        let nature = match (&self.moves, self.value) {
            (MoveFunctions::Partizan { .. }, _) => Nature::PARTIZAN,
            (MoveFunctions::Either(_), None) => Nature::IMPARTIAL,
            (MoveFunctions::Either(_), Some(_)) => Nature {
                ends: Ends::Payoff,
                ..Nature::IMPARTIAL
            },
        };
        nature.with_endless(self.endless)
    }

    fn ranks(&self) -> Option<&dyn Ranks> {
        self.ranks.is_some().then_some(self)
    }

    fn options(
        &self,
        player: Player,
        position: &DynamicPosition,
        moves: &mut Vec<DynamicMove>,
    ) -> Result<(), Stop> {
        let (name, function) = self.moves_of(player);
        let find = |name: &str| self.shared.runaways.iter().find(|known| known.name == name);
        // A partizan game ends if one of the players has no move.
        let ends = matches!(self.moves, MoveFunctions::Partizan { .. })
            && (find("left").is_none() || find("right").is_none());
        let runaway = find(name).filter(|_| !ends);
        if let Some(runaway) = runaway {
            let check = |_: &mut Machine| runaway.check(position);
            self.shared
                .run(name, function, || position.to_string(), check)?;
        }
        self.shared
            .call_with_position(name, function, position, |machine, returned, argument| {
                machine.moves_of(returned, argument, moves)?;
                let finished =
                    |position: &DynamicPosition| matches!(position, DynamicPosition::Game(_));
                let finished = |mv: &DynamicMove| mv.result.positions().iter().any(finished);
                // A finished value may be partizan, but in an impartial game both players must have
                // the same moves.
                let own = matches!(self.moves, MoveFunctions::Partizan { .. });
                if !own && moves.iter().any(finished) {
                    let mut refusal =
                        type_error(message!("moves(p) defines an impartial game, but one of its moves leads to a partizan value"));
                    refusal.help =
                        Some(message!("define left(p) and right(p) instead of moves(p)"));
                    return Err(refusal);
                }
                let sums = |mv: &DynamicMove| matches!(mv.result, MoveResult::Sum(_));
                if self.value.is_some() && moves.iter().any(sums) {
                    return Err(type_error(message!(
                        "a move leads to a sum, but games with ties cannot be added"
                    )));
                }
                Ok(())
            })
    }

    fn payoff(&self, position: &DynamicPosition) -> Result<PayoffResult, Stop> {
        let Some(function) = self.value else {
            return Ok(PayoffResult::Lose);
        };
        self.shared
            .call_with_position("value", function, position, |machine, returned, _| {
                machine.result_of(returned)
            })
    }
}
