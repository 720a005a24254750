//! The keys of each question.

use std::num::NonZeroUsize;

use grundy::{Diagnostic, Kind, Play, Player, message};

use crate::analyst::Question;
use crate::born::LAST;
use crate::keys::Keys;
use crate::playing::PERFECT;
use crate::practice::HARDEST;
use crate::question::{
    Analyse, Ask, BoardQuestion, BornQuestion, ByRanks, CellOf, CompareQuestion, Dominance, Draw,
    Drawing, ExercisesQuestion, Explain, FindQuestion, GraphFormat, HelpQuestion, Hint,
    LabelQuestion, MatrixQuestion, NimberQuestion, PeriodQuestion, Played, PositionSource,
    Practise, Probe, QuotientQuestion, Reply, Review, SheetPart, TableQuestion, TablesQuestion,
    Telling, TemperaturesQuestion, TreeQuestion, ValueQuestion, Verify, WrittenChanges,
};

/// Who reads the keys of a question.
pub(super) type Reader = fn(&mut Keys) -> Result<Box<dyn Question>, Diagnostic>;

/// The questions by name, all but `solve`, which is a line of a batch.
pub(super) const READERS: [(&str, Reader); 25] = [
    ("explain", explain),
    ("table", table),
    ("period", period),
    ("quotient", quotient),
    ("verify", verify),
    ("label", label),
    ("probe", probe),
    ("tables", tables),
    ("matrix", matrix),
    ("tree", tree),
    ("value", value),
    ("find", find),
    ("temperatures", temperatures),
    ("born", born),
    ("compare", compare),
    ("nimber", nimber),
    ("draw", draw),
    ("exercises", exercises),
    ("help", help),
    ("board", board),
    ("analyse", analyse),
    ("reply", reply),
    ("hint", hint),
    ("review", review),
    ("practice", practice),
];

fn explain(keys: &mut Keys) -> Result<Box<dyn Question>, Diagnostic> {
    Ok(Box::new(Explain {
        source: source(keys)?,
        play: keys.play()?.unwrap_or_default(),
        proof: keys.flag("proof")?,
        pictures: keys.flag("pictures")?,
        svg: keys.file("svg")?,
        html: keys.file("html")?,
    }))
}

fn table(keys: &mut Keys) -> Result<Box<dyn Question>, Diagnostic> {
    Ok(Box::new(TableQuestion {
        family: keys.needed("game")?,
        ranges: keys.texts("ranges")?,
        play: keys.play()?.unwrap_or_default(),
        of: keys.choice(
            "of",
            &[
                ("grundy", CellOf::Grundy),
                ("outcome", CellOf::Outcome),
                ("value", CellOf::Value),
                ("temperature", CellOf::Temperature),
                ("mean", CellOf::Mean),
                ("atomic_weight", CellOf::AtomicWeight),
                ("genus", CellOf::Genus),
            ],
        )?,
        full: keys.flag("full")?,
        pattern: keys.flag("pattern")?,
        svg: keys.file("svg")?,
        ..TableQuestion::default()
    }))
}

fn quotient(keys: &mut Keys) -> Result<Box<dyn Question>, Diagnostic> {
    let family = keys.needed("game")?;
    // Misère play is meant, whether it is said or not.
    if keys.play()? == Some(Play::Normal) {
        let message = message!("quotients are those of misère play");
        return Err(Diagnostic::new(Kind::Type, message).help(message!("leave `play` out")));
    }
    let usual = QuotientQuestion::new(&family);
    Ok(Box::new(QuotientQuestion {
        max: keys
            .number("max", u64::from(u32::MAX))?
            .unwrap_or(usual.max),
        certificate: keys.file("certificate")?,
        svg: keys.file("svg")?,
        ..usual
    }))
}

fn period(keys: &mut Keys) -> Result<Box<dyn Question>, Diagnostic> {
    let usual = PeriodQuestion::new(&keys.needed("game")?);
    Ok(Box::new(PeriodQuestion {
        play: keys.play()?.unwrap_or_default(),
        max: keys.number("max", u64::MAX)?.unwrap_or(usual.max),
        certificate: keys.file("certificate")?,
        stream: keys.flag("stream")?,
        values: keys.file("values")?,
        frequencies: keys.flag("frequencies")?,
        svg: keys.file("svg")?,
        ..usual
    }))
}

fn verify(keys: &mut Keys) -> Result<Box<dyn Question>, Diagnostic> {
    Ok(Box::new(Verify {
        file: keys.needed("file")?.into(),
        ..Verify::default()
    }))
}

fn label(keys: &mut Keys) -> Result<Box<dyn Question>, Diagnostic> {
    Ok(Box::new(LabelQuestion {
        source: keys.needed("game")?.into(),
        play: keys.play()?.unwrap_or_default(),
        output: keys.file("output")?,
        format: keys.choice(
            "format",
            &[
                ("csv", GraphFormat::Csv),
                ("dot", GraphFormat::Dot),
                ("json", GraphFormat::Json),
            ],
        )?,
        best_move: keys.flag("best_move")?,
        ranked: ranked(keys)?,
        ..LabelQuestion::default()
    }))
}

