//! A file that stores computed values, so that later questions can reuse them.
//!
//! The file is a checked file (see [`checked`]): it has a header, lines of text and a checksum. The
//! header contains the source of the open rule file and the number of lines of each kind. The lines
//! follow in this order.
//!
//! - Canonical forms. The options of a form come before the form itself. A form whose text contains
//!   no braces is written as `=` and its text. Any other form is written as the line numbers of
//!   Left's options, a bar, and the line numbers of Right's options. Line numbers count from 0.
//!   Shared options are written once, so the file is no longer than the forms in memory.
//! - Components with a value: the line number of the form, a space, and the component in the
//!   notation.
//! - Components without a value, in the notation. The sums below refer to them.
//! - Answers of searches. The cost class of an answer is the binary length of the number of
//!   positions that were searched.
//!   - `n`: the nimbers that may still be the value of a packed component, which is a component
//!     encoded in machine words. The line consists of the ruleset, the key of the component, the
//!     set of nimbers, and the cost class. The key and the set are hexadecimal numbers. Bit k of
//!     the set is nimber k.
//!   - `w`: a packed component plus a form. The line consists of the ruleset, the words and the
//!     stride of the component in hexadecimal, the line number of the form, the result, and the
//!     cost class.
//!   - `L` or `R`: a sum in which Left or Right is to move. The line consists of the result, the
//!     cost class, the line numbers of the forms, a bar, and the indices of the components without
//!     a value.
//!
//! A result is 1 if the player to move wins, and 0 otherwise.
//!
//! If a search was stopped, a later search resumes from the answers stored in the file.
//!
//! Values in the file are trusted and not computed again. Two rules make this safe: a component is
//! written only if its text determines it, and the checksum detects accidental changes. Forms are
//! reduced to canonical form again when they are read.

use std::collections::{HashMap, HashSet};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::Arc;

use grundy_core::answers::{Answer, DecidedSum, DecidedWords, Entry};
use grundy_core::message::Setting;
use grundy_core::rules::Sides;
use grundy_core::values::canonical::Canonical;
use grundy_core::{Diagnostic, Kind, Limits, Message, Player, Position, Solver, Stop, message};
use grundy_forms::{Form, Forms, text};
use grundy_rules::RuleFile;
use grundy_tablebase::checked::{self, Reader, Stamp};
use serde::{Deserialize, Serialize};

use crate::analyst::Analyst;
use crate::files;
use crate::job::Job;
use crate::progress::Progress;

const FILE: checked::Form = checked::Form {
    noun: || message!("table of values"),
    kind: "values",
    version: 2,
    help: || {
        message!(
            "choose another file with {option}, or delete this one to create a new table",
            option = Setting::command_line("table")
        )
    },
};

/// Approximate memory, in bytes, that reading a line of the file needs in addition to the text of
/// the line.
const LINE_BYTES: u64 = 64;

/// Upper bound for the dyadic numbers in the file. Neither the size of a number in bytes nor the
/// exponent k of its denominator 2^k may exceed it.
///
/// A larger number is not written, and neither are the forms that contain it. Reading them would
/// take long.
const MAX_NUMBER_SIZE: u64 = 4096;

/// Number of lines between two checks of the limits.
const LINES_PER_CHECK: usize = 1024;

/// The file of values that a question names. If the question names no file, nothing is read or
/// written.
#[derive(Debug)]
pub(crate) struct ValueTable<'a> {
    analyst: &'a Analyst,
    file: Option<&'a PathBuf>,
    /// The stamp of the file (length, modification time and checksum), taken before the file was
    /// read. `None` if the file did not exist.
    stamp: Option<Stamp>,
    /// The coverage of the file when it was read.
    coverage: Coverage,
}

/// A measure of the results in a file or in a solver. If the file and the solver have the same
/// coverage, the file is not written again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Coverage {
    components: usize,
    answers: usize,
    /// The number of nimbers that may still be the value of a packed component (a component encoded
    /// in machine words), summed over all packed components. For the same components, a smaller sum
    /// means that more is known.
    possible: u64,
}

/// The header of the file: the source of the open rule file, and the number of lines of each kind.
#[derive(Serialize, Deserialize)]
struct Head {
    rules: Option<String>,
    forms: usize,
    components: usize,
    unvalued: usize,
    answers: usize,
}

/// The content of a file that is to be written. Forms are sorted so that options precede the forms
/// that contain them.
struct Contents<'a> {
    arena: &'a Forms,
    forms: Vec<Form>,
    components: Vec<(String, Form)>,
    /// The texts of the components that occur in `sums` and have no stored value.
    unvalued: Vec<String>,
    nimbers: Vec<Nimber>,
    words: Vec<(String, DecidedWords)>,
    /// The sums whose winner is known. Their components are given as indices into `unvalued`.
    sums: Vec<DecidedSum>,
}

/// The partial result for a packed component, which is a component encoded in machine words. The
/// fields are its ruleset, its key, the set of nimbers that are not excluded yet, and the cost
/// class. Bit k of the set is nimber k. The cost class is the binary length of the number of
/// positions searched.
type Nimber = (String, u64, u64, u8);

/// The stored answers of a solver's searches, in one list for each kind of answer. The list
/// `unvalued` has the texts of the components without a stored value that occur in sums.
#[derive(Default)]
struct Answers {
    nimbers: Vec<Nimber>,
    words: Vec<(String, DecidedWords)>,
    sums: Vec<DecidedSum>,
    unvalued: Vec<String>,
}

