//! `help`: the rules of a game with the answer to its example, or the list of all games.

use grundy_core::{Diagnostic, Play, Solver};
use grundy_wording::answer::OrderedMap;
use grundy_wording::help::{
    GameHelp, Group, TheoremHelp, game, game_page, groups, list, topic, unknown,
};
use grundy_wording::report::{AnySerialize, Report, Words};
use grundy_wording::{Audience, Language, plain};
use serde::Serialize;

use crate::analyst::{Analyst, Question};
use crate::answer::Answer;
use crate::job::Job;
use crate::question::HelpQuestion;
use crate::result_cache::ResultCache;

/// The answer to a question for help.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HelpReport {
    /// A single game.
    Game(Box<GameReport>),
    /// All games, in groups.
    Games,
}

/// A game, with the answer to its example.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameReport {
    /// The name of the game.
    pub name: &'static str,
    /// The answer to the example in one line, in each language. `None` if a limit was reached.
    pub answers: Option<ExampleAnswers>,
}

/// The answer to the example of a game, as a line in each language.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExampleAnswers {
    english: String,
    chinese: String,
}

impl ExampleAnswers {
    /// Returns the answer in a language.
    #[must_use]
    pub fn line(&self, language: Language) -> &str {
        match language {
            Language::En => &self.english,
            Language::Zh => &self.chinese,
        }
    }
}

#[derive(Serialize)]
struct GameView<'a> {
    name: &'a str,
    group: &'a str,
    signature: &'a str,
    title: &'a str,
    summary: &'a str,
    rules: &'a str,
    arguments: &'a str,
    example: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<&'a str>,
    theorem: Option<TheoremHelp>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    more_theorems: &'a [TheoremHelp],
    reference: &'a str,
}

#[derive(Serialize)]
struct GroupsView<'a> {
    groups: Vec<GroupView<'a>>,
}

#[derive(Serialize)]
struct GroupView<'a> {
    group: &'a str,
    title: &'a str,
    games: Vec<ListedView<'a>>,
}

#[derive(Serialize)]
struct ListedView<'a> {
    name: &'a str,
    signature: &'a str,
    title: &'a str,
    summary: &'a str,
    example: &'a str,
}

impl GameReport {
    fn help(&self, language: Language) -> Option<GameHelp> {
        game(self.name, language)
    }

    fn answer(&self, language: Language) -> Option<&str> {
        Some(self.answers.as_ref()?.line(language))
    }
}

fn view<'a>(help: &'a GameHelp, answer: Option<&'a str>) -> GameView<'a> {
    GameView {
        name: help.name,
        group: help.group,
        signature: help.signature,
        title: help.title,
        summary: help.summary,
        rules: help.rules,
        arguments: help.arguments,
        example: help.example,
        answer,
        theorem: help.theorems.first().copied(),
        more_theorems: help.theorems.get(1..).unwrap_or_default(),
        reference: help.reference,
    }
}

fn listed(groups: &[Group]) -> GroupsView<'_> {
    let game = |game: &GameHelp| ListedView {
        name: game.name,
        signature: game.signature,
        title: game.title,
        summary: game.summary,
        example: game.example,
    };
    let group = |group: &'_ Group| GroupView {
        group: group.key,
        title: group.title,
        games: group.games.iter().map(game).collect(),
    };
    GroupsView {
        groups: groups.iter().map(group).collect(),
    }
}

/// Returns a view as a JSON value. Unlike the view, this value does not borrow from local
/// variables.
fn owned(view: &impl Serialize) -> Box<dyn AnySerialize> {
    Box::new(serde_json::to_value(view).unwrap_or_default())
}

impl Report for HelpReport {
    fn view(&self, words: Words) -> Box<dyn AnySerialize + '_> {
        let language = words.language();
        match self {
            Self::Game(game) => match game.help(language) {
                Some(help) => owned(&view(&help, game.answer(language))),
                None => Box::new(OrderedMap::<()>(Vec::new())),
            },
            Self::Games => owned(&listed(&groups(language))),
        }
    }

    fn plain(&self, Audience { language, .. }: Audience) -> String {
        match self {
            Self::Game(game) => {
                let page = |help| game_page(&help, game.answer(language), language);
                game.help(language).map_or(String::new(), page)
            }
            Self::Games => list(&groups(language), language),
        }
    }
}

impl Question for HelpQuestion {
    fn answer(
        &self,
        analyst: &Analyst,
        _: &mut ResultCache,
        job: &Job,
    ) -> Result<Answer, Diagnostic> {
        Ok(Answer::new(answer(self, analyst, job)?))
    }

    fn game(&self) -> Option<&str> {
        self.game.as_deref()
    }
}

fn answer(question: &HelpQuestion, analyst: &Analyst, job: &Job) -> Result<HelpReport, Diagnostic> {
    let Some(name) = &question.game else {
        return Ok(HelpReport::Games);
    };
    let Some(help) = game(&topic(name), Language::En) else {
        return Err(unknown(name, []));
    };
    let position = analyst.read(help.example)?;
    // If the example exceeds a limit, the page is shown without its answer.
    let solution = Solver::default()
        .solve(&position, Play::Normal, &job.limits())
        .ok();
    // The language is known only when the report is printed. Hence the line is stored in both.
    let answers = solution.map(|solution| ExampleAnswers {
        english: plain::one_line(&position, &solution, Language::En),
        chinese: plain::one_line(&position, &solution, Language::Zh),
    });
    Ok(HelpReport::Game(Box::new(GameReport {
        name: help.name,
        answers,
    })))
}

#[cfg(test)]
mod tests {
    use grundy_core::Limits;
    use grundy_core::registry::{CONSTRUCTORS, theorems};
    use grundy_core::solve::Status;

    use super::*;

    /// Checks that the example of each game is solved. Also checks that the theorem used is among
    /// the theorems that the help names for the game.
    #[test]
    fn every_example_is_answered() {
        for known in CONSTRUCTORS {
            let (analyst, job) = (Analyst::default(), Job::default());
            let question = HelpQuestion {
                game: Some(known.name.to_owned()),
            };
            let report = answer(&question, &analyst, &job).unwrap();
            let HelpReport::Game(game) = &report else {
                panic!("{} is a game", known.name)
            };
            for language in [Language::En, Language::Zh] {
                let line = game.answer(language).unwrap();
                assert!(!line.is_empty() && !line.contains('\n'), "{}", known.name);
                assert!(report.plain(language.into()).contains(known.signature));
            }
            let position = analyst.read(known.example).unwrap();
            let solution = Solver::default().solve(&position, Play::Normal, &Limits::default());
            let solution = solution.unwrap();
            // Every example can be solved within the default limits.
            assert_ne!(solution.status, Status::Partial, "{}", known.name);
            if let Some(theorem) = solution.theorem {
                let named = theorems(known.name)
                    .iter()
                    .any(|known| known.name == theorem.name);
                assert!(named, "{}: {}", known.name, theorem.name);
            }
        }
    }
}
