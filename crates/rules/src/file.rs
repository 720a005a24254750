//! A rule file, and the rules that it makes for the library.

mod ranks;

use std::any::Any;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use grundy::dynamic::{DynamicGame, DynamicMove, DynamicPosition, DynamicRules, MoveResult, Ranks};
use grundy::position::AnyTerm;
use grundy::ruleset::{Ends, Nature};
use grundy::{Diagnostic, Kind, Message, Player, Stop, Term, Worth, message};
use grundy_notation::{Games, parse};

use crate::compile::compile;
use crate::machine::{Allowance, Machine};
use crate::trouble::{Trouble, type_error};
use crate::value::Value;
use ranks::RankFunctions;

/// A rule file that has been read. Any number of threads may ask it at the same time.
#[derive(Debug)]
pub struct RuleFile {
    shared: Arc<Shared>,
}

/// What all games of a file share.
struct Shared {
    name: String,
    source: Arc<str>,
    /// The machine as it was when the file had been run.
    first: Machine,
    /// Machines that nobody uses now.
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
    /// Returns a machine that nobody else uses.
    fn machine(&self) -> Machine {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.pop().unwrap_or_else(|| self.first.clone())
    }

    fn put_back(&self, machine: Machine) {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push(machine);
    }

    /// Asks a machine; what goes wrong is told with its place in the file.
    fn ask<T>(
        &self,
        function: &str,
        value: Value,
        place: &DynamicPosition,
        read: impl FnOnce(&mut Machine, Value, Value) -> Result<T, Trouble>,
    ) -> Result<T, Stop> {
        let called = |machine: &mut Machine| {
            let asked = machine.value_of(place)?;
            let returned = machine.call(value, &[asked])?;
            read(machine, returned, asked)
        };
        self.asked(function, value, || place.to_string(), called)
    }