/// How positions are labelled by their ranks, if they are to be.
fn ranked(keys: &mut Keys) -> Result<Option<ByRanks>, Diagnostic> {
    let by_ranks = ByRanks {
        values: keys.flag("values")?,
        plan: keys.flag("plan")?,
    };
    match (keys.flag("ranked")?, by_ranks == ByRanks::default()) {
        (true, _) => Ok(Some(by_ranks)),
        (false, true) => Ok(None),
        (false, false) => {
            let message = message!("`values` and `plan` are asked of a table by ranks");
            Err(Diagnostic::new(Kind::Type, message).help(message!("say `ranked`, too")))
        }
    }
}

fn probe(keys: &mut Keys) -> Result<Box<dyn Question>, Diagnostic> {
    Ok(Box::new(Probe {
        directory: keys.file("table")?,
        position: keys.needed("game")?,
        play: keys.play()?.unwrap_or_default(),
        moves: !keys.flag("no_moves")?,
    }))
}

fn tables(keys: &mut Keys) -> Result<Box<dyn Question>, Diagnostic> {
    Ok(Box::new(TablesQuestion {
        table: keys.file("table")?,
    }))
}

fn matrix(keys: &mut Keys) -> Result<Box<dyn Question>, Diagnostic> {
    Ok(Box::new(MatrixQuestion {
        file: keys.needed("file")?.into(),
        content: None,
        trace: keys.flag("trace")?,
        svg: keys.file("svg")?,
        dominance: keys.choice(
            "dominance",
            &[
                ("strict", Dominance::Strict),
                ("weak", Dominance::Weak),
                ("mixed", Dominance::Mixed),
            ],
        )?,
        extreme: keys
            .number::<u64>("extreme", 10_000)?
            .and_then(|most| NonZeroUsize::new(most as usize)),
        row_strategy: keys.text("row_strategy")?,
        col_strategy: keys.text("col_strategy")?,
        certificate: keys.file("certificate")?,
    }))
}

fn tree(keys: &mut Keys) -> Result<Box<dyn Question>, Diagnostic> {
    Ok(Box::new(TreeQuestion {
        source: keys.needed("game")?,
        play: keys.play()?.unwrap_or_default(),
        svg: keys.file("svg")?,
        merge: keys.flag("merge")?,
        alpha_beta: keys.flag("alpha_beta")?,
        table: keys.flag("table")?,
        list: keys.number("list", 10_000)?,
        optimal: keys.flag("optimal")?,
        versus: keys.text("versus")?,
        efg: keys.file("efg")?,
    }))
}

fn value(keys: &mut Keys) -> Result<Box<dyn Question>, Diagnostic> {
    Ok(Box::new(ValueQuestion {
        source: source(keys)?,
        telling: telling(keys, &Telling::default())?,
        svg: keys.file("svg")?,
        ..ValueQuestion::default()
    }))
}

/// What is done to a value, and how it is written, where nothing is said as usual.
pub(crate) fn telling(keys: &mut Keys, usual: &Telling) -> Result<Telling, Diagnostic> {
    let changes = WrittenChanges {
        cool: keys.text("cool")?,
        heat: keys.text("heat")?,
        overheat: keys.text("overheat")?,
        norton: keys.text("norton")?,
        freeze: keys.flag("freeze")?,
    };
    let changes = changes.read()?;
    Ok(Telling {
        changes: if changes.is_empty() {
            usual.changes.clone()
        } else {
            changes
        },
        braces: keys.flag("form")? || usual.braces,
        latex: keys.flag("latex")? || usual.latex,
        play: keys.play()?.unwrap_or(usual.play),
        full: keys.flag("full")? || usual.full,
    })
}

fn find(keys: &mut Keys) -> Result<Box<dyn Question>, Diagnostic> {
    Ok(Box::new(FindQuestion {
        game: keys.needed("game")?,
        equals: keys.needed("equals")?,
        within: keys.needed("within")?,
        count: keys.number("count", 10_000)?.unwrap_or(crate::find::FEW),
    }))
}

fn temperatures(keys: &mut Keys) -> Result<Box<dyn Question>, Diagnostic> {
    Ok(Box::new(TemperaturesQuestion {
        game: keys.needed("game")?,
        within: keys.needed("within")?,
        count: keys.number("count", 1_000_000)?.unwrap_or(100),
        seed: seed(keys)?,
    }))
}

fn born(keys: &mut Keys) -> Result<Box<dyn Question>, Diagnostic> {
    Ok(Box::new(BornQuestion {
        day: keys.number("day", LAST.into())?.unwrap_or(2),
        svg: keys.file("svg")?,
    }))
}

