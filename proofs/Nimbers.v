(** * The mex and the nim-sum *)

From Coq Require Import List Bool Arith NArith Lia FinFun.
Import ListNotations.
Local Open Scope N_scope.

(** ** mex

    The mex of a finite set of numbers is the least number that is not in it. *)
Definition is_mex (m : N) (l : list N) : Prop :=
  ~ In m l /\ forall k, k < m -> In k l.

Lemma mex_unique m n l : is_mex m l -> is_mex n l -> m = n.
Proof.
  intros [m_out m_below] [n_out n_below].
  destruct (N.lt_trichotomy m n) as [less | [same | more]]; trivial.
  - now elim m_out; apply n_below.
  - now elim n_out; apply m_below.
Qed.

Lemma is_mex_ext m l l' : (forall k, In k l <-> In k l') -> is_mex m l -> is_mex m l'.
Proof. intros same [out below]. split; [now rewrite <- same | intros; rewrite <- same; auto]. Qed.

Definition member (k : N) (l : list N) : bool := existsb (N.eqb k) l.

Lemma member_spec k l : member k l = true <-> In k l.
Proof.
  unfold member. rewrite existsb_exists. split.
  - intros [x [there same]]. apply N.eqb_eq in same. now subst.
  - intros there. exists k. split; trivial. apply N.eqb_refl.
Qed.

(** Tests m, m + 1, ..., at most [looks] numbers. *)
Fixpoint mex_from (looks : nat) (m : N) (l : list N) : N :=
  match looks with
  | O => m
  | S rest => if member m l then mex_from rest (N.succ m) l else m
  end.

(** A list of n numbers lacks one of the first n + 1 numbers. *)
Definition mex (l : list N) : N := mex_from (length l) 0 l.

Lemma mex_from_spec looks : forall m l,
  (forall k, k < m -> In k l) ->
  let r := mex_from looks m l in
  (forall k, k < r -> In k l) /\ (r < m + N.of_nat looks -> ~ In r l).
Proof.
  induction looks as [| looks IH]; intros m l below; simpl mex_from; cbv zeta.
  - split; [exact below | lia].
  - destruct (member m l) eqn:E.
    + apply member_spec in E.
      destruct (IH (N.succ m) l) as [down out].
      { intros k less. destruct (N.eq_dec k m) as [-> | other]; [exact E | apply below; lia]. }
      split; [exact down | intros; apply out; lia].
    + split; [exact below |]. intros _ there. apply member_spec in there. congruence.
Qed.

(** A list that contains n + 1 distinct numbers is longer than n. *)
Lemma numbers_below_fit (l : list N) (n : nat) :
  (forall k, k < N.of_nat n -> In k l) -> (n <= length l)%nat.
