//! Values that were worked out, in a file, for the questions of another day.
//!
//! It is a checked file. Its head says which rule file was open, by its text, and how many forms and components there are. Then come
//! lines. First the forms, each after those it is made of: `=` and the text of what takes no braces, or the numbers of the
//! lines, from 0, of Left's options, a bar, and those of Right's. Then the components, each the number of its form, a
//! space, and the component as it is written. Forms share what they have in common, so the file is not longer than what is in memory.
//! Last come components of boards that fall apart, as the search for nimbers knows them: the name of the ruleset, the key, and the set
//! of the values that are still possible, bit k for k, both in hexadecimal; and who wins components of large boards with own moves beside
//! forms: the name of the ruleset, the words of the component and its stride in hexadecimal, the number of the form, 1 where the player to
//! move wins, else 0, and how dear that was. Then the components of sums of any games, as they are written, and who wins these sums: `L`
//! or `R` for who moves, 1 where that player wins, else 0, how dear it was, the numbers of the forms, a bar, and those of the components.
//! So a search that was stopped goes on where it was.
//!
//! A value from it is not worked out again: what its text does not say all of is never written, and what was changed by accident
//! does not have its checksum. Forms are made canonical again when they are read.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use grundy::message::Setting;
use grundy::rules::Sides;
use grundy::values::canonical::{Canonical, Decided};
use grundy::values::grundy::Grundy;
use grundy::values::sums::{self, Sums};
use grundy::{Diagnostic, Limits, Message, Player, Position, Solver, Stop, message};
use grundy_forms::{Form, Forms, text};
use grundy_rules::RuleFile;
use grundy_tablebase::checked::{self, Reader};
use serde::{Deserialize, Serialize};

use crate::analyst::Analyst;
use crate::files::{self, Files};

const FILE: checked::Form = checked::Form {
    noun: || message!("table of values"),
    kind: "values",
    version: 1,
    help: || {
        message!(
            "give {option} another file, or remove this one: a new one is made",
            option = Setting::typed("table")
        )
    },
};

/// About how many bytes of memory a line takes while it is read, beside its text.
const LINE: u64 = 64;

/// A number with more bytes, or halved more often, is not written, nor what is made of it: it would take long to read.
const LONGEST: u64 = 4096;

/// Lines between two looks at the limits.
const LINES: usize = 1024;

/// A file with values, or none.
#[derive(Debug)]
pub(crate) struct ValueTable<'a> {
    files: &'a Files,
    file: Option<&'a PathBuf>,
    /// The text of the rule file that is open.
    rules: Option<&'a str>,
    /// How many components it has.
    components: usize,
    /// How many components it has as the search knows them, and how many values are possible for all of them together.
    searched: (usize, u64),
    /// How often it says who wins a component beside a form, and a sum.
    decided: [usize; 2],
}

/// What the head of the file says.
#[derive(Serialize, Deserialize)]
struct Head {
    rules: Option<String>,
    forms: usize,
    components: usize,
    #[serde(default, skip_serializing_if = "none")]
    searched: usize,
    #[serde(default, skip_serializing_if = "none")]
    decided: usize,
    #[serde(default, skip_serializing_if = "none")]
    named: usize,
    #[serde(default, skip_serializing_if = "none")]
    sums: usize,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "so it is called")]
fn none(count: &usize) -> bool {
    *count == 0
}

/// The name of a ruleset, the key of a component, and the set of its possible values.
type Searched = (String, u64, u64);

/// How many there are, and how many values are possible for all of them together: less of these with the same components is more that
/// is known.
fn extent(searched: &[Searched]) -> (usize, u64) {
    let possible = searched.iter().map(|(.., set)| u64::from(set.count_ones()));
    (searched.len(), possible.sum())
}

/// What is to be written: forms, each after those it is made of, and components with their values.
struct Contents<'a> {
    known: &'a Forms,
    forms: Vec<Form>,
    components: Vec<(String, Form)>,
    searched: Vec<Searched>,
    decided: Vec<(String, Decided)>,
    /// Components by their places, and who wins their sums.
    named: &'a [Position],
    sums: Vec<(&'a sums::Question, sums::Answer)>,
}

