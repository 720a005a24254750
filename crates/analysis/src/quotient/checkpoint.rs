//! Checkpoints of quotients. A checkpoint is a file with a checksum. It contains the multiplication
//! table and the elements of the heaps that have been examined. When it is read, the content is
//! verified again.

use std::io::Write as _;
use std::path::Path;

use grundy_core::message::Setting;
use grundy_core::{Diagnostic, message};
use grundy_misere::quotient::{Monoid, Search};
use grundy_tablebase::checked::Form;
use serde::{Deserialize, Serialize};

use super::source::Pieces;
use crate::analyst::Analyst;
use crate::files;
use crate::job::Job;

const FORM: Form = Form {
    noun: || message!("checkpoint"),
    kind: "quotient checkpoint",
    version: 1,
    help: || {
        message!(
            "omit {option} to start over",
            option = Setting::command_line("resume")
        )
    },
};

#[derive(Serialize, Deserialize)]
struct Head {
    family: String,
    order: u64,
    stable: u32,
    p: Vec<usize>,
    elements: Vec<u32>,
}

pub(super) fn write(
    family: &str,
    analyst: &Analyst,
    file: &Path,
    search: &Search<Pieces>,
) -> Result<(), Diagnostic> {
    let monoid = search.monoid();
    let order = monoid.order();
    let head = Head {
        family: family.to_owned(),
        order: order as u64,
        stable: search.stable(),
        p: monoid.p_portion().ones().collect(),
        elements: search.elements(),
    };
    files::write(analyst.files(), file, |out| {
        FORM.write(out, &head, 4 * (order * order) as u64, |out| {
            let mut products = (0..order as u32).flat_map(|x| monoid.row(x));
            products.try_for_each(|product| out.write_all(&product.to_le_bytes()))
        })
    })
}

pub(super) fn read(
    family: &str,
    analyst: &Analyst,
    file: &Path,
    search: &mut Search<Pieces>,
    job: &Job,
) -> Result<(), Diagnostic> {
    analyst.files().on_disk(file)?;
    let mut input = FORM.open(file)?;
    let (head, bytes) = (Head::deserialize(input.head()), input.rest()?);
    input.finish()?;
    let head = head.map_err(|_| input.damaged())?;
    if head.family != family {
        let what = message!(
            "the checkpoint belongs to {family}, not to {source}",
            family = head.family,
            source = family
        );
        return Err(input.refuse(&what));
    }
    // The checksum detects accidents, but not forgery. An index out of range would cause a panic
    // below.
    let words = bytes.chunks_exact(4);
    let products: Vec<u32> = words
        .map(|word| u32::from_le_bytes([word[0], word[1], word[2], word[3]]))
        .collect();
    let order = head.order as usize;
    let exist = |list: &[u32]| list.iter().all(|&x| u64::from(x) < head.order);
    // The order is read from the file, so its square may overflow.
    let sound = order.checked_mul(order) == Some(products.len())
        && order > 0
        && exist(&products)
        && exist(&head.elements)
        && head.p.iter().all(|&x| x < order);
    if !sound {
        return Err(input.damaged());
    }
    let monoid = Monoid::new(order, products, head.p.into_iter().collect());
    let limits = job.long_limits();
    // `resume` proves that the table is the quotient of the pieces that have been examined. If it
    // is not, `resume` returns `false`.
    if !search.resume(monoid, head.elements, head.stable, &limits)? {
        return Err(input.damaged());
    }
    Ok(())
}
