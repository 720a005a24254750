//! `compare`: the relation of two games.

use grundy_core::message::Setting;
use grundy_core::step::Step;
use grundy_core::{Diagnostic, Kind, Outcome, Play, Player, Position, Solver, explain, message};
use grundy_forms::Relation;
use grundy_wording::answer::StepView;
use grundy_wording::report::{AnySerialize, Report, Words};
use grundy_wording::{Audience, Language, phrase, plain, words};
use serde::Serialize;

use crate::analyst::{Analyst, Question};
use crate::answer::Answer;
use crate::job::Job;
use crate::question::CompareQuestion;
use crate::result_cache::ResultCache;
use crate::value_table::ValueTable;
use grundy_job::reader::with_source;

use super::words::indented;
use super::{compared_in_misere, misere, no_value_error};

/// The relation of two games.
#[derive(Clone, Debug)]
pub struct Compared {
    /// The two games.
    pub positions: [Position; 2],
    /// The relation of the first game to the second: equal, less, greater or confused.
    pub relation: Relation,
    /// For each player who wins the difference moving first: the player, and the position after a
    /// winning move.
    pub moves: Vec<(Player, String)>,
    /// The reasons for the outcome of the difference, if they were requested.
    pub steps: Option<Vec<Step>>,
}

#[derive(Serialize)]
struct ComparedView {
    games: [String; 2],
    relation: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    steps: Option<Vec<StepView>>,
}

impl Report for Compared {
    fn view(&self, words: Words) -> Box<dyn AnySerialize + '_> {
        let language = words.language();
        let view = ComparedView {
            games: self.positions.each_ref().map(Position::to_string),
            relation: self.relation.to_string(),
            steps: self.steps.as_ref().map(|steps| {
                let steps = steps.iter();
                steps.map(|step| StepView::new(step, language)).collect()
            }),
        };
        Box::new(view)
    }

    fn plain(&self, Audience { language, .. }: Audience) -> String {
        let summary = text(self, language);
        match &self.steps {
            Some(steps) => format!("{summary}\n{}", plain::numbered(steps, language)),
            None => summary,
        }
    }
}

/// Returns the relation of two games and the winners of their difference, in words.
fn text(compared: &Compared, language: Language) -> String {
    let [one, other] = compared.positions.each_ref().map(ToString::to_string);
    let code = match compared.relation {
        Relation::Equal => "compare_equal",
        Relation::Less => "compare_less",
        Relation::Greater => "compare_greater",
        Relation::Confused => "compare_confused",
    };
    let mut lines = vec![phrase(code, language)];
    lines.extend(compared.moves.iter().map(|(player, to)| {
        let code = player.of(["left_wins_difference", "right_wins_difference"]);
        words(&Step::new(code).with("to", to.as_str()), language)
    }));
    format!("{one} {} {other}\n{}", compared.relation, indented(&lines))
}

impl Question for CompareQuestion {
    fn answer(
        &self,
        analyst: &Analyst,
        _: &mut ResultCache,
        job: &Job,
    ) -> Result<Answer, Diagnostic> {
        answer(self, analyst, job)
    }

    fn game(&self) -> Option<&str> {
        Some(&self.first)
    }
}

fn answer(question: &CompareQuestion, analyst: &Analyst, job: &Job) -> Result<Answer, Diagnostic> {
    let [one, other] = [&question.first, &question.second].map(|text| analyst.read(text));
    let (one, other) = (one?, other?);
    if question.play == Play::Misere {
        if question.explain {
            let message = message!("differences of games are defined in normal play only");
            let help = message!(
                "omit {option} or {other}",
                option = Setting::new("explain"),
                other = Setting::new("play").set_to("misere")
            );
            return Err(Diagnostic::new(Kind::Type, message).help(help));
        }
        misere::require_normal_play(question.play, question.table.iter().map(|_| "table"))?;
        let compared = compared_in_misere::answer([one, other], job)?;
        return Ok(Answer::new(compared));
    }
    // The relation follows from the outcome of G - H. Searching this sum needs no canonical form,
    // so it also works for games whose forms are too large.
    let difference = one
        .minus(&other)
        .map_err(|error| with_source(error, &question.second))?;
    let limits = job.limits();
    let mut solver = Solver::default();
    analyst.reader().check_distinct(
        [],
        [(Setting::command_line("table"), question.table.as_ref())],
    )?;
    let table = ValueTable::open(question.table.as_ref(), analyst, &mut solver, &limits)?;
    let solution = solver.solve(&difference, Play::Normal, &limits);
    table.save(&mut solver, job)?;
    let solution = solution.map_err(no_value_error)?;
    let beginning_of = |player: Player| {
        let mut beginnings = solution.beginnings.iter();
        let beginning = beginnings.find(|beginning| beginning.player == player);
        // In an impartial game there is only one entry, which is valid for both players.
        beginning.or(solution.beginnings.first())
    };
    // Moving first in G - H, Left wins unless G <= H, and Right wins unless G >= H.
    let wins =
        |player| beginning_of(player).is_some_and(|beginning| beginning.outcome == Outcome::N);
    let relation = Relation::from_tests(!wins(Player::Left), !wins(Player::Right));
    let moves = Player::BOTH.into_iter().filter_map(|player| {
        let beginning = beginning_of(player).filter(|beginning| beginning.outcome == Outcome::N)?;
        let mv = beginning.moves.first()?;
        Some((player, mv.to.to_string()))
    });
    let moves = moves.collect();
    // This solver still has the results of the search, so the explanation does not repeat it.
    let steps = question.explain.then(|| -> Result<Vec<Step>, Diagnostic> {
        let all = explain::beginnings(&difference, Play::Normal, &solution, &mut solver, &limits);
        let claim = Step::new("difference")
            .with("difference", difference.to_string())
            .with("relation", relation.to_string());
        Ok([claim]
            .into_iter()
            .chain(all.map_err(no_value_error)?)
            .collect())
    });
    let steps = steps.transpose()?;
    Ok(Answer::new(Compared {
        positions: [one, other],
        relation,
        moves,
        steps,
    }))
}