fn compare(keys: &mut Keys) -> Result<Box<dyn Question>, Diagnostic> {
    Ok(Box::new(CompareQuestion {
        first: keys.needed("game")?,
        second: keys.needed("with")?,
        play: keys.play()?.unwrap_or_default(),
        explain: keys.flag("explain")?,
        ..CompareQuestion::default()
    }))
}

fn nimber(keys: &mut Keys) -> Result<Box<dyn Question>, Diagnostic> {
    Ok(Box::new(NimberQuestion {
        expression: keys.needed("game")?,
        explain: keys.flag("explain")?,
    }))
}

fn draw(keys: &mut Keys) -> Result<Box<dyn Question>, Diagnostic> {
    let thermographs = keys.texts("thermographs")?;
    Ok(Box::new(Draw {
        source: if thermographs.is_empty() {
            source(keys)?
        } else {
            PositionSource::default()
        },
        thermographs,
        play: keys.play()?.unwrap_or_default(),
        labels: keys.flag("labels")?,
        graph: keys.flag("graph")?,
        form: keys
            .choice(
                "form",
                &[
                    ("svg", Drawing::Svg),
                    ("dot", Drawing::Dot),
                    ("tikz", Drawing::Tikz),
                    ("terminal", Drawing::Terminal),
                ],
            )?
            .unwrap_or_default(),
        title: keys.flag("title")?,
        winning: keys.flag("moves")?,
        dark: keys.flag("dark")?,
        buttons: keys.flag("buttons")?,
        ascii: keys.flag("ascii")?,
        ..Draw::default()
    }))
}

fn exercises(keys: &mut Keys) -> Result<Box<dyn Question>, Diagnostic> {
    Ok(Box::new(ExercisesQuestion {
        game: keys.needed("game")?,
        ranges: keys.texts("ranges")?,
        play: keys.play()?.unwrap_or_default(),
        count: keys.number("count", 1000)?.unwrap_or(10),
        level: level(keys, HARDEST)?.unwrap_or(3),
        seed: seed(keys)?,
        part: keys
            .choice(
                "only",
                &[
                    ("questions", SheetPart::Questions),
                    ("answers", SheetPart::Answers),
                ],
            )?
            .unwrap_or_default(),
    }))
}

fn help(keys: &mut Keys) -> Result<Box<dyn Question>, Diagnostic> {
    Ok(Box::new(HelpQuestion {
        game: keys.text("game")?,
    }))
}

fn board(keys: &mut Keys) -> Result<Box<dyn Question>, Diagnostic> {
    Ok(Box::new(BoardQuestion {
        played: played(keys)?,
        dark: keys.flag("dark")?,
    }))
}

fn analyse(keys: &mut Keys) -> Result<Box<dyn Question>, Diagnostic> {
    Ok(Box::new(Analyse {
        played: played(keys)?,
    }))
}

fn reply(keys: &mut Keys) -> Result<Box<dyn Question>, Diagnostic> {
    Ok(Box::new(Reply {
        played: played(keys)?,
        level: level(keys, PERFECT)?.unwrap_or(PERFECT),
        seed: seed(keys)?,
    }))
}

fn hint(keys: &mut Keys) -> Result<Box<dyn Question>, Diagnostic> {
    Ok(Box::new(Hint {
        played: played(keys)?,
        stage: keys.number("stage", 3)?.unwrap_or(1),
    }))
}

fn review(keys: &mut Keys) -> Result<Box<dyn Question>, Diagnostic> {
    Ok(Box::new(Review {
        played: played(keys)?,
    }))
}

fn practice(keys: &mut Keys) -> Result<Box<dyn Question>, Diagnostic> {
    Ok(Box::new(Practise {
        game: keys.needed("game")?,
        ranges: keys.texts("ranges")?,
        play: keys.play()?.unwrap_or_default(),
        ask: keys
            .choice(
                "ask",
                &[
                    ("outcome", Ask::Outcome),
                    ("value", Ask::Value),
                    ("move", Ask::Move),
                ],
            )?
            .unwrap_or_default(),
        level: level(keys, HARDEST)?.unwrap_or(3),
        seed: seed(keys)?,
        answer: keys.text("answer")?,
    }))
}

fn source(keys: &mut Keys) -> Result<PositionSource, Diagnostic> {
    Ok(PositionSource {
        expression: Some(keys.needed("game")?),
        picture: None,
    })
}

fn played(keys: &mut Keys) -> Result<Played, Diagnostic> {
    Ok(Played {
        source: source(keys)?,
        play: keys.play()?.unwrap_or_default(),
        begins: keys
            .choice(
                "begins",
                &[("left", Player::Left), ("right", Player::Right)],
            )?
            .unwrap_or(Player::Left),
        moves: keys.text("moves")?.unwrap_or_default(),
        table: keys.file("table")?,
    })
}

fn level(keys: &mut Keys, most: u8) -> Result<Option<u8>, Diagnostic> {
    keys.number("level", most.into())
}

fn seed(keys: &mut Keys) -> Result<u64, Diagnostic> {
    Ok(keys.number("seed", u64::MAX)?.unwrap_or_default())
}
