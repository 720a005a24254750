(** * Subtraction games

    A move takes a number of chips from a heap, which must be in a given finite set. *)

From Coq Require Import List Bool Arith NArith Lia.
From Proofs Require Import Games Nimbers SpragueGrundy Heaps Values Repetition.
Import ListNotations.

Definition may_take (S : list nat) (n : nat) : list nat := filter (fun s => (1 <=? s) && (s <=? n)) S.

Definition subtraction_moves (S : list nat) (n : nat) : list (list nat) := map (fun s => [n - s]) (may_take S n).

Lemma may_take_spec S n s : In s (may_take S n) <-> In s S /\ 1 <= s <= n.
Proof. unfold may_take. rewrite filter_In, andb_true_iff, !Nat.leb_le. tauto. Qed.

Lemma subtraction_makes_smaller S n piles : In piles (subtraction_moves S n) -> forall m, In m piles -> m < n.
Proof.
  intros there m inside. apply in_map_iff in there. destruct there as [s [<- there]].
  apply may_take_spec in there. destruct inside as [<- | []]. lia.
Qed.

(** The value of a heap. *)
Definition subtraction_value (S : list nat) (n : nat) : N := value (subtraction_moves S) n.

Lemma subtraction_rule S n :
  subtraction_value S n = mex (map (fun s => subtraction_value S (n - s)) (may_take S n)).
Proof.
  unfold subtraction_value at 1. rewrite value_rule by apply subtraction_makes_smaller.
  f_equal. unfold subtraction_moves. rewrite map_map. apply map_ext. intros s. simpl. apply N.lxor_0_r.
Qed.

(** ** The window

    If no number that may be taken exceeds u, the last u values determine the next one. Hence if u
    consecutive values recur, so do all later ones. *)
Theorem window S u n0 p :
  (forall s, In s S -> s <= u) ->
  (forall n, n0 <= n -> n < n0 + u -> subtraction_value S (n + p) = subtraction_value S n) ->
  forall n, n0 <= n -> subtraction_value S (n + p) = subtraction_value S n.
Proof.
  intros most seen n. induction n as [n IH] using lt_wf_ind. intros above.
  destruct (lt_dec n (n0 + u)) as [low | high]; [now apply seen |].
  rewrite (subtraction_rule S (n + p)), (subtraction_rule S n). apply mex_ext. intros v. rewrite !in_map_iff.
  split; intros [s [<- there]]; apply may_take_spec in there; destruct there as [there [one _]];
    specialize (most s there); exists s; split;
    try (apply may_take_spec; split; [exact there | lia]);
    specialize (IH (n - s) ltac:(lia) ltac:(lia)); replace (n - s + p) with (n + p - s) in IH by lia; congruence.
Qed.

(** ** The computation of values, the last one first *)

Fixpoint values_back (S : list nat) (count : nat) : list N :=
  match count with
  | O => []
  | Datatypes.S n =>
    let back := values_back S n in
    quick_mex (map (fun s => nth (s - 1) back 0%N) (may_take S n)) :: back
  end.

Lemma nth_back (g : nat -> N) n d : d < n -> nth d (map g (rev (seq 0 n))) 0%N = g (n - 1 - d).
Proof.
  intros less. rewrite map_rev, rev_nth by (now rewrite map_length, seq_length).
  rewrite map_length, seq_length. change (map g (seq 0 n)) with (first_values g n). rewrite (nth_first g (n - Datatypes.S d) n) by lia. f_equal. lia.
Qed.

Lemma values_back_are_right S count : values_back S count = map (subtraction_value S) (rev (seq 0 count)).
Proof.
  induction count as [| n IH]; [reflexivity |].
  rewrite seq_S, rev_app_distr. cbn [values_back rev app map Nat.add]. rewrite IH. f_equal.
  rewrite quick_mex_is_mex, subtraction_rule. f_equal. apply map_ext_in. intros s there.
  apply may_take_spec in there. rewrite nth_back by lia. f_equal. lia.
Qed.

Definition subtraction_values (S : list nat) (count : nat) : list N := rev_append (values_back S count) [].

Lemma subtraction_values_are_right S count : subtraction_values S count = first_values (subtraction_value S) count.
Proof. unfold subtraction_values. now rewrite <- rev_alt, values_back_are_right, map_rev, rev_involutive. Qed.

(** ** The check *)

Definition largest (S : list nat) : nat := fold_right Nat.max 0 S.

Lemma largest_spec S s : In s S -> s <= largest S.
Proof. induction S as [| x S IH]; simpl; [easy |]. intros [-> | later]; [lia | specialize (IH later); lia]. Qed.

(** The number of values that suffices: those of the window and its image, and of two periods. *)
Definition subtraction_needs (S : list nat) (n0 p : nat) : nat := n0 + Nat.max (largest S) p + p.

Definition check_subtraction (S : list nat) (n0 p : nat) (l : list N) : bool :=
  check_seen l n0 p (n0 + largest S) 0 && check_least l n0 p 0.

Theorem check_subtraction_sound S n0 p :
  check_subtraction S n0 p (subtraction_values S (subtraction_needs S n0 p)) = true ->
  least_repetition (subtraction_value S) n0 p 0.
Proof.
  rewrite subtraction_values_are_right. intros checked. apply andb_true_iff in checked. destruct checked as [seen least].
  unfold subtraction_needs in *.
  apply (check_least_sound _ _ _ _ (n0 + Nat.max (largest S) p + p)); [lia | exact least |].
  intros n above. rewrite N.add_0_r. apply (window S (largest S) n0 p); [apply largest_spec | | exact above].
  intros m M less. rewrite <- (N.add_0_r (subtraction_value S m)).
  apply (check_seen_sound _ n0 p (n0 + largest S) 0 (n0 + Nat.max (largest S) p + p)); trivial. lia.
Qed.

(** Taking 1, 3 or 4: the values have period 7. *)
Example one_three_or_four : least_repetition (subtraction_value [1; 3; 4]) 0 7 0.
Proof. apply check_subtraction_sound. now vm_compute. Qed.
