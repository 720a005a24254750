(** * Periodic sequences

    The definition of a period for any sequence of numbers, and a criterion for a period to be
    minimal. *)

From Coq Require Import List Bool Arith NArith Lia.
Import ListNotations.

Section Sequence.

Variable g : nat -> N.

(** From n0 on, the values recur p places further, increased by the saltus s; with s = 0 they are
    equal. *)
Definition repeats (n0 p : nat) (s : N) : Prop := forall n, n0 <= n -> g (n + p) = (g n + s)%N.

(** n0 is the least heap from which this p and s hold, and p is the least period with any saltus and
    from any heap. *)
Definition least_repetition (n0 p : nat) (s : N) : Prop :=
  1 <= p /\ repeats n0 p s /\
  (forall m, repeats m p s -> n0 <= m) /\
  (forall m q t, 1 <= q -> repeats m q t -> p <= q).

Lemma repeats_often n0 p s k : repeats n0 p s -> forall n, n0 <= n -> g (n + k * p) = (g n + N.of_nat k * s)%N.
Proof.
  intros again. induction k as [| k IH]; intros n above.
  - now rewrite Nat.mul_0_l, Nat.add_0_r, N.mul_0_l, N.add_0_r.
  - replace (n + S k * p) with (n + k * p + p) by lia. rewrite again, IH by lia. lia.
Qed.

(** ** On the list of the first values *)

(** The places from [from] on, [count] of them. *)
Definition part (from count : nat) (l : list N) : list N := firstn count (skipn from l).

Definition first_values (total : nat) : list N := map g (seq 0 total).

Lemma skipn_seq k : forall s m, skipn k (seq s m) = seq (s + k) (m - k).
Proof.
  induction k as [| k IH]; intros s m; [now rewrite Nat.add_0_r, Nat.sub_0_r |].
  destruct m; [reflexivity |]. simpl. rewrite IH. f_equal. lia.
Qed.

Lemma firstn_seq r : forall s m, r <= m -> firstn r (seq s m) = seq s r.
Proof.
  induction r as [| r IH]; intros s m less; [reflexivity |].
  destruct m; [lia |]. simpl. f_equal. apply IH. lia.
Qed.

Lemma part_is from count total : from + count <= total ->
  part from count (first_values total) = map g (seq from count).
Proof.
  intros less. unfold part, first_values. rewrite skipn_map, skipn_seq, firstn_map. simpl.
  now rewrite firstn_seq by lia.
Qed.

Lemma nth_first a total : a < total -> nth a (first_values total) 0%N = g a.
Proof.
  intros less. unfold first_values. rewrite (nth_indep _ 0%N (g 0)) by (rewrite map_length, seq_length; trivial).
  now rewrite map_nth, seq_nth by trivial.
Qed.

(** Returns whether the second list is the first with [up] - [down] added to each number. *)
Fixpoint shifted (up down : N) (l m : list N) : bool :=
  match l, m with
  | [], [] => true
  | x :: l', y :: m' => if N.eqb (x + up) (y + down) then shifted up down l' m' else false
  | _, _ => false
  end.

Lemma shifted_parts up down m n count total : m + count <= total -> n + count <= total ->
  shifted up down (part m count (first_values total)) (part n count (first_values total)) = true <->
  forall i, i < count -> (g (m + i) + up = g (n + i) + down)%N.
Proof.
  intros M N0. rewrite !part_is by trivial. clear. revert m n.
  induction count as [| count IH]; intros m n; simpl; [split; [intros; lia | reflexivity] |].
  destruct (N.eqb_spec (g m + up) (g n + down)) as [same | other].
  - rewrite IH. split.
    + intros rest [| i] less; [now rewrite !Nat.add_0_r |]. rewrite <- !Nat.add_succ_comm. apply rest. lia.
    + intros all i less. rewrite !Nat.add_succ_comm. apply all. lia.
  - split; [discriminate |]. intros all. elim other. specialize (all 0). rewrite !Nat.add_0_r in all. apply all. lia.
Qed.

(** The values are periodic from n0 up to [seen]. *)
Definition check_seen (l : list N) (n0 p seen : nat) (s : N) : bool :=
  shifted s 0 (part n0 (seen - n0) l) (part (n0 + p) (seen - n0) l).

Lemma check_seen_sound n0 p seen s total : seen + p <= total ->
  check_seen (first_values total) n0 p seen s = true ->
  forall n, n0 <= n -> n < seen -> g (n + p) = (g n + s)%N.
Proof.
  intros far checked n above below. unfold check_seen in checked.
  rewrite shifted_parts in checked by lia. specialize (checked (n - n0)).
  replace (n0 + (n - n0)) with n in checked by lia. replace (n0 + p + (n - n0)) with (n + p) in checked by lia.
  rewrite checked by lia. lia.
Qed.

(** No smaller number is a repetition. The value before n0 shows this for n0. For each q < p, one
    period is compared with the values q further. *)
Definition check_least (l : list N) (n0 p : nat) (s : N) : bool :=
  (1 <=? p)
  && ((n0 =? 0) || negb (N.eqb (nth (n0 - 1 + p) l 0%N) (nth (n0 - 1) l 0%N + s)))
  && forallb (fun q => negb (shifted (nth (n0 + q) l 0%N) (nth n0 l 0%N) (part n0 p l) (part (n0 + q) p l))) (seq 1 (p - 1)).

Theorem check_least_sound n0 p s total : n0 + 2 * p <= total ->
  check_least (first_values total) n0 p s = true -> repeats n0 p s -> least_repetition n0 p s.
Proof.
  intros far checked again. unfold check_least in checked.
  apply andb_true_iff in checked. destruct checked as [checked least].
  apply andb_true_iff in checked. destruct checked as [positive first].
  apply Nat.leb_le in positive. repeat split; trivial.
  - intros m other. destruct (le_lt_dec n0 m) as [done | less]; [exact done |]. exfalso.
    apply orb_true_iff in first. destruct first as [zero | first]; [apply Nat.eqb_eq in zero; lia |].
    apply negb_true_iff, N.eqb_neq in first. apply first.
    rewrite !nth_first by lia. apply other. lia.
  - intros m q t some other. destruct (le_lt_dec p q) as [done | less]; [exact done |]. exfalso.
    rewrite forallb_forall in least. specialize (least q). rewrite in_seq in least.
    rewrite !nth_first in least by lia.
    rewrite (proj2 (shifted_parts (g (n0 + q)) (g n0) n0 (n0 + q) p total ltac:(lia) ltac:(lia))) in least.
    + simpl in least. assert (false = true) by (apply least; lia). discriminate.
    + (* For large n both repetitions hold. The first carries the second one back to n0. *)
      assert (forall n, n0 <= n -> (g (n + q) = g n + t)%N) as both.
      { intros n above. assert (m * 1 <= m * p) as far_out by (apply Nat.mul_le_mono_l; lia).
        assert (g (n + q + m * p) = g (n + m * p) + t)%N as E.
        { replace (n + q + m * p) with (n + m * p + q) by lia. apply other. lia. }
        rewrite !(repeats_often n0 p s m again) in E by lia. lia. }
      intros i I. replace (n0 + q + i) with (n0 + i + q) by lia. rewrite !both by lia. lia.
Qed.

End Sequence.
