(** * The sparse window

    A proof of the period of a taking-and-breaking game from far fewer values than the theorem of
    Guy and Smith needs. The values are classified by a parity. The class of a break is then
    determined by the classes of its two heaps. If all but finitely many heaps are in one class,
    almost no breaks have to be examined. *)

From Coq Require Import List Bool Arith NArith Lia.
From Proofs Require Import Games Nimbers SpragueGrundy Heaps TakingAndBreaking.
Import ListNotations.

(** ** Parities *)

(** Returns whether the number of 1s among the binary digits is odd. *)
Fixpoint odd_ones (x : positive) : bool :=
  match x with
  | xH => true
  | xO x => odd_ones x
  | xI x => negb (odd_ones x)
  end.

Definition odd_digits (v : N) : bool := match v with N0 => false | Npos x => odd_ones x end.

Lemma odd_digits_double v : odd_digits (N.double v) = odd_digits v.
Proof. now destruct v. Qed.

Lemma odd_digits_succ_double v : odd_digits (N.succ_double v) = negb (odd_digits v).
Proof. now destruct v. Qed.

Lemma odd_ones_lxor x : forall y, odd_digits (Pos.lxor x y) = xorb (odd_ones x) (odd_ones y).
Proof.
  induction x as [x IH | x IH |]; intros [y | y |]; simpl;
    rewrite ?odd_digits_double, ?odd_digits_succ_double, ?IH; try (now destruct (odd_ones x), (odd_ones y));
    simpl; try (now destruct (odd_ones x)); try (now destruct (odd_ones y)); reflexivity.
Qed.

Lemma odd_digits_lxor v w : odd_digits (N.lxor v w) = xorb (odd_digits v) (odd_digits w).
Proof.
  destruct v as [| x], w as [| y]; simpl; [reflexivity | now destruct (odd_ones y) | now destruct (odd_ones x) |]. apply odd_ones_lxor.
Qed.

Lemma land_lxor v w m : N.land (N.lxor v w) m = N.lxor (N.land v m) (N.land w m).
Proof. apply N.bits_inj. intros i. rewrite N.lxor_spec, !N.land_spec, N.lxor_spec. now destruct (N.testbit v i), (N.testbit w i), (N.testbit m i). Qed.

(** ** Options *)

Section Game.

(** Moves leave at most two heaps. *)
Variable c : code.
Hypothesis octal : parts_at_most c 2.

Local Notation g := (G c).

(** Taking a whole heap, or some chips of it. *)
Definition take_reaches (n : nat) (v : N) : Prop :=
  (allows c n 0 = true /\ v = 0%N) \/ (exists k, k < n /\ allows c k 1 = true /\ v = g (n - k)).

(** Breaks in which one of the two heaps is in a given set. *)
Definition break_reaches (heaps : nat -> Prop) (n : nat) (v : N) : Prop :=
  exists k a, k + a < n /\ 1 <= a /\ allows c k 2 = true /\ heaps a /\ v = N.lxor (g a) (g (n - k - a)).

Definition anything (_ : nat) : Prop := True.

Definition reaches_from (heaps : nat -> Prop) (n : nat) (v : N) : Prop := take_reaches n v \/ break_reaches heaps n v.

Definition option_value (n : nat) (v : N) : Prop := reaches_from anything n v.

Lemma allows_in_code k j : allows c k j = true -> k < length c.
Proof.
  unfold allows. intros A. apply andb_true_iff in A. destruct A as [A _].
  destruct (le_lt_dec (length c) k) as [out | it]; [| exact it]. rewrite nth_overflow in A by exact out. discriminate.
Qed.

