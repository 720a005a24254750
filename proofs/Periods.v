(** * Verification of periods *)

From Coq Require Import List Bool Arith NArith Lia.
From Proofs Require Import Games Nimbers SpragueGrundy Heaps TakingAndBreaking Values Repetition.
Import ListNotations.

(** The claim about the game of a code: its values are periodic with period [p] from heap [n0] on,
    and both numbers are minimal. *)
Definition period_claim (c : code) (n0 p : nat) : Prop := least_repetition (G c) n0 p 0.

(** The largest number of heaps that a move leaves, read off the digits. *)
Definition most_of (c : code) : nat :=
  if existsb (fun d => N.testbit d 3) c then 3 else 2.

Lemma most_of_spec c : parts_at_most c (most_of c).
Proof.
  intros k j A less. unfold most_of. destruct (existsb (fun d => N.testbit d 3) c) eqn:E; [exact less |].
  destruct (Nat.eq_dec j 3) as [-> |]; [| unfold most_parts in less; lia].
  exfalso. assert (existsb (fun d => N.testbit d 3) c = true); [| congruence].
  apply existsb_exists. exists (nth k c 0%N). unfold allows in A. apply andb_true_iff in A.
  destruct A as [A _]. split; [| exact A].
  apply nth_In. destruct (le_lt_dec (length c) k) as [out |]; [| trivial].
  rewrite nth_overflow in A by trivial. discriminate.
Qed.

(** The heap up to which the periodicity must be checked. *)
Definition seen_to (c : code) (n0 p : nat) : nat :=
  let t := most_of c in t * Nat.max n0 1 + (t - 1) * p + (length c - 1).

(** The number of values needed for this check. *)
Definition code_needs (c : code) (n0 p : nat) : nat := seen_to c n0 p + p.

Definition check_code (c : code) (n0 p : nat) (l : list N) : bool :=
  check_seen l n0 p (seen_to c n0 p) 0 && check_least l n0 p 0.

Lemma values_are_first c count : values c count = first_values (G c) count.
Proof. apply values_are_right. Qed.

Theorem check_code_sound c n0 p : check_code c n0 p (values c (code_needs c n0 p)) = true -> period_claim c n0 p.
Proof.
  rewrite values_are_first. unfold check_code. intros checked. apply andb_true_iff in checked. destruct checked as [seen least].
  assert (1 <= p) as positive.
  { unfold check_least in least. rewrite !andb_true_iff, Nat.leb_le in least. tauto. }
  set (t := most_of c).
  assert (2 <= t) as two by (unfold t, most_of; destruct existsb; lia).
  assert (Nat.max n0 1 + p <= seen_to c n0 p) as far.
  { unfold seen_to. fold t. assert (1 * p <= (t - 1) * p) by (apply Nat.mul_le_mono_r; lia).
    assert (1 * Nat.max n0 1 <= t * Nat.max n0 1) by (apply Nat.mul_le_mono_r; lia). lia. }
  apply (check_least_sound _ _ _ _ (code_needs c n0 p)); [unfold code_needs; lia | exact least |].
  assert (forall n, n0 <= n -> n < seen_to c n0 p -> G c (n + p) = G c n) as shown.
  { intros n above below. rewrite <- (N.add_0_r (G c n)).
    now apply (check_seen_sound _ n0 p (seen_to c n0 p) 0 (code_needs c n0 p)). }
  intros n above. rewrite N.add_0_r.
  destruct (Nat.eq_dec n 0) as [-> | some]; [apply shown; lia |].
  apply (periods c t (Nat.max n0 1) p); [apply most_of_spec | lia | lia | | lia].
  intros m M less. apply shown; [lia | unfold seen_to; fold t; lia].
Qed.

(** ** Theorems by computation *)

Definition kayles : code := [0; 7; 7]%N.
Definition dawsons_kayles : code := [0; 0; 7]%N.
Definition treblecross : code := [0; 0; 0; 7]%N.

(** Kayles, 0.77: one or two chips are taken, and the rest may be split into two heaps. *)
Theorem kayles_has_period_12 : period_claim kayles 71 12.
Proof. apply check_code_sound. now vm_compute. Qed.

(** Dawson's Kayles, 0.07: two chips are taken, and the rest may be split into two heaps. *)
Theorem dawsons_kayles_has_period_34 : period_claim dawsons_kayles 53 34.
Proof. apply check_code_sound. now vm_compute. Qed.

(** Dawson's Chess, 0.137. *)
Theorem dawsons_chess_has_period_34 : period_claim [0; 1; 3; 7]%N 52 34.
Proof. apply check_code_sound. now vm_compute. Qed.
