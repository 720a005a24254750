(** * Machine integers and arrays

    The values of long games are computed with Coq's primitive 63-bit integers and arrays, whose
    specification in Coq's library is trusted. This chapter restates it in terms of the numbers that
    they represent. *)

From Coq Require Import Uint63 PArray List Bool Arith NArith ZArith Lia.
Import ListNotations.

(** ** Integers

    [stands i n] states that i represents the number n. *)
Definition stands (i : int) (n : nat) : Prop := to_Z i = Z.of_nat n.

(** The same for values. *)
Definition worth (i : int) (v : N) : Prop := to_Z i = Z.of_N v.

Lemma bounded i : (0 <= to_Z i < 9223372036854775808)%Z.
Proof. exact (to_Z_bounded i). Qed.

Lemma z_add i j : (to_Z i + to_Z j < 9223372036854775808)%Z -> to_Z (i + j) = (to_Z i + to_Z j)%Z.
Proof.
  intros small. rewrite add_spec. apply Z.mod_small. pose proof (bounded i). pose proof (bounded j).
  change wB with 9223372036854775808%Z. lia.
Qed.

Lemma z_sub i j : (to_Z j <= to_Z i)%Z -> to_Z (i - j) = (to_Z i - to_Z j)%Z.
Proof.
  intros less. rewrite sub_spec. apply Z.mod_small. pose proof (bounded i). pose proof (bounded j).
  change wB with 9223372036854775808%Z. lia.
Qed.

Lemma stands_sub i j m n : stands i m -> stands j n -> n <= m -> stands (i - j) (m - n).
Proof. unfold stands. intros I J less. rewrite z_sub; lia. Qed.

Lemma stands_succ i n : stands i n -> (Z.of_nat n < 1152921504606846976)%Z -> stands (i + 1) (S n).
Proof. unfold stands. intros I less. rewrite z_add; change (to_Z 1) with 1%Z; lia. Qed.

Lemma stands_same i j n : stands i n -> stands j n -> i = j.
Proof. unfold stands. intros I J. apply to_Z_inj. congruence. Qed.

Lemma stands_its_number i : stands i (Z.to_nat (to_Z i)).
Proof. unfold stands. pose proof (bounded i). lia. Qed.

Lemma worth_its_number i : worth i (Z.to_N (to_Z i)).
Proof. unfold worth. pose proof (bounded i). lia. Qed.

Lemma stands_ltb i j m n : stands i m -> stands j n -> (i <? j)%uint63 = (m <? n).
Proof. unfold stands. intros I J. destruct (ltbP i j), (Nat.ltb_spec m n); trivial; lia. Qed.

Lemma stands_leb i j m n : stands i m -> stands j n -> (i <=? j)%uint63 = (m <=? n).
Proof. unfold stands. intros I J. destruct (lebP i j), (Nat.leb_spec m n); trivial; lia. Qed.

Lemma stands_eqb i j m n : stands i m -> stands j n -> (i =? j)%uint63 = (m =? n).
Proof. unfold stands. intros I J. destruct (eqbP i j), (Nat.eqb_spec m n); trivial; lia. Qed.

Lemma worth_lxor i j v w : worth i v -> worth j w -> worth (i lxor j) (N.lxor v w).
Proof.
  unfold worth. intros I J. rewrite lxor_spec', I, J. destruct v as [| x], w as [| y]; try reflexivity.
Qed.

Lemma worth_same i j v : worth i v -> worth j v -> i = j.
Proof. unfold worth. intros I J. apply to_Z_inj. congruence. Qed.

Lemma worth_succ i v : worth i v -> (v < 65536)%N -> worth (i + 1)%uint63 (N.succ v).
Proof. unfold worth. intros W less. rewrite z_add; change (to_Z 1%uint63) with 1%Z; lia. Qed.

Lemma odd_is i n : stands i n -> negb (is_even i) = Nat.odd n.
Proof.
  unfold stands. intros I. pose proof (is_even_spec i) as spec. rewrite I in spec. unfold Nat.odd. f_equal.
  apply eq_true_iff_eq. rewrite Nat.even_spec. split.
  - intros E. rewrite E in spec. exists (Z.to_nat (Z.of_nat n / 2)). Z.div_mod_to_equations. lia.
  - intros [m ->]. destruct (is_even i); [reflexivity |]. Z.div_mod_to_equations. lia.
Qed.

(** A natural number as an integer, if it is small enough. *)
Definition int_of (n : nat) : int := of_Z (Z.of_nat n).

Lemma int_of_spec n : (Z.of_nat n < 9223372036854775808)%Z -> stands (int_of n) n.
Proof. intros small. unfold stands, int_of. rewrite of_Z_spec. apply Z.mod_small. change wB with 9223372036854775808%Z. lia. Qed.

(** ** A ring buffer: heaps whose distance is a multiple of its length share an index *)

Definition ring_size : nat := 1024 * 1024.
Definition ring_length : int := 1048576.
Definition ring_last : int := 1048575.

Lemma ring_size_is : Z.of_nat ring_size = 1048576%Z.
Proof. unfold ring_size. rewrite Nat2Z.inj_mul. reflexivity. Qed.

Global Opaque ring_size.

Definition place (i : int) : int := i land ring_last.

