//! Certificates of labels: all moves of a game, and the claimed label (outcome and remoteness) of
//! every position.

use std::path::Path;

use grundy_core::message::Setting;
use grundy_core::values::loopy::Loopy;
use grundy_core::{Diagnostic, Kind, Limits, message};
use grundy_wording::answer::json_line;
use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::rows::Table;
use grundy_job::files::{self, Files};

/// Writes the certificate of a labelled graph.
pub(super) fn write(
    table: &Table,
    file: &Path,
    limits: &Limits<'_>,
    files: &Files,
) -> Result<(), Diagnostic> {
    // The conditions that the verifier checks are valid for impartial games only.
    if !table.game.nature.is_impartial() {
        let message = message!(
            "the labels of positions can be certified for impartial games without ties only"
        );
        return Err(
            Diagnostic::new(Kind::IllegalPosition, message).help(message!(
                "omit {option}",
                option = Setting::new("certificate")
            )),
        );
    }
    let places = table
        .labelled
        .verification_ranks(&table.game.graph, limits)?;
    let claim = LabelClaim { table, places };
    files::write(files, file, |out| json_line(out, &claim))
}

/// The content of a certificate: the positions and moves of a graph, and their claimed labels and
/// values. It is serialized piece by piece, because it is as large as the graph.
struct LabelClaim<'a> {
    table: &'a Table,
    places: Option<Vec<u32>>,
}

impl Serialize for LabelClaim<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Table { game, play, .. } = self.table;
        let count = game.positions();
        let list = |content| ClaimList {
            table: self.table,
            count,
            content,
        };
        // The fields are in the order of the file format, which `verify::labels::KEYS` lists.
        let mut claim = to.serialize_struct("LabelClaim", 7)?;
        claim.serialize_field("kind", "labels")?;
        claim.serialize_field("play", &play.to_string())?;
        claim.serialize_field("positions", &list(ListContent::Name))?;
        claim.serialize_field("options", &list(ListContent::Options))?;
        claim.serialize_field("labels", &list(ListContent::Label))?;
        // The places put positions of equal value in an order, without which values cannot be
        // checked in a graph with cycles. So either both are written or neither.
        if let Some(places) = &self.places {
            claim.serialize_field("values", &list(ListContent::Value))?;
            claim.serialize_field("places", places)?;
        }
        claim.end()
    }
}

/// The content of a list in a certificate: names, options, labels or values of the positions.
#[derive(Clone, Copy)]
enum ListContent {
    Name,
    Options,
    Label,
    Value,
}

/// A list in a certificate, with one element for each position of the graph.
struct ClaimList<'a> {
    table: &'a Table,
    count: u32,
    content: ListContent,
}

impl Serialize for ClaimList<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let Table { game, labelled, .. } = self.table;
        let all = 0..self.count;
        match self.content {
            ListContent::Name => to.collect_seq(all.map(|position| game.name(position))),
            ListContent::Options => {
                to.collect_seq(all.map(|position| game.graph.options(position)))
            }
            ListContent::Label => to.collect_seq(all.map(|position| {
                let label = labelled.label(position);
                let moves = label.remoteness.map(|moves| moves.to_string());
                format!("{}{}", label.outcome, moves.unwrap_or_default())
            })),
            ListContent::Value => {
                to.collect_seq(all.map(|position| ValueView(labelled.value(game, position))))
            }
        }
    }
}

/// A value that is serialized as a number, or as `{"infinity": [...]}`.
struct ValueView(Option<Loopy>);

impl Serialize for ValueView {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match &self.0 {
            Some(Loopy::Infinite(set)) => to.collect_map([("infinity", set)]),
            Some(Loopy::Finite(value)) => value.serialize(to),
            None => to.serialize_none(),
        }
    }
}