Proof.
  intros below.
  assert (NoDup (map N.of_nat (seq 0 n))) as distinct.
  { apply Injective_map_NoDup; [intros a b; apply Nat2N.inj | apply seq_NoDup]. }
  apply NoDup_incl_length with (l' := l) in distinct.
  - now rewrite map_length, seq_length in distinct.
  - intros k there. apply in_map_iff in there. destruct there as [j [<- less]].
    apply in_seq in less. apply below. lia.
Qed.

Theorem mex_spec l : is_mex (mex l) l.
Proof.
  unfold mex. destruct (mex_from_spec (length l) 0 l) as [down out]; [intros; lia |].
  split; [| exact down].
  destruct (N.lt_ge_cases (mex_from (length l) 0 l) (N.of_nat (length l))) as [less | all].
  - apply out. lia.
  - intros there.
    assert (S (length l) <= length l)%nat as more; [| lia].
    apply numbers_below_fit. intros k less.
    destruct (N.lt_ge_cases k (mex_from (length l) 0 l)) as [low | high]; [now apply down |].
    replace k with (mex_from (length l) 0 l); [exact there | lia].
Qed.

Lemma mex_is m l : is_mex m l -> mex l = m.
Proof. intros it. exact (mex_unique _ _ _ (mex_spec l) it). Qed.

Lemma mex_ext l l' : (forall k, In k l <-> In k l') -> mex l = mex l'.
Proof. intros same. apply mex_is, (is_mex_ext _ l'); [intros; symmetry; apply same | apply mex_spec]. Qed.

(** ** Nim-sums

    [N.lxor] adds binary digits without carry: Bouton's nim-sum. *)

(** x < y if and only if at some digit x has 0 and y has 1, and all higher digits agree. *)
Lemma less_by_digit x y m :
  N.testbit x m = false -> N.testbit y m = true ->
  (forall j, m < j -> N.testbit x j = N.testbit y j) -> x < y.
Proof.
  intros zero one higher.
  assert (N.div2 (N.shiftr x m) = N.div2 (N.shiftr y m)) as same.
  { apply N.bits_inj. intros j. rewrite !N.div2_spec, !N.shiftr_spec by lia.
    apply higher. lia. }
  assert (N.shiftr x m < N.shiftr y m) as less.
  { rewrite (N.div2_odd (N.shiftr x m)), (N.div2_odd (N.shiftr y m)), same.
    rewrite <- !N.bit0_odd, !N.shiftr_spec by lia. rewrite !N.add_0_l, zero, one. simpl. lia. }
  destruct (N.lt_ge_cases x y) as [done | not]; [exact done |].
  exfalso. rewrite !N.shiftr_div_pow2 in less.
  assert (y / 2 ^ m <= x / 2 ^ m); [| lia].
  apply N.div_le_mono; [apply N.pow_nonzero; lia | exact not].
Qed.

(** The highest digit in which two numbers differ. *)
Lemma digit_of_less x y : x < y ->
  exists m, N.testbit x m = false /\ N.testbit y m = true /\
    (forall j, m < j -> N.testbit x j = N.testbit y j).
Proof.
  intros less.
  assert (N.lxor x y <> 0) as differ by (intros E; apply N.lxor_eq in E; lia).
  set (m := N.log2 (N.lxor x y)).
  assert (N.testbit (N.lxor x y) m = true) as top by (now apply N.bit_log2).
  assert (forall j, m < j -> N.testbit x j = N.testbit y j) as higher.
  { intros j more. assert (N.testbit (N.lxor x y) j = false) as none by (now apply N.bits_above_log2).
    rewrite N.lxor_spec in none. now apply xorb_eq. }
  exists m. rewrite N.lxor_spec in top.
  destruct (N.testbit x m) eqn:X, (N.testbit y m) eqn:Y; try discriminate; auto.
  exfalso. assert (y < x); [| lia]. apply (less_by_digit y x m); auto. intros; symmetry; auto.
Qed.

(** The fact behind the winning moves of Nim: every number less than a nim-sum is reached by
    decreasing one of the two numbers. *)
Theorem smaller_nim_sum k a b : k < N.lxor a b -> N.lxor k b < a \/ N.lxor a k < b.
Proof.
  intros less. destruct (digit_of_less _ _ less) as [m [zero [one higher]]].
  rewrite N.lxor_spec in one.
  destruct (N.testbit a m) eqn:A.
  - left. apply (less_by_digit _ _ m); [| exact A |].
    + rewrite N.lxor_spec, zero. destruct (N.testbit b m); [discriminate | reflexivity].
    + intros j more. rewrite N.lxor_spec, (higher j more), N.lxor_spec.
      now rewrite xorb_assoc, xorb_nilpotent, xorb_false_r.
  - right. destruct (N.testbit b m) eqn:B; [| discriminate].
    apply (less_by_digit _ _ m); [| exact B |].
    + now rewrite N.lxor_spec, zero, A.
    + intros j more. rewrite N.lxor_spec, (higher j more), N.lxor_spec.
      now rewrite <- xorb_assoc, xorb_nilpotent, xorb_false_l.
Qed.

Definition nim_sum (l : list N) : N := fold_right N.lxor 0 l.