Lemma place_is i n : stands i n -> to_Z (place i) = (Z.of_nat n mod 1048576)%Z.
Proof.
  intros I. unfold place. rewrite land_spec', I. change (to_Z ring_last) with (Z.ones 20).
  rewrite Z.land_ones by lia. reflexivity.
Qed.

Lemma place_in_ring i n : stands i n -> (place i <? ring_length)%uint63 = true.
Proof.
  intros I. apply ltb_spec. rewrite (place_is i n I). change (to_Z ring_length) with 1048576%Z. apply Z.mod_pos_bound. lia.
Qed.

Lemma other_place i j m n : stands i m -> stands j n -> m < n -> n < m + ring_size -> place i <> place j.
Proof.
  intros I J less near same. apply (f_equal to_Z) in same. rewrite (place_is i m I), (place_is j n J) in same.
  pose proof ring_size_is. pose proof (Z.div_mod (Z.of_nat m) 1048576). pose proof (Z.div_mod (Z.of_nat n) 1048576).
  assert (Z.of_nat n / 1048576 = Z.of_nat m / 1048576 \/ Z.of_nat n / 1048576 >= Z.of_nat m / 1048576 + 1 \/ Z.of_nat n / 1048576 <= Z.of_nat m / 1048576 - 1)%Z by lia.
  lia.
Qed.

(** ** Marks

    A set of numbers below 2^16 is an array in which the members have the current stamp.
    Incrementing the stamp empties the set. *)
Definition values_bound : int := 65536.

Definition marks (stamp : int) (seen : array int) (P : N -> Prop) : Prop :=
  PArray.length seen = values_bound /\
  (forall i, (to_Z seen.[i] <= to_Z stamp)%Z) /\
  forall i v, worth i v -> (v < 65536)%N -> (seen.[i] =? stamp)%uint63 = true <-> P v.

Lemma get_set (t : array int) i j (a : int) : t.[j <- a].[i] = a \/ t.[j <- a].[i] = t.[i].
Proof.
  destruct (eqbP i j) as [same | other].
  - assert (i = j) as -> by (now apply to_Z_inj). destruct (j <? PArray.length t)%uint63 eqn:E.
    + left. now apply get_set_same.
    + right. rewrite !get_out_of_bounds by (rewrite ?PArray.length_set; exact E). apply default_set.
  - right. apply get_set_other. intros E. apply other. now rewrite E.
Qed.

(** Older stamps mark nothing. *)
Lemma nothing_marked stamp (seen : array int) : PArray.length seen = values_bound ->
  (forall i, (to_Z seen.[i] < to_Z stamp)%Z) -> marks stamp seen (fun _ => False).
Proof.
  intros L old. split; [exact L |]. split; [intros i; pose proof (old i); lia |]. intros i v _ _. split; [| easy].
  intros E. apply Uint63.eqb_correct in E. pose proof (old i). rewrite E in *. lia.
Qed.

Lemma marks_same stamp seen P P' : (forall v, P v <-> P' v) -> marks stamp seen P -> marks stamp seen P'.
Proof. intros same [L [O M]]. split; [exact L |]. split; [exact O |]. intros i v W less. rewrite (M i v W less). apply same. Qed.

Lemma mark_one stamp seen P j w : worth j w -> marks stamp seen P -> marks stamp (seen.[j <- stamp]) (fun v => P v \/ v = w).
Proof.
  intros J [L [O M]]. split; [now rewrite PArray.length_set |]. split.
  { intros i. destruct (get_set seen i j stamp) as [-> | ->]; [lia | apply O]. }
  intros i v W less. destruct (eqbP i j) as [same | other].
  - assert (i = j) as -> by (now apply to_Z_inj). rewrite get_set_same.
    + rewrite Uint63.eqb_refl. split; [intros _; right | reflexivity]. unfold worth in *. lia.
    + rewrite L. apply ltb_spec. unfold worth in W. rewrite W. change (to_Z values_bound) with 65536%Z. lia.
  - rewrite get_set_other by (intros E; apply other; now rewrite E). rewrite (M i v W less).
    split; [now left |]. intros [it | ->]; [exact it |]. unfold worth in *. congruence.
Qed.

Lemma mark_all {A} stamp (f : array int -> A -> array int) (Q : A -> N -> Prop) l :
  (forall seen P a, In a l -> marks stamp seen P -> marks stamp (f seen a) (fun v => P v \/ Q a v)) ->
  forall seen P, marks stamp seen P -> marks stamp (fold_left f l seen) (fun v => P v \/ exists a, In a l /\ Q a v).
Proof.
  induction l as [| a l IH]; intros step seen P M; simpl.
  - apply (marks_same _ _ P); [| exact M]. intros v. split; [now left | intros [it | [x [[] _]]]; exact it].
  - assert (marks stamp (f seen a) (fun v => P v \/ Q a v)) as one by (apply step; [now left | exact M]).
    apply (IH (fun s P x I => step s P x (or_intror I))) in one.
    eapply marks_same; [| exact one]. intros v. cbv beta. split.
    + intros [[it | it] | [x [I it]]]; [now left | right; exists a; auto | right; exists x; auto].
    + intros [it | [x [[<- | I] it]]]; [auto | auto | right; exists x; auto].
Qed.
