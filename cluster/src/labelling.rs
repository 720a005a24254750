//! Labelling by several workers, in one process or in several: the source, the settings that all
//! processes share, and the writing of the table.

mod identity;
mod lists;
mod marks;
mod metrics;
mod plan;
mod rows;
mod tablebase;

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use grundy_cluster::{
    CheckpointOptions, Context, Handshake, Report, Source as Labelled, Stage, Start, Store,
    TableWriter, Workers, label,
};
use grundy_core::message::{Command, Setting};
use grundy_core::{Diagnostic, Kind, Message, RankedGame, message};
use grundy_tablebase::CheckpointSchedule;
use serde_json::Value;

use grundy_job::{Job, Progress, Reader};
use grundy_tables::label::output::{self, Format};
use grundy_tables::label::ranked::{RankedLabels, is_dense};
use grundy_tables::label::rows::Rows;
use grundy_tables::label::source::Source;
use grundy_tables::label::tablebase::{GraphSum, TablebaseOutput};
use grundy_tables::label::{Hosts, LabelOptions, Labelling, SharedWork, WorkerOptions, difference};
use lists::Lists;
use marks::{Marks, ROWS_PER_CHECK};
use metrics::Metrics;

use rows::{Gathered, StreamedCells, StreamedRows};
use tablebase::write_by_rank;

/// Least length of a secret, in bytes.
const MIN_SECRET_BYTES: usize = 16;
/// Size limit in bytes for a secret file and for a file of hosts.
const MAX_FILE_BYTES: u64 = 1 << 20;

/// Labelling by several workers, implemented with the crate `grundy-cluster`.
#[derive(Debug)]
pub(crate) struct Cluster;

impl grundy_tables::label::Workers for Cluster {
    fn label(&self, work: &SharedWork<'_>) -> Result<Labelling, Diagnostic> {
        check_workers(work.worker_options)?;
        let format = work.format;
        let work = Work {
            options: work.options,
            worker_options: work.worker_options,
            source: work.source,
            ranked: work.ranked.clone(),
            reader: work.reader,
            job: work.job,
        };
        if work.worker_options.plan {
            return work.plan().map(Labelling::of_plan);
        }
        Ok(work.run(format)?.unwrap_or_else(Labelling::without_rows))
    }
}

/// A labelling to run: its source, its options, and its workers.
struct Work<'a> {
    options: &'a LabelOptions,
    worker_options: &'a WorkerOptions,
    source: &'a Source<'a>,
    ranked: Option<Arc<dyn RankedGame>>,
    reader: &'a Reader,
    job: &'a Job,
}