Lemma option_value_spec n v : option_value n v <-> exists piles, In piles (moves c n) /\ nim_sum (map g piles) = v.
Proof.
  split.
  - intros [[[A ->] | [k [K [A ->]]]] | [k [a [K [some [A [_ ->]]]]]]]; pose proof (allows_in_code _ _ A) as L.
    + exists []. split; [| reflexivity]. apply moves_spec. exists n. simpl. unfold most_parts. repeat split; auto; try lia; intros m [].
    + exists [n - k]. split; [| apply N.lxor_0_r]. apply moves_spec. exists k. simpl. unfold most_parts. repeat split; auto; lia.
    + exists [a; n - k - a]. split; [| simpl; now rewrite N.lxor_0_r]. apply moves_spec. exists k. simpl. unfold most_parts.
      repeat split; auto; lia.
  - intros [piles [there <-]]. apply moves_spec in there. destruct there as [k [K [L [J [A [T P]]]]]].
    pose proof (octal k _ A J) as two. destruct piles as [| a [| b [| ]]]; simpl in *; try lia.
    + left. left. replace k with n in A by lia. auto.
    + left. right. assert (1 <= a) by auto. exists k. split; [lia |]. split; [exact A |]. rewrite N.lxor_0_r. f_equal. lia.
    + right. assert (1 <= a /\ 1 <= b) as [] by (split; apply P; auto). exists k, a. split; [lia |]. split; [lia |]. split; [exact A |].
      split; [exact I |]. rewrite N.lxor_0_r. f_equal. f_equal. lia.
Qed.

(** The value is the mex of the values of the options. *)
Lemma value_is_mex n m : g n = m <-> ~ option_value n m /\ forall v, (v < m)%N -> option_value n v.
Proof.
  assert (forall v, In v (map (fun piles => nim_sum (map g piles)) (moves c n)) <-> option_value n v) as same.
  { intros v. rewrite option_value_spec, in_map_iff. split; intros [piles [A B]]; exists piles; auto. }
  rewrite G_rule. split.
  - intros <-. destruct (mex_spec (map (fun piles => nim_sum (map g piles)) (moves c n))) as [out below].
    split; [now rewrite <- same | intros v less; now apply same, below].
  - intros [out below]. apply mex_is. split; [now rewrite same | intros v less; now apply same, below].
Qed.

(** ** Classes

    The mask selects the relevant digits of a value. With [with_position], the parity of the heap is
    relevant too. The breaks must then take numbers of chips of one parity, by [parity]. *)
Variable mask : N.
Variable with_position : bool.
Variable parity : bool.
Hypothesis one_parity : with_position = true -> forall k, allows c k 2 = true -> Nat.odd k = parity.

(** A value v at heap n is common if its relevant digits have odd parity. With [with_position], it
    is common if that parity differs from the parity of n minus the chips of a break. Otherwise it
    is rare. *)
Definition is_common (n : nat) (v : N) : bool :=
  xorb (odd_digits (N.land v mask)) (with_position && xorb (Nat.odd n) parity).

Definition common (n : nat) : Prop := is_common n (g n) = true.

(** Parities add: a break has a common value if and only if exactly one of its heaps is common. *)
Lemma class_of_a_break n k a : k + a < n -> allows c k 2 = true ->
  is_common n (N.lxor (g a) (g (n - k - a))) = xorb (is_common a (g a)) (is_common (n - k - a) (g (n - k - a))).
Proof.
  intros less A. unfold is_common. rewrite land_lxor, odd_digits_lxor. destruct with_position eqn:P; cbn [andb].
  - pose proof (one_parity eq_refl k A) as odd.
    replace n with (a + (n - k - a) + k) at 2 by lia. rewrite !Nat.odd_add, odd.
    now destruct (odd_digits (N.land (g a) mask)), (odd_digits (N.land (g (n - k - a)) mask)), (Nat.odd a), (Nat.odd (n - k - a)), parity.
  - now rewrite !xorb_false_r.
Qed.

(** Hence only takes, and breaks with a rare heap, reach common values. *)
Theorem common_values_by_rare_heaps n v : option_value n v -> is_common n v = true ->
  reaches_from (fun a => is_common a (g a) = false) n v.
