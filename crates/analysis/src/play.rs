//! Questions about a game in progress, and about practice.

use grundy_core::Diagnostic;
use grundy_play::exercises::{self, SheetOptions};
use grundy_play::playing::report::{self, PlayReport};
use grundy_play::practice::{self, PracticeOptions};
use grundy_play::{Opponent, Playing};
use grundy_tables::probe::{OpenTable, TableLabels};

use crate::analyst::{Analyst, Question};
use crate::answer::Answer;
use crate::job::Job;
use crate::question::{
    Analyse, BoardQuestion, ExercisesQuestion, Hint, Played, Practise, Reply, Review,
};
use crate::result_cache::ResultCache;

impl Question for BoardQuestion {
    fn answer(
        &self,
        analyst: &Analyst,
        _: &mut ResultCache,
        job: &Job,
    ) -> Result<Answer, Diagnostic> {
        let playing = played(&self.played, analyst, job)?;
        let board = report::board(&playing, self.dark, analyst.language())?;
        Ok(Answer::new(PlayReport::from(board)))
    }

    fn game(&self) -> Option<&str> {
        self.played.source.expression.as_deref()
    }
}

impl Question for Analyse {
    fn answer(
        &self,
        analyst: &Analyst,
        _: &mut ResultCache,
        job: &Job,
    ) -> Result<Answer, Diagnostic> {
        let source = self.game().unwrap_or_default();
        let mut playing = played(&self.played, analyst, job)?;
        let analysed = report::analyse(&mut playing, source, analyst.language())?;
        Ok(Answer::new(PlayReport::from(analysed)))
    }

    fn game(&self) -> Option<&str> {
        self.played.source.expression.as_deref()
    }
}

impl Question for Reply {
    fn answer(
        &self,
        analyst: &Analyst,
        _: &mut ResultCache,
        job: &Job,
    ) -> Result<Answer, Diagnostic> {
        let playing = played(&self.played, analyst, job)?;
        let mut playing = playing.at_level(self.level, self.seed);
        let replied = report::reply(&mut playing, analyst.language())?;
        Ok(Answer::new(PlayReport::from(replied)))
    }

    fn game(&self) -> Option<&str> {
        self.played.source.expression.as_deref()
    }
}

impl Question for Hint {
    fn answer(
        &self,
        analyst: &Analyst,
        _: &mut ResultCache,
        job: &Job,
    ) -> Result<Answer, Diagnostic> {
        let mut playing = played(&self.played, analyst, job)?;
        let hinted = report::hint(&mut playing, self.stage, analyst.language())?;
        Ok(Answer::new(PlayReport::from(hinted)))
    }

    fn game(&self) -> Option<&str> {
        self.played.source.expression.as_deref()
    }
}

impl Question for Review {
    fn answer(
        &self,
        analyst: &Analyst,
        _: &mut ResultCache,
        job: &Job,
    ) -> Result<Answer, Diagnostic> {
        let mut playing = played(&self.played, analyst, job)?;
        let reviewed = report::review(&mut playing, analyst.language())?;
        Ok(Answer::new(PlayReport::from(reviewed)))
    }

    fn game(&self) -> Option<&str> {
        self.played.source.expression.as_deref()
    }
}

/// Returns the game after the moves that have been made. If the question names a tablebase,
/// outcomes are read from it.
fn played<'a>(game: &Played, analyst: &Analyst, job: &'a Job) -> Result<Playing<'a>, Diagnostic> {
    let opponent = Opponent::new(game.play, job.limits());
    // A tablebase can contain a graph whose positions have names. Hence the tablebase determines
    // how the first position is parsed.
    let (start, opponent) = match &game.table {
        None => (analyst.position(&game.source)?, opponent),
        Some(name) => {
            let mut table = OpenTable::open(name, analyst.reader(), job)?;
            let start = table.start(|reader| game.source.position(reader), game.play)?;
            (
                start,
                opponent.with_table(Box::new(TableLabels::new(table))),
            )
        }
    };
    let mut playing = Playing::new(start, opponent).with_first_player(game.begins);
    playing.replay(&game.moves, analyst.language())?;
    Ok(playing)
}

impl Question for Practise {
    fn answer(
        &self,
        analyst: &Analyst,
        _: &mut ResultCache,
        job: &Job,
    ) -> Result<Answer, Diagnostic> {
        let options = PracticeOptions {
            game: &self.game,
            ranges: &self.ranges,
            play: self.play,
            ask: self.ask,
            level: self.level,
            seed: self.seed,
            answer: self.answer.as_deref(),
        };
        practice::practice_question(&options, analyst.reader(), job).map(Answer::new)
    }

    fn game(&self) -> Option<&str> {
        Some(&self.game)
    }
}

impl Question for ExercisesQuestion {
    fn answer(
        &self,
        analyst: &Analyst,
        _: &mut ResultCache,
        job: &Job,
    ) -> Result<Answer, Diagnostic> {
        let options = SheetOptions {
            game: self.game.clone(),
            ranges: self.ranges.clone(),
            count: self.count,
            level: self.level,
            seed: self.seed.unwrap_or_default(),
            only: self.only,
            play: self.play,
        };
        exercises::sheet(options, analyst.reader(), job).map(Answer::new)
    }

    fn game(&self) -> Option<&str> {
        Some(&self.game)
    }
}