impl Answers {
    /// Returns all answers of a solver in sorted order. Hence their order does not depend on the
    /// order of the questions.
    fn of(solver: &mut Solver) -> Self {
        let mut answers = Self::default();
        solver.each_answer(&mut |entry| match entry {
            Entry::Nimber {
                ruleset,
                component,
                possible,
                class,
            } => {
                let nimber = (ruleset.to_owned(), component, possible, class);
                answers.nimbers.push(nimber);
            }
            Entry::Words(ruleset, decided) => answers.words.push((ruleset.to_owned(), decided)),
            Entry::Sum(sum) => answers.sums.push(sum),
        });
        // The hash tables of the solver iterate in an arbitrary order. Sorting makes equal
        // knowledge produce equal bytes.
        answers.nimbers.sort_unstable();
        answers.words.sort_unstable();
        answers.name_components(solver);
        answers
    }

    /// Replaces the ids of components in the sums by indices into the sorted list of the
    /// components' texts. Removes each sum with a component that cannot be restored from its text.
    fn name_components(&mut self, solver: &Solver) {
        let mut texts: HashMap<u32, Option<String>> = HashMap::new();
        // Many sums share a component, so each text is computed once.
        for &id in self.sums.iter().flat_map(|sum| &sum.components) {
            let text = || {
                // One line holds one component, so a text with a line break cannot be written.
                solver
                    .component_text(id)
                    .filter(|text| !text.contains('\n'))
            };
            texts.entry(id).or_insert_with(text);
        }
        self.sums
            .retain(|sum| sum.components.iter().all(|id| texts[id].is_some()));
        let mut named: Vec<(String, u32)> = (texts.into_iter())
            .filter_map(|(id, text)| Some((text?, id)))
            .collect();
        // The ids of a solver depend on the order in which it found the components. Indices into
        // the sorted texts do not.
        named.sort_unstable();
        let places = named.iter().zip(0..).map(|((_, id), place)| (*id, place));
        let places: HashMap<u32, u32> = places.collect();
        for sum in &mut self.sums {
            for component in &mut sum.components {
                *component = places[component];
            }
            sum.components.sort_unstable();
        }
        self.sums.sort_unstable();
        self.unvalued = named.into_iter().map(|(text, _)| text).collect();
    }
}

/// The reason why the lines of a file cannot be read.
enum ReadError {
    Damaged,
    Stopped(Stop),
}

impl From<Stop> for ReadError {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

impl<'a> ValueTable<'a> {
    /// Opens the file and loads its content into a solver. If the file does not exist, the table is
    /// empty.
    pub(crate) fn open(
        file: Option<&'a PathBuf>,
        analyst: &'a Analyst,
        solver: &mut Solver,
        limits: &Limits<'_>,
    ) -> Result<Self, Diagnostic> {
        let mut table = Self {
            analyst,
            file,
            stamp: None,
            coverage: Coverage::default(),
        };
        if let Some(file) = file {
            // A solver can write the answers of sums only if it keeps them. Without a table,
            // keeping them would waste memory.
            solver.keep_sums();
            analyst.files().on_disk(file)?;
            // The stamp is taken before reading. Hence `save` notices if another process writes the
            // file afterwards.
            table.stamp = FILE.stamp(file)?;
            if table.stamp.is_some() {
                table.coverage = table.read(file, solver, limits)?;
            }
        }
        Ok(table)
    }

    /// Returns the source of the open rule file.
    fn rules(&self) -> Option<&'a str> {
        self.analyst.reader().rules().map(RuleFile::source)
    }

    /// Loads the file into a solver. Returns the coverage of the file.
    fn read(
        &self,
        file: &Path,
        solver: &mut Solver,
        limits: &Limits<'_>,
    ) -> Result<Coverage, Diagnostic> {
        let analyst = self.analyst;
        let mut input = FILE.open(file)?;
        // The length of the content comes from the header. It is checked before memory for the
        // content is allocated.
        limits.check(1, input.length())?;
        let content = input.rest()?;
        // `finish` compares the checksum, so nothing from a damaged file reaches the solver.
        input.finish()?;
        let head = Head::deserialize(input.head()).map_err(|_| input.damaged())?;
        // The same constructor may mean another game under other rules, so the values would be
        // wrong.
        if head.rules.as_deref() != self.rules() {
            return Err(input.refuse(&message!(
                "the table was written with a different rule file"
            )));
        }
        let content = str::from_utf8(&content).map_err(|_| input.damaged())?;
        let mut lines = content.lines();
        let theory = &mut solver.short_values().theory;
        let read = read_forms(&mut lines, &head, theory, limits);
        let forms = read.map_err(|unread| unread.into_diagnostic(&input))?;
        let read = read_values(&mut lines, &head, &forms, solver, analyst, limits);
        read.map_err(|unread| unread.into_diagnostic(&input))?;
        let possible = read_answers(&mut lines, &head, &forms, solver, analyst, limits);
        let possible = possible.map_err(|unread| unread.into_diagnostic(&input))?;
        // If lines remain, their number contradicts the header.
        if lines.next().is_some() {
            return Err(input.damaged());
        }
        Ok(Coverage {
            components: head.components,
            answers: head.answers,
            possible,
        })
    }