    /// Asks a machine for what `ask` makes of it, by way of a function and what it is called with.
    fn asked<T>(
        &self,
        function: &str,
        value: Value,
        with: impl FnOnce() -> String,
        ask: impl FnOnce(&mut Machine) -> Result<T, Trouble>,
    ) -> Result<T, Stop> {
        let mut machine = self.machine();
        machine.clear();
        let answer = ask(&mut machine);
        let answer = answer.map_err(|mut error| {
            if let Some(stop) = error.stop.take() {
                return stop;
            }
            if error.span.is_none() {
                error.span = machine.span_of(value);
            }
            let text: String = with();
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

impl RuleFile {
    /// Reads a file called `name` with the text `source`, and runs it from top to bottom.
    ///
    /// # Errors
    /// What is no Starlark, or goes wrong on the way, with its place in `source`.
    pub fn read(name: &str, source: &str, allowance: Allowance) -> Result<Self, Diagnostic> {
        let source: Arc<str> = source.into();
        let program = parse::with_rules(&source, compile).map_err(|mut error| {
            error.message = message!("{name}: {what}", name, what = error.message);
            error.of_rules(Arc::clone(&source))
        })?;
        let first = Machine::new(program, allowance)
            .map_err(|error| error.diagnostic(name).of_rules(Arc::clone(&source)))?;
        one_game(&first).map_err(|what| {
            Diagnostic::new(
                Kind::IllegalPosition,
                message!("{name}: {what}", name, what),
            )
            .help(message!(
                "a game has moves(p), and value(p) if it can end in a tie, or left(p) and right(p)"
            ))
            .of_rules(Arc::clone(&source))
        })?;
        Ok(Self {
            shared: Arc::new(Shared {
                name: name.to_owned(),
                source,
                first,
                idle: Mutex::new(Vec::new()),
            }),
        })
    }

    /// What the file is called.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.shared.name
    }

    /// Returns the text of the file.
    #[must_use]
    pub fn source(&self) -> &str {
        &self.shared.source
    }

    /// Returns the rules of an impartial game whose moves are given by the function `name`, for
    /// asking them directly.
    #[must_use]
    pub fn rules(&self, name: &str) -> Option<Arc<dyn DynamicRules>> {
        Some(self.answers(name, self.function(name)?))
    }

    fn answers(&self, name: &str, function: Value) -> Arc<dyn DynamicRules> {
        Arc::new(Answers {
            shared: Arc::clone(&self.shared),
            name: name.to_owned(),
            moves: MoveFunctions::Either(function),
            value: self.function("value"),
            ranks: self.ranks(),
        })
    }

    fn function(&self, name: &str) -> Option<Value> {
        let value = self.shared.first.global(name)?;
        matches!(value, Value::Function(_)).then_some(value)
    }

    fn no_such_function(&self, name: &str) -> Diagnostic {
        let known: Vec<&str> = self.shared.first.functions().collect();
        let message = message!(
            "{name} defines no function `{function}`",
            name = self.shared.name,
            function = name
        );
        let refusal = Diagnostic::new(Kind::UnknownName, message).at([0]);
        let alone = |one, other| known.contains(&one) && !known.contains(&other);
        for (one, other) in [("left", "right"), ("right", "left")] {
            if alone(one, other) {
                return refusal.help(message!(
                    "it defines {one}(p) and not {other}(p): a game with moves of their own needs both",
                    one,
                    other
                ));
            }
        }
        if name == "rules" {
            return refusal.help(message!(
                "a rule file defines moves(p), or left(p) and right(p)"
            ));
        }
        match known.as_slice() {
            [] => refusal.help(message!(
                "it defines no function at all: write def moves(p): ..."
            )),
            known => refusal.help(message!("it defines {known}", known = known.join(", "))),
        }
    }
}

/// A file says one thing: what would be ignored is refused.
fn one_game(machine: &Machine) -> Result<(), Message> {
    let function = |name| matches!(machine.global(name), Some(Value::Function(_)));
    if machine.global("value").is_some() && !function("value") {
        return Err(message!("`value` is not a function"));
    }
    let both = function("left") && function("right");
    ranks::check(machine)?;
    match ["moves", "value"].into_iter().find(|name| function(name)) {
        Some(other) if both => Err(message!(
            "the file defines left and right, and {other} too: one of them would be ignored",
            other
        )),
        _ => Ok(()),
    }
}

impl Games for RuleFile {
    fn game(&self, rules: &str, start: DynamicPosition) -> Result<Arc<dyn AnyTerm>, Diagnostic> {
        let whole = rules == "rules" && self.function("rules").is_none();
        let sides = (self.function("left"), self.function("right"));
        if let (true, (Some(left), Some(right))) = (whole, sides) {
            let rules = Answers {
                shared: Arc::clone(&self.shared),
                name: rules.to_owned(),
                moves: MoveFunctions::Partizan { left, right },
                value: None,
                ranks: self.ranks(),
            };
            return Ok(Arc::new(Term::new(
                DynamicGame(Arc::new(rules)),
                vec![start],
            )));
        }
        // By one of them alone the game would be another one, in which both players have this
        // player's moves.
        if matches!(rules, "left" | "right") && sides.0.is_some() && sides.1.is_some() {
            let message = message!("{name} defines left and right", name = self.shared.name);
            return Err(Diagnostic::new(Kind::Type, message).at([0]).help(message!(
                "write game(rules, {start}): Left moves by left and Right by right",
                start
            )));
        }
        let name = if whole { "moves" } else { rules };
        let function = self.function(name).ok_or_else(|| {
            if sides.0.is_some() && sides.1.is_some() {
                let message = message!("{name} defines left and right", name = self.shared.name);
                return Diagnostic::new(Kind::NotImpartial, message)
                    .at([0])
                    .help(message!("write game(rules, ...) for a partizan game"));
            }
            self.no_such_function(rules)
        })?;
        let rules = self.answers(name, function);
        Ok(Arc::new(Term::new(DynamicGame(rules), vec![start])))
    }
}

#[derive(Debug)]
enum MoveFunctions {
    Either(Value),
    Partizan { left: Value, right: Value },
}

/// The rules that functions of a file make.
#[derive(Debug)]
struct Answers {
    shared: Arc<Shared>,
    name: String,
    moves: MoveFunctions,
    value: Option<Value>,
    ranks: Option<RankFunctions>,
}

impl Answers {
    /// Returns the function that gives the moves of a player, and its name.
    fn moves_of(&self, player: Player) -> (&str, Value) {
        match (&self.moves, player) {
            (MoveFunctions::Either(function), _) => (self.name.as_str(), *function),
            (MoveFunctions::Partizan { left, .. }, Player::Left) => ("left", *left),
            (MoveFunctions::Partizan { right, .. }, Player::Right) => ("right", *right),
        }
    }
}

impl DynamicRules for Answers {
    fn name(&self) -> &str {
        &self.name
    }

    /// In one file a name says which functions they are.
    fn same(&self, other: &dyn DynamicRules) -> bool {
        let other: &dyn Any = other;
        other.downcast_ref::<Self>().is_some_and(|other| {
            Arc::ptr_eq(&self.shared, &other.shared) && self.name == other.name
        })
    }

    fn nature(&self) -> Nature {
        match (&self.moves, self.value) {
            (MoveFunctions::Partizan { .. }, _) => Nature::PARTIZAN,
            (MoveFunctions::Either(_), None) => Nature::IMPARTIAL,
            (MoveFunctions::Either(_), Some(_)) => Nature {
                ends: Ends::Payoff,
                ..Nature::IMPARTIAL
            },
        }
    }

    fn ranks(&self) -> Option<&dyn Ranks> {
        self.ranks.is_some().then_some(self)
    }

    fn options(
        &self,
        player: Player,
        place: &DynamicPosition,
        moves: &mut Vec<DynamicMove>,
    ) -> Result<(), Stop> {
        let (name, function) = self.moves_of(player);
        self.shared
            .ask(name, function, place, |machine, returned, asked| {
                machine.moves_of(returned, asked, moves)?;
                let finished = |place: &DynamicPosition| matches!(place, DynamicPosition::Game(_));
                let finished = |mv: &DynamicMove| mv.left.places().iter().any(finished);
                let own = matches!(self.moves, MoveFunctions::Partizan { .. });
                if !own && moves.iter().any(finished) {
                    let mut refusal = type_error(message!(
                        "a move leaves a finished value, in which the players have own moves"
                    ));
                    refusal.help =
                        Some(message!("write left(p) and right(p) in place of moves(p)"));
                    return Err(refusal);
                }
                let sums = |mv: &DynamicMove| matches!(mv.left, MoveResult::Sum(_));
                if self.value.is_some() && moves.iter().any(sums) {
                    return Err(type_error(message!(
                        "a move leaves a sum, and ties are not known for sums"
                    )));
                }
                Ok(())
            })
    }

    fn payoff(&self, place: &DynamicPosition) -> Result<Worth, Stop> {
        let Some(function) = self.value else {
            return Ok(Worth::Lose);
        };
        self.shared
            .ask("value", function, place, |machine, returned, _| {
                machine.verdict_of(returned)
            })
    }
}