Proof.
  intros [it | [k [a [less [some [A [_ ->]]]]]]] yes; [now left | right].
  rewrite class_of_a_break in yes by trivial. destruct (is_common a (g a)) eqn:E.
  - exists k, (n - k - a). split; [lia |]. split; [lia |]. split; [exact A |].
    split; [now destruct (is_common (n - k - a) _) |]. rewrite N.lxor_comm. f_equal. f_equal. lia.
  - exists k, a. auto.
Qed.

Lemma reaches_more (H H' : nat -> Prop) n v : (forall a, a < n -> H a -> H' a) -> reaches_from H n v -> reaches_from H' n v.
Proof.
  intros more [it | [k [a [less [some [A [there E]]]]]]]; [now left | right]. exists k, a. repeat split; auto. apply more; [lia | exact there].
Qed.

Lemma reaches_option H n v : reaches_from H n v -> option_value n v.
Proof. apply reaches_more. now intros. Qed.

(** ** Values by classes

    [marked] contains values of options, among them all common ones. The value of the heap is the
    least common value that is not marked, or a smaller rare value. *)
Section OneHeap.

Variable n : nat.
Variable marked : N -> Prop.
Hypothesis marked_reached : forall v, marked v -> option_value n v.
Variable m : N.
Hypothesis m_common : is_common n m = true.
Hypothesis commons_marked : forall v, (v <= m)%N -> is_common n v = true -> option_value n v -> marked v.
Hypothesis m_not_marked : ~ marked m.

Theorem value_is_common : (forall v, (v < m)%N -> marked v) -> g n = m.
Proof.
  intros below. apply value_is_mex. split; [| auto].
  intros it. now apply m_not_marked, commons_marked.
Qed.

(** If all values of options up to w are marked, w itself is not, and all numbers below w are, then
    w is the value. *)
Theorem value_is_least w : (forall v, option_value n v -> (v <= w)%N -> marked v) -> ~ marked w -> (forall v, (v < w)%N -> marked v) -> g n = w.
Proof. intros all out below. apply value_is_mex. split; [intros it; apply out, all; [exact it | lia] | auto]. Qed.

End OneHeap.

(** ** The theorem

    r is the last rare heap and A the bound of the witnesses. For a code with last digit at index k,
    the window has max(r, A) + k heaps. *)
Variables r A n1 p : nat.

(** The moves that must be examined: takes, and breaks with a heap of at most max(r, A). *)
Definition near (a : nat) : Prop := a <= Nat.max r A.

Definition width : nat := Nat.max r A + (length c - 1).

(** A common heap such that every smaller value is that of a near option. *)
Definition good (n : nat) : Prop := common n /\ forall v, (v < g n)%N -> reaches_from near n v.

Hypothesis some_period : 1 <= p.
Hypothesis far : width + r < n1.
Hypothesis even_period : with_position = true -> Nat.odd p = false.
Hypothesis all_common : forall n, r < n -> n < n1 + p -> common n.
Hypothesis witnesses : forall n, n1 <= n -> n < n1 + p -> good n.
Hypothesis window_again : forall n, n1 - width <= n -> n < n1 -> g (n + p) = g n.

Lemma near_options_again n : n1 <= n -> (forall m, n1 - width <= m -> m < n -> g (m + p) = g m) ->
  forall v, reaches_from near (n + p) v <-> reaches_from near n v.
Proof.
  intros above again v.
  assert (forall k j, allows c k j = true -> k <= length c - 1) as short by (intros k j it; apply allows_in_code in it; lia).
  unfold width in *. split.
  - intros [[[it _] | [k [K [it ->]]]] | [k [a [less [some [it [there ->]]]]]]]; pose proof (short _ _ it).
    + lia.
    + left. right. exists k. split; [lia |]. split; [exact it |]. replace (n + p - k) with (n - k + p) by lia.
      destruct k as [| k]; [unfold allows in it; rewrite andb_false_r in it; discriminate |]. apply again; lia.
    + right. unfold near in there. exists k, a. split; [lia |]. repeat split; auto. f_equal.
      replace (n + p - k - a) with (n - k - a + p) by lia. apply again; lia.
  - intros [[[it _] | [k [K [it ->]]]] | [k [a [less [some [it [there ->]]]]]]]; pose proof (short _ _ it).
    + lia.
    + left. right. exists k. split; [lia |]. split; [exact it |]. replace (n + p - k) with (n - k + p) by lia.
      destruct k as [| k]; [unfold allows in it; rewrite andb_false_r in it; discriminate |]. symmetry. apply again; lia.
    + right. unfold near in there. exists k, a. split; [lia |]. repeat split; auto. f_equal.
      replace (n + p - k - a) with (n - k - a + p) by lia. symmetry. apply again; lia.