    /// Writes all results of a solver to the file, unless the file already contains them. Returns
    /// the path if the file was written.
    ///
    /// If another process has written the file in the meantime, its content is first merged into
    /// the solver. If the lock is not released in time, the values go to a separate file in the
    /// same folder. The same happens if merging exceeds the memory limit.
    pub(crate) fn save(
        &self,
        solver: &mut Solver,
        job: &Job,
    ) -> Result<Option<&'a Path>, Diagnostic> {
        let Some(file) = self.file else {
            return Ok(None);
        };
        let contents = Contents::of(solver);
        if contents.coverage() == self.coverage {
            return Ok(None);
        }
        // The file stays locked from the comparison of the stamps until its replacement. Otherwise
        // two processes could both find the old stamp, and the results of one would be lost.
        let Some(_lock) = files::lock(self.analyst.files(), file, job)? else {
            let locked = message!("another process holds the lock");
            self.write_separate(file, &contents, job, &locked)?;
            return Ok(None);
        };
        if FILE.stamp(file)? == self.stamp {
            self.write(file, &contents)?;
            return Ok(Some(file));
        }
        // There is nothing to merge if the file was removed in the meantime.
        if !matches!(file.try_exists(), Ok(false)) {
            // Results are saved even after a limit stopped the work. Merging may use the memory
            // limit once more, in addition to what the solver holds.
            let limits = Limits {
                memory: solver.bytes().saturating_add(job.limits().memory),
                ..Limits::none()
            };
            match self.read(file, solver, &limits) {
                Ok(_) => {}
                // The file of the other process stays unchanged. Writing only our values would lose
                // those that could not be merged.
                Err(error) if error.kind == Kind::Limit => {
                    self.write_separate(file, &Contents::of(solver), job, &error.message)?;
                    return Ok(None);
                }
                Err(error) => return Err(error),
            }
        }
        self.write(file, &Contents::of(solver))?;
        Ok(Some(file))
    }

    fn write(&self, file: &Path, contents: &Contents<'_>) -> Result<(), Diagnostic> {
        let head = Head {
            rules: self.rules().map(str::to_owned),
            forms: contents.forms.len(),
            components: contents.components.len(),
            unvalued: contents.unvalued.len(),
            answers: contents.coverage().answers,
        };
        // The header must contain the length of the content. The first pass only counts bytes,
        // which avoids a copy of the content in memory.
        let mut length = ByteCounter(0);
        let counted = contents.write(&mut length);
        counted.map_err(|error| files::failed(file, &error))?;
        files::write(self.analyst.files(), file, |out| {
            FILE.write(out, &head, length.0, |out| contents.write(out))
        })
    }

    /// Writes the content to a separate file in the same folder. Its name is that of `file` with
    /// the process id appended. Reports the name as a note.
    fn write_separate(
        &self,
        file: &Path,
        contents: &Contents<'_>,
        job: &Job,
        why: &Message,
    ) -> Result<(), Diagnostic> {
        // The process id distinguishes the files of concurrent writers.
        let mut name = file.file_name().unwrap_or_default().to_owned();
        name.push(format!(".{}", process::id()));
        let separate = file.with_file_name(name);
        self.write(&separate, contents)?;
        job.report(&Progress::Note(message!(
            "note: {file}: {why}; the new results were written to {apart}",
            file = file.display(),
            why = why.clone(),
            apart = separate.display()
        )));
        Ok(())
    }
}

/// Returns the hint that running the same command again resumes from the table. Returns `None` if
/// the same limit would stop that command again.
pub(crate) fn help(file: &Path, stop: &Stop) -> Option<Message> {
    // A memory limit would stop the same command at the same place, so the hint would mislead.
    let again = matches!(stop, Stop::Time | Stop::Positions(_) | Stop::Interrupted);
    again.then(|| {
        message!(
            "the results so far are in {file}; run the same command to resume",
            file = file.display()
        )
    })
}

/// A writer that only counts bytes.
struct ByteCounter(u64);

impl Write for ByteCounter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> Contents<'a> {
    /// Collects all results of a solver.
    fn of(solver: &'a mut Solver) -> Self {
        let answers = Answers::of(solver);
        let mut components: Vec<(String, Form)> = Vec::new();
        solver.each_form(&mut |component, value| {
            // One line holds one component, as for the components without a value.
            if !component.contains('\n') {
                components.push((component.to_owned(), value));
            }
        });
        Self::new(&solver.short_values().theory.forms, components, answers)
    }

    fn new(arena: &'a Forms, mut components: Vec<(String, Form)>, answers: Answers) -> Self {
        let Answers {
            nimbers,
            mut words,
            mut sums,
            unvalued,
        } = answers;
        // A component can appear twice: from the file, and as part of another game. Sorting also
        // makes the order independent of the order of the questions.
        components.sort_unstable();
        components.dedup();
        debug_assert!(
            components.windows(2).all(|pair| pair[0].0 != pair[1].0),
            "a text is that of one component"
        );
        let mut long = HashSet::new();
        let valued = components.iter().map(|&(_, form)| form);
        let of_words = words.iter().map(|(_, one)| one.form);
        let summed = sums.iter().flat_map(|sum| sum.forms.iter());
        // `followers` lists options before the forms that contain them. Hence one pass finds every
        // form that contains a long number, and `number` can search by bisection.
        let mut forms = arena.followers(valued.chain(of_words).chain(summed.copied()));
        forms.retain(|&form| {
            let number = arena.packed(form).map(|packed| &packed.number);
            let is_long = number.is_some_and(|number| {
                number.bytes() > MAX_NUMBER_SIZE || u64::from(number.exponent()) > MAX_NUMBER_SIZE
            });
            let options = arena.braces(form).into_iter().flatten().flatten();
            if is_long || options.into_iter().any(|option| long.contains(option)) {
                long.insert(form);
            }
            !long.contains(&form)
        });
        components.retain(|(_, form)| !long.contains(form));
        words.retain(|(_, one)| !long.contains(&one.form));
        sums.retain(|sum| !sum.forms.iter().any(|form| long.contains(form)));
        Self {
            arena,
            forms,
            components,
            unvalued,
            nimbers,
            words,
            sums,
        }
    }

    fn coverage(&self) -> Coverage {
        let possible = (self.nimbers.iter()).map(|(_, _, set, _)| u64::from(set.count_ones()));
        Coverage {
            components: self.components.len(),
            answers: self.nimbers.len() + self.words.len() + self.sums.len(),
            possible: possible.sum(),
        }
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        for &form in &self.forms {
            if let Some(packed) = self.arena.packed(form) {
                writeln!(out, "={packed}")?;
            }
            if let Some([left, right]) = self.arena.braces(form) {
                self.write_numbers(out, left)?;
                out.write_all(b"|")?;
                self.write_numbers(out, right)?;
                out.write_all(b"\n")?;
            }
        }
        for (component, form) in &self.components {
            writeln!(out, "{} {component}", self.number(*form))?;
        }
        for component in &self.unvalued {
            writeln!(out, "{component}")?;
        }
        for (name, key, set, class) in &self.nimbers {
            writeln!(out, "n {name} {key:x} {set:x} {class}")?;
        }
        for (name, one) in &self.words {
            let Sides { own, other, stride } = one.component;
            let (form, Answer { wins, class }) = (self.number(one.form), one.answer);
            let wins = u8::from(wins);
            writeln!(
                out,
                "w {name} {own:x} {other:x} {stride:x} {form} {wins} {class}"
            )?;
        }
        for sum in &self.sums {
            let (player, wins) = (sum.player.of(["L", "R"]), u8::from(sum.answer.wins));
            write!(out, "{player} {wins} {}", sum.answer.class)?;
            for &form in &sum.forms {
                write!(out, " {}", self.number(form))?;
            }
            out.write_all(b" |")?;
            for component in &sum.components {
                write!(out, " {component}")?;
            }
            out.write_all(b"\n")?;
        }
        Ok(())
    }

    fn write_numbers(&self, out: &mut impl Write, forms: &[Form]) -> io::Result<()> {
        for (place, &form) in forms.iter().enumerate() {
            let space = if place == 0 { "" } else { " " };
            write!(out, "{space}{}", self.number(form))?;
        }
        Ok(())
    }

    /// Returns the line number of a form in the file, counted from 0.
    fn number(&self, form: Form) -> usize {
        // `below` returns forms in increasing order of their ids, and `retain` keeps that order.
        self.forms.partition_point(|&before| before < form)
    }
}

