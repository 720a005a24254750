//! The explanation of the labels (outcome and remoteness) of the vertices of a graph. It has a
//! stage for each remoteness, a bound on the length of play, and the strategy.

use grundy_base::limits::{Limits, Stop};
use grundy_base::outcome::{Outcome, Play};
use grundy_base::step::{Datum, Step};
use grundy_graphs::graph::{Label, Labels, Network};

/// Largest number of vertices in each list of vertices. The table of the strategy may have more
/// rows.
const MAX_LISTED: usize = 100;
/// Largest number of stages that have a step each. A stage contains the vertices with the same
/// remoteness. If there are more stages, one further step mentions the rest.
const MAX_STAGES: u32 = 60;
/// Largest number of rows in the table of the strategy.
const MAX_ROWS: usize = 200;

/// Returns the steps that explain the labels (outcome and remoteness) of all vertices reachable
/// from `start`.
pub(super) fn steps(
    network: &Network,
    start: u32,
    play: Play,
    limits: &Limits<'_>,
) -> Result<Vec<Step>, Stop> {
    let network = network.reachable_subgraph(start);
    let labels = network.graph.label_with_limits(play, limits)?;
    let mut steps = vec![Step::new(match play {
        Play::Normal => "stage_rule",
        Play::Misere => "stage_rule_misere",
    })];
    // In the graph that `reachable_subgraph` returns, `start` is vertex 0.
    stages(&network, &labels, &mut steps);
    sets(&network, &labels, &mut steps);
    if let Some(longest) = network.graph.longest_plays(limits)? {
        let bounds = longest.iter().take(MAX_LISTED).map(|&b| u64::from(b));
        steps.push(
            Step::new("progressively_bounded")
                .with("bound", u64::from(longest[0]))
                .with("vertex", network.names.get(0))
                .with("vertices", first_names(&network, 0..longest.len() as u32))
                .with("bounds", bounds.collect::<Vec<u64>>()),
        );
    } else {
        let mut cycle = network.graph.cycle_from(0).unwrap_or_default();
        cycle.extend(cycle.first().copied());
        let names = first_names(&network, cycle.into_iter());
        steps.push(Step::new("not_progressively_bounded").with("cycle", names));
    }
    steps.push(strategy(&network, &labels));
    Ok(steps)
}

/// Returns the names of the first [`MAX_LISTED`] of `vertices`, followed by "..." if there are
/// more.
fn first_names(network: &Network, vertices: impl Iterator<Item = u32>) -> Vec<String> {
    let mut names: Vec<String> = vertices
        .take(MAX_LISTED + 1)
        .map(|v| network.names.get(v).to_owned())
        .collect();
    if names.len() > MAX_LISTED {
        "...".clone_into(&mut names[MAX_LISTED]);
    }
    names
}

/// Appends a step for each remoteness, with the vertices that have this remoteness.
fn stages(network: &Network, labels: &Labels, steps: &mut Vec<Step>) {
    let mut by_stage: Vec<(Outcome, Vec<u32>)> = Vec::new();
    for (v, label) in labels.iter().enumerate() {
        let Some(stage) = label.remoteness else {
            continue;
        };
        if stage >= MAX_STAGES {
            continue;
        }
        // The parity of the remoteness decides the outcome, so all vertices of one remoteness have
        // the same outcome.
        if by_stage.len() <= stage as usize {
            by_stage.resize_with(stage as usize + 1, || (label.outcome, Vec::new()));
        }
        let slot = &mut by_stage[stage as usize];
        slot.0 = label.outcome;
        slot.1.push(v as u32);
    }
    if by_stage.is_empty() {
        steps.push(Step::new("stage_no_end"));
    }
    for (stage, (outcome, vertices)) in by_stage.into_iter().enumerate() {
        let code = match (outcome, stage) {
            (Outcome::P, 0) => "stage_end_p",
            (Outcome::P, _) => "stage_p",
            (_, 0) => "stage_end_n",
            _ => "stage_n",
        };
        let mut step = Step::new(code).with("index", stage);
        if stage > 0 {
            step = step.with("by", stage - 1);
        }
        steps.push(
            step.with("count", vertices.len())
                .with("vertices", first_names(network, vertices.into_iter())),
        );
    }
    if labels
        .iter()
        .any(|label| label.remoteness >= Some(MAX_STAGES))
    {
        steps.push(Step::new("stages_go_on").with("stages", u64::from(MAX_STAGES)));
    }
}

/// Appends a step for each outcome, with all vertices that have this outcome.
fn sets(network: &Network, labels: &Labels, steps: &mut Vec<Step>) {
    for (code, outcome) in [
        ("stage_all_p", Outcome::P),
        ("stage_all_n", Outcome::N),
        ("stage_all_d", Outcome::D),
    ] {
        let members = || (0..labels.len() as u32).filter(|&v| labels.get(v).outcome == outcome);
        let count = members().count();
        if count > 0 {
            steps.push(
                Step::new(code)
                    .with("count", count)
                    .with("vertices", first_names(network, members())),
            );
        }
    }
}

/// Returns the step with the table of the strategy. A row has the outcome and the remoteness of a
/// vertex, and the best move unless the vertex is a P-position.
fn strategy(network: &Network, labels: &Labels) -> Step {
    let mut rows = Vec::new();
    for v in (0..labels.len() as u32).take(MAX_ROWS) {
        let Label {
            outcome,
            remoteness,
        } = labels.get(v);
        let to = match outcome {
            Outcome::P => None,
            _ => labels.best_move(&network.graph, v),
        };
        let to = to.map_or("", |index| {
            network.names.get(network.graph.options(v)[index])
        });
        rows.push(Datum::List(vec![
            network.names.get(v).into(),
            outcome.to_string().into(),
            remoteness.map_or(Datum::from(""), |r| u64::from(r).into()),
            to.into(),
        ]));
    }
    Step::new("strategy")
        .with("columns", vec!["position", "outcome", "remoteness", "move"])
        .with("rows", Datum::List(rows))
        .with("complete", labels.len() <= MAX_ROWS)
}
