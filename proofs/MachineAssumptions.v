(** * The assumptions of the judge of long games

    They are Coq's primitive integers and arrays, with their specification in Coq's library. *)

From Proofs Require Import WindowJudge.

Print Assumptions accepted_windows_are_true.
