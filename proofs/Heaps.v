(** * Games of heaps

    A position is a list of heaps, and a move replaces one of them by smaller heaps. Hence it is the
    sum of its heaps, and by the theorem of Sprague and Grundy the values of single heaps determine
    the outcome. *)

From Coq Require Import List Bool Arith NArith Lia.
From Proofs Require Import Games Nimbers SpragueGrundy.
Import ListNotations.

Section Rules.

(** The rules: the lists of heaps by which a move replaces a heap. They must be smaller. *)
Variable moves : nat -> list (list nat).
Hypothesis smaller : forall n piles, In piles (moves n) -> forall m, In m piles -> m < n.

(** A heap as a game. A play from heap n has at most n moves, so the depth n + 1 suffices. *)
Fixpoint heap_of_depth (depth n : nat) : game :=
  match depth with
  | O => zero
  | S rest => Game (map (fun piles => sum_of (map (heap_of_depth rest) piles)) (moves n))
  end.

Definition heap (n : nat) : game := heap_of_depth (S n) n.

Lemma depth_enough : forall n d e, n < d -> n < e -> heap_of_depth d n = heap_of_depth e n.
Proof.
  induction n as [n IH] using lt_wf_ind. intros [| d] [| e] D E; try lia. simpl. f_equal.
  apply map_ext_in. intros piles there. f_equal. apply map_ext_in. intros m inside.
  pose proof (smaller n piles there m inside). apply IH; lia.
Qed.

Theorem options_of_a_heap n :
  options (heap n) = map (fun piles => sum_of (map heap piles)) (moves n).
Proof.
  unfold heap at 1. simpl. apply map_ext_in. intros piles there. f_equal.
  apply map_ext_in. intros m inside. pose proof (smaller n piles there m inside).
  apply depth_enough; lia.
Qed.

(** The value of a heap: the mex of the nim-sums after its moves. *)
Definition value (n : nat) : N := grundy (heap n).

Theorem value_rule n : value n = mex (map (fun piles => nim_sum (map value piles)) (moves n)).
Proof.
  unfold value at 1.
  replace (grundy (heap n)) with (mex (map grundy (options (heap n)))) by (now destruct (heap n)).
  rewrite options_of_a_heap, map_map.
  f_equal. apply map_ext. intros piles. rewrite value_of_finite_sums, map_map. reflexivity.
Qed.

(** A row of heaps is a P-position if and only if the nim-sum of its values is 0. *)
Theorem row_is_P_iff row : is_P (sum_of (map heap row)) <-> nim_sum (map value row) = 0%N.
Proof. rewrite sum_is_P_iff, map_map. reflexivity. Qed.

End Rules.