Qed.

Lemma class_again n v : is_common (n + p) v = is_common n v.
Proof.
  unfold is_common. destruct with_position eqn:P; [| reflexivity]. cbn [andb]. rewrite Nat.odd_add, even_period by reflexivity.
  now rewrite xorb_false_r.
Qed.

Lemma beyond n : n1 <= n -> g (n + p) = g n /\ good (n + p).
Proof.
  induction n as [n IH] using lt_wf_ind. intros above.
  assert (good n) as here.
  { destruct (lt_dec n (n1 + p)) as [low | high]; [now apply witnesses |].
    replace n with (n - p + p) by lia. apply IH; lia. }
  assert (forall m, n1 - width <= m -> m < n -> g (m + p) = g m) as again.
  { intros m low less. destruct (lt_dec m n1) as [old | new]; [now apply window_again | apply IH; lia]. }
  assert (forall m, r < m -> m < n + p -> common m) as commons.
  { intros m more less. destruct (lt_dec m (n1 + p)) as [old | new]; [now apply all_common |].
    destruct (IH (m - p)) as [_ [it _]]; [lia | lia |]. now replace (m - p + p) with m in it by lia. }
  pose proof (near_options_again n above again) as same. destruct here as [yes below].
  assert (g (n + p) = g n) as equal.
  { apply value_is_mex. split.
    - intros it. apply common_values_by_rare_heaps in it; [| now rewrite class_again].
      assert (reaches_from near n (g n)) as reached.
      { apply same. apply (reaches_more (fun a => is_common a (g a) = false)); [| exact it]. unfold near. intros a less rare.
        destruct (le_lt_dec a r); [lia |]. assert (common a) as yes' by (apply commons; lia). unfold common in yes'. congruence. }
      apply reaches_option in reached. exact (proj1 (proj1 (value_is_mex n (g n)) eq_refl) reached).
    - intros v less. apply (reaches_option near). apply same. now apply below. }
  split; [exact equal |]. split.
  - unfold common in *. now rewrite equal, class_again.
  - rewrite equal. intros v less. apply same. now apply below.
Qed.

Theorem window_for_ever n : n1 - width <= n -> g (n + p) = g n.
Proof. intros above. destruct (lt_dec n n1) as [low | high]; [now apply window_again | apply beyond; lia]. Qed.

(** No heap beyond r is rare. *)
Theorem no_more_rare_heaps n : r < n -> common n.
Proof.
  intros more. destruct (lt_dec n (n1 + p)) as [low | high]; [now apply all_common |].
  replace n with (n - p + p) by lia. apply beyond. lia.
Qed.

End Game.

(** The theorem with all its hypotheses. *)
Theorem sparse_window c mask with_position parity r A n1 p :
  parts_at_most c 2 ->
  (with_position = true -> forall k, allows c k 2 = true -> Nat.odd k = parity) ->
  1 <= p -> (with_position = true -> Nat.odd p = false) ->
  width c r A + r < n1 ->
  (forall n, r < n -> n < n1 + p -> common c mask with_position parity n) ->
  (forall n, n1 <= n -> n < n1 + p -> good c mask with_position parity r A n) ->
  (forall n, n1 - width c r A <= n -> n < n1 -> G c (n + p) = G c n) ->
  forall n, n1 - width c r A <= n -> G c (n + p) = G c n.
Proof. intros octal one_parity some even far commons witnesses again n. now apply (window_for_ever c octal mask with_position parity one_parity r A n1 p). Qed.
