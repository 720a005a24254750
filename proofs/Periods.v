(** * Periods, checked *)

From Coq Require Import List Bool Arith NArith Lia.
From Proofs Require Import Games Nimbers SpragueGrundy Heaps TakingAndBreaking Values.
Import ListNotations.

(** What is claimed of the game of a code: its values repeat with period [p] from heap [n0] on, and neither number can be smaller. *)
Definition repeats (c : code) (n0 p : nat) : Prop := forall n, n0 <= n -> G c (n + p) = G c n.

Definition period_claim (c : code) (n0 p : nat) : Prop :=
  1 <= p /\ repeats c n0 p /\
  (forall m, repeats c m p -> n0 <= m) /\
  (forall m q, 1 <= q -> repeats c m q -> p <= q).

(** In how many heaps a heap is left at most, read off the digits. *)
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

(** How far the repetition must be seen. *)
Definition seen_to (c : code) (n0 p : nat) : nat :=
  let t := most_of c in t * Nat.max n0 1 + (t - 1) * p + length c.

Fixpoint same (l m : list N) : bool :=
  match l, m with
  | [], [] => true
  | x :: l', y :: m' => N.eqb x y && same l' m'
  | _, _ => false
  end.

Lemma same_spec l : forall m, same l m = true <-> l = m.
Proof.
  induction l as [| x l IH]; intros [| y m]; simpl; try (split; easy).
  rewrite andb_true_iff, N.eqb_eq, IH. split; [intros [-> ->]; reflexivity | intros E; now injection E].
Qed.

(** The heaps from [from] on, [count] of them, on the list of all values. *)
Definition part (from count : nat) (l : list N) : list N := firstn count (skipn from l).

Definition check_period (c : code) (n0 p : nat) : bool :=
  let seen := seen_to c n0 p in
  let l := values c (seen + p) in
  (1 <=? p)
  && same (part n0 (seen - n0) l) (part (n0 + p) (seen - n0) l)
  && ((n0 =? 0) || negb (N.eqb (nth (n0 - 1) l 0%N) (nth (n0 - 1 + p) l 0%N)))
  && forallb (fun q => negb (same (part n0 p l) (part (n0 + q) p l))) (seq 1 (p - 1)).

Lemma skipn_seq k : forall s m, skipn k (seq s m) = seq (s + k) (m - k).
Proof.
  induction k as [| k IH]; intros s m; [now rewrite Nat.add_0_r, Nat.sub_0_r |].
  destruct m; [reflexivity |]. simpl. rewrite IH. f_equal. lia.
Qed.

Lemma part_is c from count total : from + count <= total ->
  part from count (values c total) = map (G c) (seq from count).
Proof.
  intros less. unfold part. rewrite values_are_right, skipn_map, skipn_seq, firstn_map. simpl.
  now rewrite firstn_seq by lia.
Qed.

Lemma same_parts c m n count total : m + count <= total -> n + count <= total ->
  same (part m count (values c total)) (part n count (values c total)) = true <->
  forall i, i < count -> G c (m + i) = G c (n + i).
Proof.
  intros M N0. rewrite same_spec, !part_is by trivial. clear. revert m n.
  induction count as [| count IH]; intros m n; simpl; [split; [intros; lia | reflexivity] |].
  split.
  - intros E. injection E as E rest. intros [| i] less; [now rewrite !Nat.add_0_r |].
    rewrite <- !Nat.add_succ_comm. apply IH; [exact rest | lia].
  - intros all. f_equal.
    + specialize (all 0). rewrite !Nat.add_0_r in all. apply all. lia.
    + apply IH. intros i less. rewrite !Nat.add_succ_comm. apply all. lia.
Qed.

Lemma repeats_often c n0 p k : repeats c n0 p -> forall n, n0 <= n -> G c (n + k * p) = G c n.
Proof.
  intros again. induction k as [| k IH]; intros n above; simpl; [now rewrite Nat.add_0_r |].
  replace (n + (p + k * p)) with (n + k * p + p) by lia. rewrite again by lia. now apply IH.