impl ReadError {
    fn into_diagnostic(self, input: &Reader) -> Diagnostic {
        match self {
            Self::Damaged => input.damaged(),
            Self::Stopped(stop) => stop.into(),
        }
    }
}

fn read_forms<'l>(
    lines: &mut impl Iterator<Item = &'l str>,
    head: &Head,
    theory: &mut Canonical,
    limits: &Limits<'_>,
) -> Result<Vec<Form>, ReadError> {
    let mut read: Vec<Form> = Vec::new();
    let form_at = |read: &[Form], number: &str| {
        let place = number.parse::<usize>().ok();
        // A form may refer to earlier lines only, so no form can contain itself.
        let form = place.and_then(|place| read.get(place)).copied();
        form.ok_or(ReadError::Damaged)
    };
    for _ in 0..head.forms {
        if read.len().is_multiple_of(LINES_PER_CHECK) {
            limits.check(read.len() as u64, LINE_BYTES)?;
            limits.poll()?;
        }
        let line = lines.next().ok_or(ReadError::Damaged)?;
        let forms = &mut theory.forms;
        let form = if let Some(written) = line.strip_prefix('=') {
            let written = text::parse(written).map_err(|_| ReadError::Damaged)?;
            forms.evaluate(&written, limits)?
        } else {
            let (left, right) = line.split_once('|').ok_or(ReadError::Damaged)?;
            let options = |side: &str| -> Result<Vec<Form>, ReadError> {
                let numbers = side.split_ascii_whitespace();
                numbers.map(|number| form_at(&read, number)).collect()
            };
            // A damaged or forged list may contain dominated or reversible options, so the form is
            // reduced to canonical form again.
            forms.canonical(&options(left)?, &options(right)?, limits)?
        };
        read.push(form);
    }
    Ok(read)
}

/// Reads the components that have a value, and enters the values into a solver.
fn read_values<'l>(
    lines: &mut impl Iterator<Item = &'l str>,
    head: &Head,
    forms: &[Form],
    solver: &mut Solver,
    analyst: &Analyst,
    limits: &Limits<'_>,
) -> Result<(), ReadError> {
    for index in 0..head.components {
        if index.is_multiple_of(LINES_PER_CHECK) {
            limits.check(1, solver.bytes())?;
            limits.poll()?;
        }
        let line = lines.next().ok_or(ReadError::Damaged)?;
        let (form, text) = line.split_once(' ').ok_or(ReadError::Damaged)?;
        let form = form.parse::<usize>().ok().and_then(|form| forms.get(form));
        let form = *form.ok_or(ReadError::Damaged)?;
        // Components that this program cannot read are skipped: no question can contain them.
        if let Some(component) = parse_component(text, analyst) {
            solver.recall_form(&component, form);
        }
    }
    Ok(())
}

/// Reads the lines of the components without a stored value, then the lines of the answers of
/// searches. Enters both into a solver. Returns the number of nimbers that are still possible,
/// summed over all components that the `n` lines describe.
fn read_answers<'l>(
    lines: &mut impl Iterator<Item = &'l str>,
    head: &Head,
    forms: &[Form],
    solver: &mut Solver,
    analyst: &Analyst,
    limits: &Limits<'_>,
) -> Result<u64, ReadError> {
    let (mut unvalued, mut possible) = (Vec::new(), 0);
    for index in 0..head.unvalued {
        if index.is_multiple_of(LINES_PER_CHECK) {
            limits.check(1, solver.bytes() + index as u64 * LINE_BYTES)?;
            limits.poll()?;
        }
        let line = lines.next().ok_or(ReadError::Damaged)?;
        let component = parse_component(line, analyst);
        // Sums refer to components by index. Hence an unreadable component is stored as `None`.
        unvalued.push(component.and_then(|component| solver.enter(&component)));
    }
    for index in 0..head.answers {
        if index.is_multiple_of(LINES_PER_CHECK) {
            limits.check(1, solver.bytes())?;
            limits.poll()?;
        }
        let line = lines.next().ok_or(ReadError::Damaged)?;
        let entry = match line.split_at_checked(2) {
            Some(("n ", line)) => parse_nimber(line).ok_or(ReadError::Damaged)?,
            Some(("w ", line)) => parse_words(line, forms).ok_or(ReadError::Damaged)?,
            _ => match parse_sum(line, forms, &unvalued)? {
                Some(entry) => entry,
                // A sum with an unreadable component is skipped: no search can contain it.
                None => continue,
            },
        };
        if let Entry::Nimber { possible: set, .. } = entry {
            possible += u64::from(set.count_ones());
        }
        // The solver rejects impossible entries, such as an empty set of nimbers or overlapping
        // stones.
        if !solver.recall_answer(entry) {
            return Err(ReadError::Damaged);
        }
    }
    Ok(possible)
}

