(** * Extraction of the checker

    The numbers of the proofs are extracted unchanged, while lists and pairs become those of OCaml.
    Only the judge of long games uses Coq's primitive integers and arrays, which become those of
    [uint63.ml] and [parray.ml]. It is trusted that these files satisfy Coq's specification. *)

From Coq Require Import NArith ZArith QArith.
From Coq Require Extraction ExtrOcamlBasic ExtrOCamlInt63.
From Proofs Require Import Certificates WindowJudge.

From Coq Require PArray.

Extract Constant PArray.array "'a" => "'a Parray.t".
Extract Constant PArray.make => "Parray.make".
Extract Constant PArray.get => "Parray.get".
Extract Constant PArray.set => "Parray.set".
Extract Constant PArray.copy => "Parray.copy".

Extraction Language OCaml.
Extraction "checker.ml" judge_period judge_matrix judge_quotient judge_labels judge_window needs N.add N.mul Z.opp.