Qed.

Theorem check_period_sound c n0 p : check_period c n0 p = true -> period_claim c n0 p.
Proof.
  unfold check_period. intros checked.
  apply andb_true_iff in checked. destruct checked as [checked least].
  apply andb_true_iff in checked. destruct checked as [checked first].
  apply andb_true_iff in checked. destruct checked as [positive seen].
  apply Nat.leb_le in positive.
  set (t := most_of c) in *.
  assert (2 <= t) as two by (unfold t, most_of; destruct existsb; lia).
  assert (Nat.max n0 1 + p <= seen_to c n0 p) as far.
  { unfold seen_to. fold t. assert (1 * p <= (t - 1) * p) by (apply Nat.mul_le_mono_r; lia).
    assert (1 * Nat.max n0 1 <= t * Nat.max n0 1) by (apply Nat.mul_le_mono_r; lia). lia. }
  rewrite same_parts in seen by lia.
  assert (repeats c n0 p) as again.
  { assert (repeats c (Nat.max n0 1) p) as later.
    { unfold repeats. apply (periods c t); [apply most_of_spec | lia | lia |].
      intros n above below. specialize (seen (n - n0)).
      replace (n0 + (n - n0)) with n in seen by lia. replace (n0 + p + (n - n0)) with (n + p) in seen by lia.
      symmetry. apply seen. unfold seen_to. fold t. lia. }
    intros n above. destruct (Nat.eq_dec n 0) as [-> | some]; [| apply later; lia].
    assert (n0 = 0) as -> by lia. specialize (seen 0). rewrite !Nat.add_0_r in seen.
    symmetry. apply seen. lia. }
  repeat split; trivial.
  - intros m other. destruct (le_lt_dec n0 m) as [done | less]; [exact done |]. exfalso.
    apply orb_true_iff in first. destruct first as [zero | first]; [apply Nat.eqb_eq in zero; lia |].
    apply negb_true_iff, N.eqb_neq in first. apply first.
    rewrite values_are_right, !nth_known by lia. symmetry. apply other. lia.
  - intros m q some other. destruct (le_lt_dec p q) as [done | less]; [exact done |]. exfalso.
    rewrite forallb_forall in least. specialize (least q). rewrite in_seq in least.
    assert (same (part n0 p (values c (seen_to c n0 p + p))) (part (n0 + q) p (values c (seen_to c n0 p + p))) = true) as equal.
    { apply same_parts; try lia. intros i I.
      (* Far out both periods hold. *)
      rewrite <- (repeats_often c n0 p m again (n0 + i)) by lia.
      rewrite <- (repeats_often c n0 p m again (n0 + q + i)) by lia.
      assert (m * 1 <= m * p) as far_out by (apply Nat.mul_le_mono_l; lia).
      rewrite <- (other (n0 + i + m * p)) by lia. f_equal. lia. }
    rewrite equal in least. simpl in least. assert (false = true) by (apply least; lia). discriminate.
Qed.

(** ** Theorems by computation *)

Definition kayles : code := [0; 7; 7]%N.
Definition dawsons_kayles : code := [0; 0; 7]%N.
Definition treblecross : code := [0; 0; 0; 7]%N.

Theorem kayles_has_period_12 : period_claim kayles 71 12.
Proof. apply check_period_sound. now vm_compute. Qed.

(** Dawson's Kayles, 0.07: two chips are taken, and the rest may be left as two heaps. *)
Theorem dawsons_kayles_has_period_34 : period_claim dawsons_kayles 53 34.
Proof. apply check_period_sound. now vm_compute. Qed.

(** Dawson's Chess, 0.137. *)
Theorem dawsons_chess_has_period_34 : period_claim [0; 1; 3; 7]%N 52 34.
Proof. apply check_period_sound. now vm_compute. Qed.