/// Parses a line of kind `n`: the nimbers that may still be the value of a packed component (a
/// component encoded in machine words).
fn parse_nimber(line: &str) -> Option<Entry<'_>> {
    let mut words = line.split(' ');
    let ruleset = words.next().filter(|name| !name.is_empty())?;
    let component = u64::from_str_radix(words.next()?, 16).ok()?;
    let possible = u64::from_str_radix(words.next()?, 16).ok()?;
    let class = words.next()?.parse().ok()?;
    words.next().is_none().then_some(Entry::Nimber {
        ruleset,
        component,
        possible,
        class,
    })
}

/// Parses a component. Returns `None` if the text is not a single component.
fn parse_component(text: &str, analyst: &Analyst) -> Option<Position> {
    // The text may also be a sum, or a position that splits into several components. Its value
    // would be stored under the key of another component.
    let position = analyst.position(&text.into()).ok()?;
    let mut components = Vec::new();
    position
        .only_term()?
        .components(&mut |component| components.push(component));
    match &components[..] {
        [component] => Some(Arc::clone(component).into()),
        _ => None,
    }
}

/// Parses a line of kind `L` or `R`: the winner of a sum. Returns `None` for a sum with an
/// unreadable component.
fn parse_sum<'l>(
    line: &str,
    forms: &[Form],
    unvalued: &[Option<u32>],
) -> Result<Option<Entry<'l>>, ReadError> {
    let parts = || {
        let (head, components) = line.split_once('|')?;
        let mut words = head.split_ascii_whitespace();
        let player = match words.next()? {
            "L" => Player::Left,
            "R" => Player::Right,
            _ => return None,
        };
        let wins = parse_bool(words.next()?)?;
        let class = words.next()?.parse().ok()?;
        let mut forms = items_at(words, forms)?;
        // The solver looks sums up by sorted lists of numbers. These numbers differ from those of
        // the process that wrote the file, so the lists are sorted again.
        forms.sort_unstable();
        let components = items_at(components.split_ascii_whitespace(), unvalued)?;
        Some((player, forms, components, Answer { wins, class }))
    };
    let (player, forms, components, answer) = parts().ok_or(ReadError::Damaged)?;
    let components = components.into_iter().collect::<Option<Vec<u32>>>();
    Ok(components.map(|mut components| {
        components.sort_unstable();
        Entry::Sum(DecidedSum {
            player,
            forms: forms.into(),
            components: components.into(),
            answer,
        })
    }))
}

/// Returns the items of `all` at the given indices, or `None` if an index is invalid.
fn items_at<'l, T: Clone>(places: impl Iterator<Item = &'l str>, all: &[T]) -> Option<Vec<T>> {
    places
        .map(|place| all.get(place.parse::<usize>().ok()?).cloned())
        .collect()
}

/// Parses a truth value, 0 or 1.
fn parse_bool(digit: &str) -> Option<bool> {
    match digit {
        "0" => Some(false),
        "1" => Some(true),
        _ => None,
    }
}