/// Why the lines of a file are not read.
enum Unread {
    Damaged,
    Stopped(Stop),
}

impl From<Stop> for Unread {
    fn from(stop: Stop) -> Self {
        Self::Stopped(stop)
    }
}

impl<'a> ValueTable<'a> {
    /// Opens the file and has a solver know what is in it. Where there is no such file yet nothing is known.
    pub(crate) fn open(
        file: Option<&'a PathBuf>,
        analyst: &'a Analyst,
        solver: &mut Solver,
        limits: &Limits<'_>,
    ) -> Result<Self, Diagnostic> {
        let mut table = Self {
            files: analyst.files(),
            file,
            rules: analyst.reader().rules().map(RuleFile::source),
            components: 0,
            searched: (0, 0),
            decided: [0; 2],
        };
        if let Some(file) = file {
            solver.keep_sums();
            analyst.files().on_disk(file)?;
            if !matches!(file.try_exists(), Ok(false)) {
                table.read(file, analyst, solver, limits)?;
            }
        }
        Ok(table)
    }

    fn read(
        &mut self,
        file: &Path,
        analyst: &Analyst,
        solver: &mut Solver,
        limits: &Limits<'_>,
    ) -> Result<(), Diagnostic> {
        let mut input = FILE.open(file)?;
        limits.check(1, input.length())?;
        let content = input.rest()?;
        input.finish()?;
        let head = Head::deserialize(input.head()).map_err(|_| input.damaged())?;
        if head.rules.as_deref() != self.rules {
            return Err(input.refuse(&message!(
                "the rule file is not the one that the table was written with"
            )));
        }
        let content = str::from_utf8(&content).map_err(|_| input.damaged())?;
        let mut lines = content.lines();
        let theory = &mut solver.short_values().theory;
        let read = read_forms(&mut lines, &head, theory, limits);
        let forms = read.map_err(|unread| unread.told(&input))?;
        let theory = &mut solver.grundy_values().theory;
        let searched = read_searched(&mut lines, &head, theory, limits);
        self.searched = extent(&searched.map_err(|unread| unread.told(&input))?);
        let theory = &mut solver.short_values().theory;
        let decided = read_decided(&mut lines, &head, &forms, theory, limits);
        decided.map_err(|unread| unread.told(&input))?;
        let sums = read_sums(&mut lines, &head, &forms, theory, analyst, limits);
        sums.map_err(|unread| unread.told(&input))?;
        if lines.next().is_some() {
            return Err(input.damaged());
        }
        self.components = head.components;
        self.decided = [head.decided, head.sums];
        Ok(())
    }

    /// Writes the file anew with all that a solver knows by now, where that is more than the file says; the file, if that was so.
    pub(crate) fn save(&self, solver: &mut Solver) -> Result<Option<&'a Path>, Diagnostic> {
        let Some(file) = self.file else {
            return Ok(None);
        };
        let mut searched: Vec<Searched> = Vec::new();
        solver.grundy_values().each_searched(&mut |name, key, set| {
            searched.push((name.to_owned(), key, set));
        });
        searched.sort_unstable();
        let mut components: Vec<(String, Form)> = Vec::new();
        solver.each_form(&mut |component, value| {
            if !component.contains('\n') {
                components.push((component.to_owned(), value));
            }
        });
        let mut decided = Vec::new();
        let theory = &solver.short_values().theory;
        theory.each_decided(&mut |name, one| decided.push((name.to_owned(), one)));
        let (forms, sums) = (&theory.forms, &theory.sums);
        let contents = Contents::new(forms, components, searched, decided, sums);
        if contents.components.len() == self.components
            && extent(&contents.searched) == self.searched
            && [contents.decided.len(), contents.sums.len()] == self.decided
        {
            return Ok(None);
        }
        let head = Head {
            rules: self.rules.map(str::to_owned),
            forms: contents.forms.len(),
            components: contents.components.len(),
            searched: contents.searched.len(),
            decided: contents.decided.len(),
            named: contents.named.len(),
            sums: contents.sums.len(),
        };
        let mut length = Length(0);
        let counted = contents.write(&mut length);
        counted.map_err(|error| files::failed(file, &error))?;
        files::write(self.files, file, |out| {
            FILE.write(out, &head, length.0, |out| contents.write(out))
        })?;
        Ok(Some(file))
    }
}

