(** * What the judge of long games rests on: Coq's primitive integers and arrays, and their specification in Coq's library *)

From Proofs Require Import WindowJudge.

Print Assumptions accepted_windows_are_true.
