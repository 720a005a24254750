(** * The theorem of Sprague and Grundy

    R. P. Sprague, Über mathematische Kampfspiele, Tôhoku Math. J. 41 (1935), 438-444; P. M. Grundy, Mathematics and games,
    Eureka 2 (1939), 6-8. *)

From Coq Require Import List Bool Arith NArith Lia.
From Proofs Require Import Games Nimbers.
Import ListNotations.
Local Open Scope N_scope.

(** The value of a position: the mex of the values of its options. *)
Fixpoint grundy (g : game) : N := match g with Game l => mex (map grundy l) end.

Theorem grundy_is_mex g : is_mex (grundy g) (map grundy (options g)).
Proof. destruct g as [l]. apply mex_spec. Qed.

Lemma no_option_of_equal_value g o : In o (options g) -> grundy o <> grundy g.
Proof. intros there same. apply (proj1 (grundy_is_mex g)). rewrite <- same. now apply in_map. Qed.

Lemma option_of_smaller_value g k : k < grundy g -> exists o, In o (options g) /\ grundy o = k.
Proof.
  intros less. apply (proj2 (grundy_is_mex g)) in less. apply in_map_iff in less.
  destruct less as [o [same there]]. eauto.
Qed.

(** A position is P if and only if its value is 0. *)
Theorem P_iff_value_0 g : is_P g <-> grundy g = 0.
Proof.
  induction g as [g IH] using play_induction. split.
  - intros lost. destruct (N.eq_0_gt_0_cases (grundy g)) as [it | more]; [exact it |].
    destruct (option_of_smaller_value g 0 more) as [o [there value]].
    apply IH in value; [| exact there].
    assert (is_N g) as won by (apply N_iff; eauto). unfold is_N, is_P in *. congruence.
  - intros value. apply P_iff. intros o there. destruct (N_or_P o) as [won | lost]; [exact won |].
    apply IH in lost; [| exact there]. elim (no_option_of_equal_value g o there). congruence.
Qed.

(** The value of a sum is the nim-sum of the values. *)
Theorem sprague_grundy g h : grundy (g + h) = N.lxor (grundy g) (grundy h).
Proof.
  revert h. induction g as [g IHg] using play_induction.
  induction h as [h IHh] using play_induction.
  assert (forall o, In o (options (g + h)%game) ->
    (exists x, In x (options g) /\ grundy o = N.lxor (grundy x) (grundy h)) \/
    (exists y, In y (options h) /\ grundy o = N.lxor (grundy g) (grundy y))) as values.
  { intros o there. apply options_of_a_sum in there.
    destruct there as [[x [I ->]] | [y [I ->]]]; [left; exists x | right; exists y]; split; auto. }
  apply (mex_unique _ _ (map grundy (options (g + h)%game))); [apply grundy_is_mex |]. split.
  - rewrite in_map_iff. intros [o [same there]].
    destruct (values o there) as [[x [I E]] | [y [I E]]]; rewrite E in same.
    + apply (no_option_of_equal_value g x I). rewrite <- (N.lxor_0_r (grundy x)), <- (N.lxor_0_r (grundy g)).
      rewrite <- (N.lxor_nilpotent (grundy h)), <- !N.lxor_assoc. now rewrite same.
    + apply (no_option_of_equal_value h y I). rewrite <- (N.lxor_0_l (grundy y)), <- (N.lxor_0_l (grundy h)).
      rewrite <- (N.lxor_nilpotent (grundy g)), !N.lxor_assoc. now rewrite same.
  - intros k less. rewrite in_map_iff. destruct (smaller_nim_sum _ _ _ less) as [low | low].
    + destruct (option_of_smaller_value g _ low) as [x [I E]].
      exists (x + h)%game. split; [| apply options_of_a_sum; left; eauto].
      rewrite IHg, E by exact I. now rewrite N.lxor_assoc, N.lxor_nilpotent, N.lxor_0_r.
    + destruct (option_of_smaller_value h _ low) as [y [I E]].
      exists (g + y)%game. split; [| apply options_of_a_sum; right; eauto].
      rewrite IHh, E by exact I. now rewrite <- N.lxor_assoc, N.lxor_nilpotent, N.lxor_0_l.
Qed.

Corollary value_of_finite_sums games : grundy (sum_of games) = nim_sum (map grundy games).
Proof. induction games as [| g games IH]; [reflexivity |]. simpl. now rewrite sprague_grundy, IH. Qed.

(** The nim-sum of the values determines the outcome of a sum. No other consequence is used. *)
Corollary sum_is_P_iff games : is_P (sum_of games) <-> nim_sum (map grundy games) = 0.
Proof. rewrite P_iff_value_0, value_of_finite_sums. reflexivity. Qed.