/// What helps where the work was stopped after it left something new in a file, if that lets it go on.
pub(crate) fn help(file: &Path, stop: &Stop) -> Option<Message> {
    let again = matches!(stop, Stop::Time | Stop::Positions(_) | Stop::Interrupted);
    again.then(|| {
        message!(
            "{file} keeps what was found out: the same command goes on from there",
            file = file.display()
        )
    })
}

/// Counts what is written.
struct Length(u64);

impl Write for Length {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'a> Contents<'a> {
    fn new(
        known: &'a Forms,
        mut components: Vec<(String, Form)>,
        searched: Vec<Searched>,
        mut decided: Vec<(String, Decided)>,
        sums: &'a Sums,
    ) -> Self {
        // What was read and what is known of games inside games may be there twice; the order says nothing of what was asked first.
        components.sort_unstable();
        components.dedup();
        debug_assert!(
            components.windows(2).all(|pair| pair[0].0 != pair[1].0),
            "a text is that of one component"
        );
        let mut long = HashSet::new();
        let valued = components.iter().map(|&(_, form)| form);
        let beside = decided.iter().map(|(_, one)| one.form);
        let (named, mut sums) = (sums.components(), sums.iter().collect::<Vec<_>>());
        sums.sort_unstable();
        let summed = sums.iter().flat_map(|(question, _)| question.forms.iter());
        let mut forms = known.below(valued.chain(beside).chain(summed.copied()));
        forms.retain(|&form| {
            let number = known.packed(form).map(|packed| &packed.number);
            let is_long = number.is_some_and(|number| {
                number.bytes() > LONGEST || u64::from(number.exponent()) > LONGEST
            });
            let options = known.braces(form).into_iter().flatten().flatten();
            if is_long || options.into_iter().any(|option| long.contains(option)) {
                long.insert(form);
            }
            !long.contains(&form)
        });
        components.retain(|(_, form)| !long.contains(form));
        decided.retain(|(_, one)| !long.contains(&one.form));
        decided.sort_unstable();
        sums.retain(|(question, _)| !question.forms.iter().any(|form| long.contains(form)));
        Self {
            known,
            forms,
            components,
            searched,
            decided,
            named,
            sums,
        }
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        for &form in &self.forms {
            if let Some(packed) = self.known.packed(form) {
                writeln!(out, "={packed}")?;
            }
            if let Some([left, right]) = self.known.braces(form) {
                self.write_numbers(out, left)?;
                out.write_all(b"|")?;
                self.write_numbers(out, right)?;
                out.write_all(b"\n")?;
            }
        }
        for (component, form) in &self.components {
            writeln!(out, "{} {component}", self.number(*form))?;
        }
        for (name, key, set) in &self.searched {
            writeln!(out, "{name} {key:x} {set:x}")?;
        }
        for (name, one) in &self.decided {
            let Sides { own, other, stride } = one.component;
            let (form, wins) = (self.number(one.form), u8::from(one.wins));
            writeln!(
                out,
                "{name} {own:x} {other:x} {stride:x} {form} {wins} {}",
                one.class
            )?;
        }
        for component in self.named {
            writeln!(out, "{component}")?;
        }
        for (question, answer) in &self.sums {
            let (player, wins) = (question.player.of(["L", "R"]), u8::from(answer.wins));
            write!(out, "{player} {wins} {}", answer.class)?;
            for &form in &question.forms {
                write!(out, " {}", self.number(form))?;
            }
            out.write_all(b" |")?;
            for component in &question.components {
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

    /// The line of a form.
    fn number(&self, form: Form) -> usize {
        self.forms.partition_point(|&before| before < form)
    }
}

impl Unread {
    fn told(self, input: &Reader) -> Diagnostic {
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
) -> Result<Vec<Form>, Unread> {
    let mut read: Vec<Form> = Vec::new();
    let known = |read: &[Form], number: &str| {
        let place = number.parse::<usize>().ok();
        let form = place.and_then(|place| read.get(place)).copied();
        form.ok_or(Unread::Damaged)
    };
    for _ in 0..head.forms {
        if read.len().is_multiple_of(LINES) {
            limits.check(read.len() as u64, LINE)?;
            limits.poll()?;
        }
        let line = lines.next().ok_or(Unread::Damaged)?;
        let forms = &mut theory.forms;
        let form = if let Some(written) = line.strip_prefix('=') {
            let written = text::parse(written).map_err(|_| Unread::Damaged)?;
            forms.evaluate(&written, limits)?
        } else {
            let (left, right) = line.split_once('|').ok_or(Unread::Damaged)?;
            let options = |side: &str| -> Result<Vec<Form>, Unread> {
                let numbers = side.split_ascii_whitespace();
                numbers.map(|number| known(&read, number)).collect()
            };
            forms.canonical(&options(left)?, &options(right)?, limits)?
        };
        read.push(form);
    }
    for place in 0..head.components {
        if place.is_multiple_of(LINES) {
            limits.check(1, theory.bytes())?;
            limits.poll()?;
        }
        let line = lines.next().ok_or(Unread::Damaged)?;
        let (form, component) = line.split_once(' ').ok_or(Unread::Damaged)?;
        theory.recall(component, known(&read, form)?);
    }
    Ok(read)
}

fn read_searched<'l>(
    lines: &mut impl Iterator<Item = &'l str>,
    head: &Head,
    theory: &mut Grundy,
    limits: &Limits<'_>,
) -> Result<Vec<Searched>, Unread> {
    let mut read = Vec::new();
    for place in 0..head.searched {
        if place.is_multiple_of(LINES) {
            limits.check(1, read.len() as u64 * LINE)?;
            limits.poll()?;
        }
        let mut words = lines.next().ok_or(Unread::Damaged)?.split(' ');
        let name = words.next().filter(|name| !name.is_empty());
        let mut number = || u64::from_str_radix(words.next()?, 16).ok();
        let (Some(name), Some(key), Some(set)) = (name, number(), number()) else {
            return Err(Unread::Damaged);
        };
        if words.next().is_some() || !theory.recall(name, key, set) {
            return Err(Unread::Damaged);
        }
        read.push((name.to_owned(), key, set));
    }
    Ok(read)
}

fn read_decided<'l>(
    lines: &mut impl Iterator<Item = &'l str>,
    head: &Head,
    forms: &[Form],
    theory: &mut Canonical,
    limits: &Limits<'_>,
) -> Result<(), Unread> {
    for place in 0..head.decided {
        if place.is_multiple_of(LINES) {
            limits.check(1, theory.bytes())?;
            limits.poll()?;
        }
        let line = lines.next().ok_or(Unread::Damaged)?;
        let (name, decided) = decided_in(line, forms).ok_or(Unread::Damaged)?;
        if !theory.recall_decided(name, decided) {
            return Err(Unread::Damaged);
        }
    }
    Ok(())
}

fn read_sums<'l>(
    lines: &mut impl Iterator<Item = &'l str>,
    head: &Head,
    forms: &[Form],
    theory: &mut Canonical,
    analyst: &Analyst,
    limits: &Limits<'_>,
) -> Result<(), Unread> {
    let mut named = Vec::new();
    for place in 0..head.named {
        if place.is_multiple_of(LINES) {
            limits.check(1, theory.bytes() + place as u64 * LINE)?;
            limits.poll()?;
        }
        let line = lines.next().ok_or(Unread::Damaged)?;
        named.push(component(line, analyst).map(|component| (line, component)));
    }
    for place in 0..head.sums {
        if place.is_multiple_of(LINES) {
            limits.check(1, theory.bytes())?;
            limits.poll()?;
        }
        let line = lines.next().ok_or(Unread::Damaged)?;
        recall_sum(line, forms, &named, theory).ok_or(Unread::Damaged)?;
    }
    Ok(())
}

/// The component that is written so, in canonical form.
fn component(text: &str, analyst: &Analyst) -> Option<Position> {
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

/// Has a theory know who wins a sum, by its line.
fn recall_sum(
    line: &str,
    forms: &[Form],
    named: &[Option<(&str, Position)>],
    theory: &mut Canonical,
) -> Option<()> {
    let (beside, components) = line.split_once('|')?;
    let mut words = beside.split_ascii_whitespace();
    let player = match words.next()? {
        "L" => Player::Left,
        "R" => Player::Right,
        _ => return None,
    };
    let wins = truth(words.next()?)?;
    let class = words.next()?.parse().ok()?;
    let answer = sums::Answer { wins, class };
    let forms = at_places(words, forms)?;
    let components = at_places(components.split_ascii_whitespace(), named)?;
    // What does not read as a component is none that a search comes across.
    let Some(components) = components.into_iter().collect::<Option<Vec<_>>>() else {
        return Some(());
    };
    let recalled = theory.recall_sum(player, &forms, &components, answer);
    recalled.then_some(())
}

/// What stands at the places that are written.
fn at_places<'l, T: Clone>(places: impl Iterator<Item = &'l str>, all: &[T]) -> Option<Vec<T>> {
    places
        .map(|place| all.get(place.parse::<usize>().ok()?).cloned())
        .collect()
}

/// Whether it is so, by a digit.
fn truth(digit: &str) -> Option<bool> {
    match digit {
        "0" => Some(false),
        "1" => Some(true),
        _ => None,
    }
}

/// Who wins a component beside a form, by its line, and the name of the ruleset.
fn decided_in<'l>(line: &'l str, forms: &[Form]) -> Option<(&'l str, Decided)> {
    let mut words = line.split(' ');
    let name = words.next().filter(|name| !name.is_empty())?;
    let own = u64::from_str_radix(words.next()?, 16).ok()?;
    let other = u64::from_str_radix(words.next()?, 16).ok()?;
    let stride = u8::from_str_radix(words.next()?, 16).ok()?;
    let form = *forms.get(words.next()?.parse::<usize>().ok()?)?;
    let wins = truth(words.next()?)?;
    let class = words.next()?.parse().ok()?;
    let decided = Decided {
        component: Sides { own, other, stride },
        form,
        wins,
        class,
    };
    words.next().is_none().then_some((name, decided))
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::ops::ControlFlow;

    use super::*;
    use crate::Job;
    use crate::question::{PositionSource, Solve, ValueQuestion};
    use grundy::limits::Halt;
    use grundy::registry::CONSTRUCTORS;
    use grundy::rules::{Ends, Moves};
    use grundy_notation::Language;

    /// A folder of its own.
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

    /// A file with these lines and a checksum that fits.
    /// Lines of a file, section by section.
    #[derive(Default)]
    struct Lines<'a> {
        forms: &'a [&'a str],
        components: &'a [&'a str],
        searched: &'a [&'a str],
        decided: &'a [&'a str],
        named: &'a [&'a str],
        sums: &'a [&'a str],
    }

    fn forge(file: &Path, forged: &Lines<'_>) {
        let head = Head {
            rules: None,
            forms: forged.forms.len(),
            components: forged.components.len(),
            searched: forged.searched.len(),
            decided: forged.decided.len(),
            named: forged.named.len(),
            sums: forged.sums.len(),
        };
        let lines = [
            forged.forms,
            forged.components,
            forged.searched,
            forged.decided,
            forged.named,
            forged.sums,
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
    fn what_is_damaged_is_refused_wherever_the_damage_is() {
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
            // What cannot be read is not written over.
            assert_eq!(fs::read(&file).unwrap(), bytes);
        };
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
    fn what_makes_no_sense_is_damage_and_what_is_not_canonical_becomes_so() {
        let folder = Folder::new("sense");
        let file = folder.file();
        let component = |number: u32| format!("{number} {GAME}");
        let (first, third) = (component(0), component(2));
        for (forms, components) in [
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
        // {0, 1 | } is 2, and 2 is written in one way.
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
    fn a_search_that_was_stopped_goes_on_where_it_was() {
        const BOARD: &str = "cram(board(5, 5)) + cram([\"....\", \"..#.\", \"....\"]) + nim(3)";
        let folder = Folder::new("search");
        let right = solved(BOARD, None, u64::MAX).unwrap();
        assert!(!right.contains("partial"), "{right}");
        let (mut times, mut known) = (0, Vec::new());
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
        // All is known by now, and nothing is written again.
        let whole = fs::read(folder.file()).unwrap();
        assert_eq!(solved(BOARD, Some(folder.file()), 60), Ok(right));
        assert_eq!(fs::read(folder.file()).unwrap(), whole);
        // What a question does not need stays.
        value(GAME, Some(folder.file())).unwrap();
        let both = fs::read(folder.file()).unwrap();
        assert!(both.len() > whole.len());
        let searched = |bytes: &[u8]| -> Vec<String> {
            let text = String::from_utf8_lossy(bytes);
            let lines = text.lines().filter(|line| line.starts_with("cram "));
            lines.map(str::to_owned).collect()
        };
        assert_ne!(searched(&whole), [""; 0]);
        assert_eq!(searched(&both), searched(&whole));
    }

    #[test]
    fn sets_of_possible_values_that_make_no_sense_are_damage() {
        let folder = Folder::new("sets");
        for line in [
            "cram",
            "cram 1",
            "cram 1 0",
            "cram 0 1",
            "cram 1 1 1",
            "cram x 1",
            " 1 1",
            "cram 1 8000000000000000",
            "cram 8000000000000001 1",
            "cram 1 10000000000000000",
        ] {
            forge(
                &folder.file(),
                &Lines {
                    searched: &[line],
                    ..Lines::default()
                },
            );
            let error = solved("cram(board(3, 3))", Some(folder.file()), u64::MAX).unwrap_err();
            assert_eq!(error.help, Some((FILE.help)()), "{line}");
        }
        // What no search comes across, of games that there are or not, does no harm.
        let lines = ["cram 1 1", "cram 7fffffffffffffff 2", "none 1 1"];
        forge(
            &folder.file(),
            &Lines {
                searched: &lines,
                ..Lines::default()
            },
        );
        let right = solved("cram(board(3, 3))", None, u64::MAX);
        assert_eq!(
            solved("cram(board(3, 3))", Some(folder.file()), u64::MAX),
            right
        );
    }

    /// Who wins large boards is found bit by bit, each time by a program that knows nothing but the file.
    #[test]
    fn a_search_of_who_wins_that_was_stopped_goes_on_where_it_was() {
        let folder = Folder::new("winners");
        let asked = |position: &str, table: Option<PathBuf>, job: &Job| {
            let question = Solve {
                table,
                outcome: true,
                ..Solve::new(position)
            };
            let answer = Analyst::new(Files::Granted).answer(&question, job)?;
            Ok::<_, Diagnostic>(answer.json(Language::En))
        };
        for (position, outcome, positions) in [
            (
                "clobber([\"xoxoxoxo\", \"oxoxoxox\", \"xoxoxoxo\"])",
                "P",
                3_000,
            ),
            ("domineering(board(6, 7))", "L", 4_000),
        ] {
            let right = asked(position, None, &Job::default()).unwrap();
            let told = format!("\"outcome\":\"{outcome}\"");
            assert!(right.contains(&told), "{right}");
            let mut times = 0;
            let answer = loop {
                times += 1;
                let job = Job::default().stopping_after(positions);
                match asked(position, Some(folder.file()), &job) {
                    Ok(answer) if answer == right => break answer,
                    _ => assert!(times < 100, "it goes on: {position}"),
                }
            };
            assert!(times > 2, "{position}: {times}");
            assert_eq!(answer, right);
            // All is known by now: a look at it is enough.
            let job = Job::default().stopping_after(300);
            assert_eq!(asked(position, Some(folder.file()), &job), Ok(right));
        }
    }

    /// What a table says of components is understood by the next program: each reads as it is written, two moves deep.
    #[test]
    fn components_read_as_they_are_written() {
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
                // Searches of others leave nothing behind. A base with nothing on it is written without it.
                let nature = term.nature();
                let searched = nature.moves == Moves::Own && nature.ends == Ends::LastMove;
                if !searched || term.name() == "ordinal_sum" {
                    continue;
                }
                term.components(&mut |term| {
                    let written = Position::from(term);
                    let text = written.to_string();
                    assert_eq!(component(&text, &analyst), Some(written), "{text}");
                    read += 1;
                });
            }
        }
        assert!(read > 500, "{read}");
    }

    #[test]
    fn sums_that_make_no_sense_are_damage() {
        let folder = Folder::new("sums");
        let game = "domineering([\"...\", \"...\"])";
        let forge = |named: &[&str], sums: &[&str]| {
            let lines = Lines {
                forms: &["=0", "=1"],
                named,
                sums,
                ..Lines::default()
            };
            forge(&folder.file(), &lines);
        };
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
        // What no search comes across does no harm.
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
    fn answers_that_make_no_sense_are_damage() {
        let folder = Folder::new("answers");
        let board = "clobber([\"xoxo\", \"oxox\", \"xoxo\"])";
        for line in [
            "clobber",
            "clobber 1 2 8 0 1",
            "clobber 1 2 8 0 1 9 1",
            "clobber 1 1 8 0 1 9",
            "clobber 0 0 8 0 1 9",
            "clobber 1 2 0 0 1 9",
            "clobber 1 2 41 0 1 9",
            "clobber 1 2 8 1 1 9",
            "clobber 1 2 8 0 2 9",
            "clobber 1 2 8 0 1 65",
            "clobber 1 10000000000000000 8 0 1 9",
            " 1 2 8 0 1 9",
        ] {
            forge(
                &folder.file(),
                &Lines {
                    forms: &["=0"],
                    decided: &[line],
                    ..Lines::default()
                },
            );
            let error = solved(board, Some(folder.file()), u64::MAX).unwrap_err();
            assert_eq!(error.help, Some((FILE.help)()), "{line}");
        }
        // What no search comes across does no harm.
        let lines = ["clobber 1 2 8 0 1 9", "none 1 2 9 0 0 64"];
        forge(
            &folder.file(),
            &Lines {
                forms: &["=0"],
                decided: &lines,
                ..Lines::default()
            },
        );
        let right = solved(board, None, u64::MAX);
        assert_eq!(solved(board, Some(folder.file()), u64::MAX), right);
    }

    #[test]
    fn a_number_that_is_halved_very_often_is_left_out() {
        let mut forms = Forms::default();
        let limits = Limits::none();
        let tiny = forms.of_number(grundy::Dyadic::of_integer(1.into(), 5_000));
        let one = forms.of_integer(1);
        let hot = forms.canonical(&[one], &[tiny], &limits).unwrap();
        let components = vec![("a".to_owned(), hot), ("b".to_owned(), one)];
        let mut sums = Sums::default();
        let board = sums.enter(
            Analyst::new(Files::Granted)
                .position(&"nim(1)".into())
                .unwrap(),
        );
        for form in [hot, one] {
            let question = sums::Question {
                player: Player::Right,
                forms: [form].into(),
                components: [board].into(),
            };
            assert!(sums.keep(
                question,
                sums::Answer {
                    wins: true,
                    class: 9
                }
            ));
        }
        let contents = Contents::new(&forms, components, Vec::new(), Vec::new(), &sums);
        assert_eq!(contents.components, [("b".to_owned(), one)]);
        let mut out = Vec::new();
        contents.write(&mut out).unwrap();
        assert_eq!(out, b"=1\n0 b\nnim(1)\nR 1 9 0 | 0\n");
    }
}