/// Parses a line of kind `w`: the winner of the sum of a canonical form and a packed component (a
/// component encoded in machine words).
fn parse_words<'l>(line: &'l str, forms: &[Form]) -> Option<Entry<'l>> {
    let mut words = line.split(' ');
    let ruleset = words.next().filter(|name| !name.is_empty())?;
    let own = u64::from_str_radix(words.next()?, 16).ok()?;
    let other = u64::from_str_radix(words.next()?, 16).ok()?;
    let stride = u8::from_str_radix(words.next()?, 16).ok()?;
    let form = *forms.get(words.next()?.parse::<usize>().ok()?)?;
    let wins = parse_bool(words.next()?)?;
    let class = words.next()?.parse().ok()?;
    let decided = DecidedWords {
        component: Sides { own, other, stride },
        form,
        answer: Answer { wins, class },
    };
    (words.next().is_none()).then_some(Entry::Words(ruleset, decided))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::ops::ControlFlow;
    use std::sync::Mutex;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Duration;

    use super::*;
    use crate::files::Files;
    use crate::question::{PositionSource, Solve, ValueQuestion};
    use grundy_core::limits::Halt;
    use grundy_core::registry::CONSTRUCTORS;
    use grundy_core::rules::{Ends, Moves};
    use grundy_wording::Language;

    /// A temporary folder, removed on drop.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let folder = format!("grundy-value-table-{name}-{}", std::process::id());
            let folder = std::env::temp_dir().join(folder);
            fs::create_dir_all(&folder).unwrap();
            Self(folder)
        }

        fn file(&self) -> PathBuf {
            self.0.join("values")
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            fs::remove_dir_all(&self.0).unwrap();
        }
    }

    fn value(game: &str, table: Option<PathBuf>) -> Result<String, Diagnostic> {
        let question = ValueQuestion {
            source: PositionSource::from(game),
            table,
            ..ValueQuestion::default()
        };
        let answer = Analyst::new(Files::Granted).answer(&question, &Job::default());
        answer.map(|answer| answer.json(Language::En))
    }

    /// The lines of a forged file, by kind.
    #[derive(Default)]
    struct Lines<'a> {
        forms: &'a [&'a str],
        components: &'a [&'a str],
        unvalued: &'a [&'a str],
        answers: &'a [&'a str],
    }

    /// Writes these lines to a file, with a valid header and checksum.
    fn forge(file: &Path, forged: &Lines<'_>) {
        let head = Head {
            rules: None,
            forms: forged.forms.len(),
            components: forged.components.len(),
            unvalued: forged.unvalued.len(),
            answers: forged.answers.len(),
        };
        let lines = [
            forged.forms,
            forged.components,
            forged.unvalued,
            forged.answers,
        ]
        .concat();
        let lines = lines.join("\n") + "\n";
        let mut bytes = Vec::new();
        let length = lines.len() as u64;
        let written = FILE.write(&mut bytes, &head, length, |out| {
            out.write_all(lines.as_bytes())
        });
        written.unwrap();
        fs::write(file, bytes).unwrap();
    }

    const GAME: &str = "domineering([\"...\", \"..#\"])";

    #[test]
    fn every_flipped_bit_and_truncation_is_rejected() {
        let folder = Folder::new("damage");
        let file = folder.file();
        let right = value(GAME, None).unwrap();
        assert_eq!(value(GAME, Some(file.clone())).as_ref(), Ok(&right));
        let good = fs::read(&file).unwrap();
        assert_eq!(value(GAME, Some(file.clone())), Ok(right));
        let refused = |bytes: &[u8]| {
            fs::write(&file, bytes).unwrap();
            let error = value(GAME, Some(file.clone())).unwrap_err();
            assert_eq!(error.help, Some((FILE.help)()));
            assert!(error.message.to_string().contains("values"), "{error}");
            // A file that cannot be read is never overwritten.
            assert_eq!(fs::read(&file).unwrap(), bytes);
        };
        // Every single-bit error and every truncation must be detected. Otherwise wrong values
        // would be used unnoticed.
        for place in 0..good.len() {
            for bit in 0..8 {
                let mut bytes = good.clone();
                bytes[place] ^= 1 << bit;
                refused(&bytes);
            }
            refused(&good[..place]);
        }
        refused(&[good.as_slice(), b"\n"].concat());
        refused(b"from,to\na,b\n");
    }

    #[test]
    fn malformed_lines_are_rejected_and_forms_made_canonical() {
        let folder = Folder::new("sense");
        let file = folder.file();
        let component = |number: u32| format!("{number} {GAME}");
        let (first, third) = (component(0), component(2));
        for (forms, components) in [
            // In order: a reference to a later line, to the line itself, and to a line that does
            // not exist, then malformed lines. The last two lines have a valid shape, but an
            // invalid number.
            (vec!["1|", "="], vec![&first[..]]),
            (vec!["0|"], vec![&first]),
            (vec!["=0", "0|7"], vec![&first]),
            (vec!["=0"], vec![&third]),
            (vec!["=0"], vec!["0"]),
            (vec!["=x"], vec![&first]),
            (vec!["0"], vec![&first]),
            (vec!["=0", "-1|"], vec![&first]),
            (vec!["=0", "=^99999999999999999999"], vec![&first]),
        ] {
            forge(
                &file,
                &Lines {
                    forms: &forms,
                    components: &components,
                    ..Lines::default()
                },
            );
            let error = value(GAME, Some(file.clone())).unwrap_err();
            assert_eq!(error.help, Some((FILE.help)()), "{forms:?} {components:?}");
        }
        // {0, 1 | } is 2 since 0 is dominated, and {2, 2 | } is 3 since lists of options are sets.
        let forms = ["=0", "=1", "0 1|", "2 2|"];
        forge(
            &file,
            &Lines {
                forms: &forms,
                components: &[&component(3)],
                ..Lines::default()
            },
        );
        let found = value(GAME, Some(file)).unwrap();
        assert!(found.contains(r#""value":"3""#), "{found}");
    }

    fn solved(
        position: &str,
        table: Option<PathBuf>,
        positions: u64,
    ) -> Result<String, Diagnostic> {
        let question = Solve {
            table,
            ..Solve::new(position)
        };
        let job = Job::new(positions, 1 << 30);
        let answer = Analyst::new(Files::Granted).answer(&question, &job)?;
        Ok(answer.json(Language::En))
    }

    #[test]
    fn a_stopped_search_resumes() {
        const BOARD: &str = "cram(board(5, 5)) + cram([\"....\", \"..#.\", \"....\"]) + nim(3)";
        let folder = Folder::new("search");
        let right = solved(BOARD, None, u64::MAX).unwrap();
        assert!(!right.contains("partial"), "{right}");
        let (mut times, mut known) = (0, Vec::new());
        // The board needs more than 250 positions. Hence the loop runs several times, each time
        // with a new solver.
        let answer = loop {
            let answer = solved(BOARD, Some(folder.file()), 250);
            times += 1;
            match answer {
                Ok(answer) if !answer.contains("partial") => break answer,
                _ => {}
            }
            let before = std::mem::replace(&mut known, fs::read(folder.file()).unwrap());
            assert_ne!(before, known, "something is learned each time");
        };
        assert!(times > 2, "{times}");
        assert_eq!(answer, right);
        // Everything is in the file now. Hence 60 positions suffice, and the file is not written
        // again.
        let complete = fs::read(folder.file()).unwrap();
        assert_eq!(solved(BOARD, Some(folder.file()), 60), Ok(right));
        assert_eq!(fs::read(folder.file()).unwrap(), complete);
        // Another question does not use these answers, but keeps them in the file.
        value(GAME, Some(folder.file())).unwrap();
        let both = fs::read(folder.file()).unwrap();
        assert!(both.len() > complete.len());
        let searched = |bytes: &[u8]| -> Vec<String> {
            let text = String::from_utf8_lossy(bytes);
            let lines = text.lines().filter(|line| line.starts_with("n cram "));
            lines.map(str::to_owned).collect()
        };
        assert_ne!(searched(&complete), [""; 0]);
        assert_eq!(searched(&both), searched(&complete));
    }

    /// Returns a job (the limits and the progress reports of a computation) that appends the notes
    /// among its reports to `notes`. Its clock advances by one second at each reading.
    fn job_with_notes(notes: &Arc<Mutex<Vec<String>>>) -> Job {
        let (seconds, notes) = (AtomicU64::new(0), Arc::clone(notes));
        let clock = move || Duration::from_secs(seconds.fetch_add(1, Ordering::Relaxed));
        Job::with_clock(u64::MAX, 1 << 30, clock).with_progress(move |progress| {
            if let Progress::Note(note) = progress {
                notes.lock().unwrap().push(note.to_string());
            }
        })
    }

    /// Checks that results go to a separate file if the file stays locked, or if merging exceeds
    /// the memory limit.
    #[test]
    fn unmergeable_results_go_to_a_separate_file() {
        let folder = Folder::new("apart");
        let (file, apart) = (
            folder.file(),
            folder.0.join(format!("values.{}", process::id())),
        );
        let analyst = Analyst::new(Files::Granted);
        let position = analyst.position(&GAME.into()).unwrap();
        let saved = |job: &Job, between: &dyn Fn()| {
            let mut solver = Solver::default();
            let limits = Limits::none();
            let table = ValueTable::open(Some(&file), &analyst, &mut solver, &limits).unwrap();
            solver.canonical_form(&position, &limits).unwrap();
            between();
            table.save(&mut solver, job).unwrap().map(Path::to_owned)
        };
        let lock = files::lock(analyst.files(), &file, &Job::default()).unwrap();
        let notes = Arc::default();
        let job = job_with_notes(&notes);
        // The clock of the job advances at each reading, so the lock times out at once without real
        // waiting.
        job.set_timeout(70.0);
        assert_eq!(saved(&job, &|| {}), None);
        assert!(!file.exists());
        let right = value(GAME, None);
        let known = fs::read(&apart).unwrap();
        assert_eq!(value(GAME, Some(apart.clone())), right);
        assert_eq!(fs::read(&apart).unwrap(), known);
        drop(lock);
        // Another process with a higher memory limit has written this file.
        fs::remove_file(&apart).unwrap();
        let large = format!("0 none({})", "1".repeat(16 << 20));
        let other = || {
            let lines = Lines {
                forms: &["=0"],
                components: &[&large],
                ..Lines::default()
            };
            forge(&file, &lines);
        };
        let small = Job::new(u64::MAX, 1);
        assert_eq!(saved(&small, &other), None);
        assert_eq!(fs::read(&apart).unwrap(), known);
        let notes = notes.lock().unwrap();
        assert_eq!(notes.len(), 2, "{notes:?}");
        assert!(notes[0].ends_with("waiting for another process that is writing this file"));
        assert!(notes[1].contains("the new results were written to"));
    }

    #[test]
    fn invalid_sets_of_possible_values_are_rejected() {
        // Missing fields, empty sets and boards, classes and nimbers out of range, an extra field,
        // an invalid key, and a number of more than 64 bits.
        let folder = Folder::new("sets");
        for line in [
            "n cram",
            "n cram 1",
            "n cram 1 1",
            "n cram 1 0 4",
            "n cram 0 1 4",
            "n cram 1 1 65",
            "n cram 1 1 4 1",
            "n cram x 1 4",
            "n  1 1 4",
            "n cram 1 8000000000000000 4",
            "n cram 8000000000000001 1 4",
            "n cram 1 10000000000000000 4",
            "cram 1 1 4",
        ] {
            forge(
                &folder.file(),
                &Lines {
                    answers: &[line],
                    ..Lines::default()
                },
            );
            let error = solved("cram(board(3, 3))", Some(folder.file()), u64::MAX).unwrap_err();
            assert_eq!(error.help, Some((FILE.help)()), "{line}");
        }
        // Answers for components that no search reaches are harmless, whether or not the game
        // exists.
        let lines = [
            "n cram 1 1 0",
            "n cram 7fffffffffffffff 2 9",
            "n none 1 1 64",
        ];
        forge(
            &folder.file(),
            &Lines {
                answers: &lines,
                ..Lines::default()
            },
        );
        let right = solved("cram(board(3, 3))", None, u64::MAX);
        assert_eq!(
            solved("cram(board(3, 3))", Some(folder.file()), u64::MAX),
            right
        );
    }

    /// Checks that a large board is solved in several runs. Each run has a new solver that knows
    /// only the file.
    #[test]
    fn a_stopped_outcome_search_resumes() {
        let folder = Folder::new("winners");
        let solve_outcome = |position: &str, table: Option<PathBuf>, job: &Job| {
            let question = Solve {
                table,
                outcome: true,
                ..Solve::new(position)
            };
            let answer = Analyst::new(Files::Granted).answer(&question, job)?;
            Ok::<_, Diagnostic>(answer.json(Language::En))
        };
        // The limits are far too small for these boards, so each board needs several runs.
        for (position, outcome, positions) in [
            (
                "clobber([\"xoxoxoxo\", \"oxoxoxox\", \"xoxoxoxo\"])",
                "P",
                3_000,
            ),
            ("domineering(board(6, 7))", "L", 4_000),
        ] {
            let right = solve_outcome(position, None, &Job::default()).unwrap();
            let expected = format!("\"outcome\":\"{outcome}\"");
            assert!(right.contains(&expected), "{right}");
            let mut times = 0;
            let answer = loop {
                times += 1;
                let job = Job::default().stopping_after(positions);
                match solve_outcome(position, Some(folder.file()), &job) {
                    Ok(answer) if answer == right => break answer,
                    _ => assert!(times < 100, "it goes on: {position}"),
                }
            };
            assert!(times > 2, "{position}: {times}");
            assert_eq!(answer, right);
            // Everything is known now, so a short search suffices.
            let job = Job::default().stopping_after(300);
            assert_eq!(
                solve_outcome(position, Some(folder.file()), &job),
                Ok(right)
            );
        }
    }

    /// Checks that the text of a component, when parsed, gives the same component. Another process
    /// that reads a table has only the text. Tests each example and the positions up to two moves
    /// later.
    #[test]
    fn components_round_trip() {
        let analyst = Analyst::new(Files::Granted);
        let mut read = 0;
        for constructor in CONSTRUCTORS {
            let Ok(position) = analyst.position(&constructor.example.into()) else {
                continue;
            };
            let mut positions = vec![position];
            for _ in 0..2 {
                let mut after = Vec::new();
                for position in &positions {
                    for player in Player::BOTH {
                        let _ = position.moves(player, &mut |_, _, to| {
                            after.push(to());
                            match after.len() {
                                100.. => ControlFlow::Break(Halt::Enough),
                                _ => ControlFlow::Continue(()),
                            }
                        });
                    }
                }
                positions.extend(after);
            }
            for term in positions.iter().flat_map(Position::terms) {
                // Searches of other games are not stored. If the base of an ordinal sum has nothing
                // on it, only the base is written, so the texts differ.
                let nature = term.nature();
                let searched = nature.moves == Moves::Partizan && nature.ends == Ends::LastMove;
                if !searched || term.name() == "ordinal_sum" {
                    continue;
                }
                term.components(&mut |term| {
                    let written = Position::from(term);
                    let text = written.to_string();
                    assert_eq!(parse_component(&text, &analyst), Some(written), "{text}");
                    read += 1;
                });
            }
        }
        assert!(read > 500, "{read}");
    }

    #[test]
    fn invalid_sums_are_rejected() {
        let folder = Folder::new("sums");
        let game = "domineering([\"...\", \"...\"])";
        let forge = |named: &[&str], sums: &[&str]| {
            let lines = Lines {
                forms: &["=0", "=1"],
                unvalued: named,
                answers: sums,
                ..Lines::default()
            };
            forge(&folder.file(), &lines);
        };
        // Each line breaks one field: the digit, the player, the class, an index of a form, an
        // index of a component, or the bar.
        for line in [
            "",
            "L 1 9",
            "L 1 | 0",
            "L 2 9 | 0",
            "M 1 9 | 0",
            "L 1 65 | 0",
            "L 1 9 2 | 0",
            "L 1 9 0 | 1",
            "L 1 9 0 | x",
            "L 1 9 0 | 0 | 0",
            "L 1 9 -1 | 0",
        ] {
            forge(&[game], &[line]);
            let error = solved(game, Some(folder.file()), u64::MAX).unwrap_err();
            assert_eq!(error.help, Some((FILE.help)()), "{line}");
        }
        // Sums that no search reaches are harmless.
        let right = solved(game, None, u64::MAX);
        let others = [
            "",
            "none(1)",
            "nim(1, 2)",
            "domineering([\".#.\"])",
            "nim(3) + nim(4)",
        ];
        for other in others {
            forge(
                &[game, other],
                &["L 1 9 1 | 1 0", "R 0 64 1 1 0 | 1 1", "L 0 0 |"],
            );
            let answer = solved(game, Some(folder.file()), u64::MAX);
            assert_eq!(answer, right, "{other}");
        }
    }

    #[test]
    fn invalid_answers_are_rejected() {
        let folder = Folder::new("answers");
        let board = "clobber([\"xoxo\", \"oxox\", \"xoxo\"])";
        // Stones of both players on one square, an empty component, strides 0 and 65, an unknown
        // form, and out-of-range fields.
        for line in [
            "w clobber",
            "w clobber 1 2 8 0 1",
            "w clobber 1 2 8 0 1 9 1",
            "w clobber 1 1 8 0 1 9",
            "w clobber 0 0 8 0 1 9",
            "w clobber 1 2 0 0 1 9",
            "w clobber 1 2 41 0 1 9",
            "w clobber 1 2 8 1 1 9",
            "w clobber 1 2 8 0 2 9",
            "w clobber 1 2 8 0 1 65",
            "w clobber 1 10000000000000000 8 0 1 9",
            "w  1 2 8 0 1 9",
        ] {
            forge(
                &folder.file(),
                &Lines {
                    forms: &["=0"],
                    answers: &[line],
                    ..Lines::default()
                },
            );
            let error = solved(board, Some(folder.file()), u64::MAX).unwrap_err();
            assert_eq!(error.help, Some((FILE.help)()), "{line}");
        }
        // Answers for components that no search reaches are harmless.
        let lines = ["w clobber 1 2 8 0 1 9", "w none 1 2 9 0 0 64"];
        forge(
            &folder.file(),
            &Lines {
                forms: &["=0"],
                answers: &lines,
                ..Lines::default()
            },
        );
        let right = solved(board, None, u64::MAX);
        assert_eq!(solved(board, Some(folder.file()), u64::MAX), right);
    }

    #[test]
    fn a_number_with_a_huge_exponent_is_omitted() {
        let mut forms = Forms::default();
        let limits = Limits::none();
        // The exponent 5,000 exceeds the bound 4,096. Hence the number is left out, and so are the
        // switch `hot` and the sum that contain it.
        let tiny = forms.of_number(grundy_core::Dyadic::from_bigint(1.into(), 5_000));
        let one = forms.of_integer(1);
        let hot = forms.canonical(&[one], &[tiny], &limits).unwrap();
        let components = vec![("a".to_owned(), hot), ("b".to_owned(), one)];
        let sums = [hot, one].map(|form| DecidedSum {
            player: Player::Right,
            forms: [form].into(),
            components: [0].into(),
            answer: Answer {
                wins: true,
                class: 9,
            },
        });
        let answers = Answers {
            sums: sums.into(),
            unvalued: vec!["nim(1)".to_owned()],
            ..Answers::default()
        };
        let contents = Contents::new(&forms, components, answers);
        assert_eq!(contents.components, [("b".to_owned(), one)]);
        let mut out = Vec::new();
        contents.write(&mut out).unwrap();
        assert_eq!(out, b"=1\n0 b\nnim(1)\nR 1 9 0 | 0\n");
    }
}
