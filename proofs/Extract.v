(** * The checker, as a program

    Numbers stay what they are in the proofs, lists and pairs become those of OCaml: nothing here is replaced by something that
    is only believed to be the same. *)

From Coq Require Import NArith ZArith QArith.
From Coq Require Extraction ExtrOcamlBasic.
From Proofs Require Import Certificates.

Extraction Language OCaml.
Extraction "checker.ml" judge_period judge_matrix judge_quotient judge_labels needs N.add N.mul Z.opp.
