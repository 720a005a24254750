//! The names to which statements assign.

use grundy_syntax::{Binary, Statement, StatementKind, Target, TargetKind};

/// Calls `visit` for each name in the target of an assignment. The parser limits the depth of the
/// target.
pub(crate) fn target_names(target: &Target, visit: &mut dyn FnMut(&str)) {
    match &target.kind {
        TargetKind::Tuple(items) => items.iter().for_each(|item| target_names(item, visit)),
        TargetKind::Name(name) => visit(name),
        TargetKind::Index(_) => {}
    }
}

/// Calls `visit` for each name to which the statements assign, in order and with repetitions. Its
/// second argument is `true` for a statement such as `x += 1`. Assignments inside inner functions
/// are not included. The parser limits the depth of the blocks.
pub(crate) fn assigned_names(statements: &[Statement], visit: &mut dyn FnMut(&str, bool)) {
    for statement in statements {
        match &statement.kind {
            StatementKind::Assign(target, _) => {
                target_names(target, &mut |name| visit(name, false));
            }
            StatementKind::Modify(target, operator, _) => {
                target_names(target, &mut |name| visit(name, *operator == Binary::Add));
            }
            StatementKind::Def(name, ..) => visit(&name.text, false),
            StatementKind::For(target, _, body) => {
                target_names(target, &mut |name| visit(name, false));
                assigned_names(body, visit);
            }
            StatementKind::If(branches, otherwise) => {
                for (_, then) in branches {
                    assigned_names(then, visit);
                }
                assigned_names(otherwise, visit);
            }
            _ => {}
        }
    }
}