impl Work<'_> {
    /// Labels the game with all workers. Returns the rows of the table, unless they were written to
    /// files or another process writes them.
    fn run(&self, format: Option<Format>) -> Result<Option<Labelling>, Diagnostic> {
        let Self { options, job, .. } = self;
        if options.best_move {
            let message = message!("optimal moves can be stored only if there is a single worker");
            return Err(
                Diagnostic::new(Kind::IllegalPosition, message).help(message!(
                    "omit {option}: {command} computes the moves from the rules",
                    option = Setting::new("best_move"),
                    command = Command::new("probe")
                )),
            );
        }
        let limits = job.limits();
        let metrics = self.metrics()?;
        let report = |report: &Report| {
            job.report(&progress(report));
            if let Some(metrics) = &metrics {
                metrics.report(report);
            }
        };
        let note = |message| job.report(&Progress::Note(message));
        let interrupted = || (job.limits().interrupted)();
        let of = self.label_identity()?;
        let differs = |found: &Value| difference(found, &of);
        let context = Context {
            positions: limits.positions,
            memory: limits.memory,
            workers_here: self.worker_options.workers.get(),
            interrupted: &interrupted,
            report: &report,
            note: &note,
            checkpoint_options: self.checkpoint_options(&of, &differs)?,
        };
        let read = |text: &str, turns: u32| self.reader.read_part(text, turns);
        let start = match self.source {
            Source::Position(position) => Some(Start {
                position,
                read: &read,
            }),
            Source::File(_) => None,
        };
        let lists = match self.source {
            Source::File(file) => Some(Lists::new(file, options.format, self.reader, job)?),
            Source::Position(_) => None,
        };
        let labelled = match (&self.ranked, &start, &lists) {
            (Some(game), ..) => Labelled::Ranked {
                game: Arc::clone(game),
                // The sieve of a dense game computes outcomes only. It takes far less memory than
                // the graph that values need, so values are computed only on request.
                values: !is_dense(&**game) || options.by_ranks.is_some_and(|ranked| ranked.values),
            },
            (None, Some(start), _) => Labelled::Position(start),
            (None, None, Some(lists)) => Labelled::Edges {
                lists,
                keep_moves: options.tablebase.is_some(),
            },
            (None, None, None) => return Ok(None),
        };
        let workers = self.workers(&context)?;
        let (written, _) = label(workers, &context, &labelled, options.play, |writer| {
            let resumable = writer.resumable();
            let schedule = resumable.map(|run| CheckpointSchedule::new(run.every, options.resume));
            let marks = resumable
                .zip(schedule.as_ref())
                .map(|(run, schedule)| Marks {
                    schedule,
                    labelling: run.labelling,
                });
            match &self.ranked {
                Some(game) if labelled.is_sieved() => {
                    self.write_cells(writer, game, (format, marks.as_ref()))
                }
                _ => self.write(writer, (format, marks.as_ref())),
            }
        })?;
        Ok(written.flatten())
    }

    /// Creates the metrics file, if one was requested and this process writes the table.
    fn metrics(&self) -> Result<Option<Metrics<'_>>, Diagnostic> {
        let hosts = self.worker_options.hosts.as_ref();
        let writes = hosts.is_none_or(|hosts| hosts.process == 0);
        let file = self.worker_options.metrics.clone().filter(|_| writes);
        file.map(|file| Metrics::new(file, self.reader.files()))
            .transpose()
    }

    /// Returns the checkpoint options, or nothing if checkpoints are disabled.
    fn checkpoint_options<'k>(
        &self,
        of: &Value,
        differs: &'k (dyn Fn(&Value) -> Message + Sync),
    ) -> Result<Option<CheckpointOptions<'k>>, Diagnostic> {
        let options = self.options;
        let Some(place) = &options.checkpoint else {
            if options.resume {
                let message = message!(
                    "{option} requires the location of the checkpoint",
                    option = Setting::command_line("resume")
                );
                let help = message!(
                    "use the same {option} as before",
                    option = Setting::command_line("checkpoint")
                );
                return Err(Diagnostic::new(Kind::Io, message).help(help));
            }
            return Ok(None);
        };
        self.reader.files().on_disk(place)?;
        Ok(Some(CheckpointOptions {
            store: Store::open(&place.display().to_string())?,
            every: Duration::try_from_secs_f64(options.every).unwrap_or(Duration::MAX),
            resume: options.resume,
            of: of.clone(),
            differs,
        }))
    }

    /// Reads the addresses of the processes from a file of hosts.
    fn hosts(&self, file: &Path) -> Result<Vec<String>, Diagnostic> {
        let text = self.reader.files().text(file, MAX_FILE_BYTES)?;
        let lines = text.lines().map(str::trim);
        let hosts = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
        Ok(hosts.map(str::to_owned).collect())
    }

    /// Returns the workers of this process, connected to those of the other processes if there are
    /// any.
    fn workers(&self, context: &Context<'_>) -> Result<Workers, Diagnostic> {
        let Some(Hosts {
            file,
            process,
            secret_file,
        }) = &self.worker_options.hosts
        else {
            return Ok(Workers::alone());
        };
        let files = self.reader.files();
        let hosts = self.hosts(file)?;
        Workers::check(&hosts, *process)?;
        Workers::check_workers(self.worker_options.workers.get(), hosts.len())?;
        let secret = files.text(secret_file, MAX_FILE_BYTES)?;
        let secret = secret.trim().as_bytes();
        if secret.len() < MIN_SECRET_BYTES {
            let message = message!(
                "{file}: the secret has fewer than {least} characters",
                file = secret_file.display(),
                least = MIN_SECRET_BYTES
            );
            return Err(Diagnostic::new(Kind::Range, message)
                .help(message!("create a secret with: openssl rand -hex 32")));
        }
        let identity = self.identity(&hosts)?;
        let handshake = Handshake {
            hosts: &hosts,
            process: *process,
            secret,
            identity: &identity,
        };
        self.job.report(&Progress::Doing(message!(
            "waiting for the other processes"
        )));
        Workers::connected(&handshake, context)
    }

    /// Writes the table to the requested files. Returns its rows if no file was requested.
    fn write(
        &self,
        writer: &TableWriter<'_, '_>,
        (format, marks): (Option<Format>, Option<&Marks<'_>>),
    ) -> Result<Option<Labelling>, Diagnostic> {
        let dense = self.ranked.as_ref().is_some_and(|game| is_dense(&**game));
        let streamed = StreamedRows::new(writer, self.options.play, !dense);
        let written = self.write_outputs(&streamed, (format, marks), |output| {
            if let Some(game) = &self.ranked {
                return write_by_rank(output, &streamed, &**game);
            }
            let is_graph = matches!(self.source, Source::File(_));
            let graph = is_graph.then(|| graph_sum(&streamed, output.folder, marks));
            let graph = graph.transpose()?;
            // The checksum takes the targets of moves as position numbers. Resolving replaces these
            // by row numbers, so the checksum is computed first.
            if is_graph {
                writer.resolve()?;
            }
            tablebase::write_by_name(output, &streamed, graph)
        })?;
        if written {
            return Ok(None);
        }
        Ok(Some(Labelling::of_rows(Gathered::new(&streamed)?)))
    }

    /// Writes the cells of a ranked game that was labelled by a sieve to the requested files. A
    /// cell has the label of a position with a player to move. Returns the labels if no file was
    /// requested.
    fn write_cells(
        &self,
        writer: &TableWriter<'_, '_>,
        game: &Arc<dyn RankedGame>,
        outputs: (Option<Format>, Option<&Marks<'_>>),
    ) -> Result<Option<Labelling>, Diagnostic> {
        let streamed = StreamedCells::new(writer, &**game, self.options.play);
        if self.write_outputs(&streamed, outputs, |output| output.ranked(&streamed))? {
            return Ok(None);
        }
        let labels = RankedLabels::new(Arc::clone(game), streamed.all()?, self.options.play);
        Ok(Some(Labelling::of_rows(labels)))
    }

    /// Writes a table to a file and to a tablebase, if these were requested. `fill` writes the
    /// tablebase. Returns whether anything was written.
    fn write_outputs(
        &self,
        table: &impl Rows,
        (format, marks): (Option<Format>, Option<&Marks<'_>>),
        fill: impl FnOnce(&TablebaseOutput<'_>) -> Result<(), Diagnostic>,
    ) -> Result<bool, Diagnostic> {
        let Self {
            options, reader, ..
        } = self;
        // A file may be overwritten, but a tablebase may not. The tablebase is written last, so
        // that a run that fails between the two can be repeated.
        if let (Some(file), Some(format)) = (&options.output, format) {
            match marks.filter(|_| format != Format::Parquet) {
                Some(marks) => marks.rows(table, format, file)?,
                None => output::to_file(table, format, file, reader.files())?,
            }
        }
        if let Some(folder) = &options.tablebase {
            let output = TablebaseOutput {
                folder,
                source: self.source,
                options,
                reader,
                limits: &self.job.long_limits(),
                schedule: marks.map(|marks| marks.schedule),
            };
            fill(&output)?;
        }
        // Both outputs are complete, so their marks can be removed.
        if marks.is_some() {
            let places = [&options.output, &options.tablebase];
            places
                .into_iter()
                .flatten()
                .for_each(|place| Marks::remove(place));
        }
        Ok(options.tablebase.is_some() || options.output.is_some())
    }
}

/// Returns an error if this process has too many workers. This is also checked if the cost is only
/// estimated.
fn check_workers(worker_options: &WorkerOptions) -> Result<(), Diagnostic> {
    Workers::check_workers(worker_options.workers.get(), 1)
}

/// Computes the checksum of an input graph that is stored in its tablebase. This reads all rows of
/// the table, which takes a long time, so resume marks are written from which another run can
/// continue.
fn graph_sum(
    rows: &StreamedRows<'_, '_, '_>,
    folder: &Path,
    marks: Option<&Marks<'_>>,
) -> Result<u32, Diagnostic> {
    let positions = rows.positions();
    let resumed = marks.and_then(|marks| marks.read(folder));
    // A mark beyond the last row belongs to another table. The sum then starts again at row 0.
    let (first, sum) = resumed
        .filter(|&(first, _)| first <= positions)
        .unwrap_or((0, 0));
    let mut sum = GraphSum::after(sum);
    for position in first..positions {
        rows.with(position, |row| {
            let options = row.options.iter().map(|&option| option as u32);
            sum.update(&row.name, options);
        })?;
        let done = position + 1;
        if let Some(marks) =
            marks.filter(|_| done.is_multiple_of(ROWS_PER_CHECK) || done == positions)
        {
            let put = || marks.write(folder, (done, sum.get()));
            marks.schedule.if_due(put)?;
        }
    }
    Ok(sum.get())
}

/// Converts a report of the workers to a progress message.
fn progress(report: &Report) -> Progress {
    let Report {
        stage,
        round,
        done,
        of,
        sent,
        ..
    } = *report;
    let note = |what: Message| {
        Some(message!(
            "{what}, round {round}, {sent} MiB sent",
            what,
            round,
            sent = sent >> 20
        ))
    };
    let note = match stage {
        Stage::Connecting => return Progress::Doing(message!("waiting for the other processes")),
        Stage::Finding => {
            return Progress::Exploring {
                visited: done,
                found: of.max(done),
            };
        }
        Stage::Labelling => note(message!("outcomes")),
        Stage::Valuing => note(message!("values")),
        Stage::Writing => None,
    };
    Progress::Computing {
        computed: done,
        of,
        note,
    }
}
