(** * All-but games

    Any number may be taken from a heap, except those of a finite list. The values are unbounded,
    and they are periodic with a saltus. *)

From Coq Require Import List Bool Arith NArith Lia.
From Proofs Require Import Games Nimbers SpragueGrundy Heaps Values Repetition Subtraction.
Import ListNotations.

Definition excluded (E : list nat) (s : nat) : bool := existsb (Nat.eqb s) E.

Lemma excluded_spec E s : excluded E s = true <-> In s E.
Proof.
  unfold excluded. rewrite existsb_exists. split.
  - intros [x [there same]]. apply Nat.eqb_eq in same. now subst.
  - intros there. exists s. split; [exact there | apply Nat.eqb_refl].
Qed.

Definition all_but_moves (E : list nat) (n : nat) : list (list nat) :=
  map (fun s => [n - s]) (filter (fun s => negb (excluded E s)) (seq 1 n)).

Lemma all_but_makes_smaller E n piles : In piles (all_but_moves E n) -> forall m, In m piles -> m < n.
Proof.
  intros there m inside. apply in_map_iff in there. destruct there as [s [<- there]].
  apply filter_In in there. destruct there as [there _]. apply in_seq in there. destruct inside as [<- | []]. lia.
Qed.

Definition all_but_value (E : list nat) (n : nat) : N := value (all_but_moves E) n.

(** ** Sets as numbers

    A number v is in the set if and only if bit v is 1. Hence the lowest bit 0 is the mex. *)

Fixpoint ones_at_the_end (p : positive) : N :=
  match p with
  | xI q => N.succ (ones_at_the_end q)
  | xO _ => 0
  | xH => 1
  end.

Definition first_zero (n : N) : N := match n with N0 => 0 | Npos p => ones_at_the_end p end.

Lemma first_zero_spec n :
  N.testbit n (first_zero n) = false /\ forall k, (k < first_zero n)%N -> N.testbit n k = true.
Proof.
  destruct n as [| p]; [split; [reflexivity | cbn; lia] |]. cbn [first_zero].
  induction p as [p IH | p _ |]; cbn [ones_at_the_end].
  - change (Npos p~1) with (2 * Npos p + 1)%N. destruct IH as [zero ones]. split.
    + now rewrite N.testbit_odd_succ by lia.
    + intros k less. destruct (N.eq_0_gt_0_cases k) as [-> | more]; [apply N.testbit_odd_0 |].
      rewrite <- (N.succ_pred k) by lia. rewrite N.testbit_odd_succ by lia. apply ones. lia.
  - split; [reflexivity | intros; lia].
  - split; [reflexivity |]. intros k less. now replace k with 0%N by lia.
Qed.

Section Game.

Variable E : list nat.

(** No excluded number exceeds u. *)
Variable u : nat.
Hypothesis most : forall s, In s E -> s <= u.

Let g := all_but_value E.

(** A move from heap n reaches the value v. *)
Definition reaches (n : nat) (v : N) : Prop := exists m, m < n /\ ~ In (n - m) E /\ g m = v.

(** The value is the least number that is not reached. *)
Lemma value_is_least n : ~ reaches n (g n) /\ forall v, (v < g n)%N -> reaches n v.
Proof.
  assert (forall v, reaches n v <-> In v (map (fun piles => nim_sum (map g piles)) (all_but_moves E n))) as same.
  { intros v. rewrite in_map_iff. unfold all_but_moves. split.
    - intros [m [less [free <-]]]. exists [m]. split; [apply N.lxor_0_r |]. apply in_map_iff.
      exists (n - m). split; [f_equal; lia |]. apply filter_In. split; [apply in_seq; lia |].
      apply negb_true_iff. destruct (excluded E (n - m)) eqn:X; [| reflexivity]. now apply excluded_spec in X.
    - intros [piles [<- there]]. apply in_map_iff in there. destruct there as [s [<- there]].
      apply filter_In in there. destruct there as [there free]. apply in_seq in there.
      exists (n - s). split; [lia |]. split; [| symmetry; apply N.lxor_0_r].
      replace (n - (n - s)) with s by lia. intros X. apply excluded_spec in X. now rewrite X in free. }
  assert (g n = mex (map (fun piles => nim_sum (map g piles)) (all_but_moves E n))) as rule.
  { apply value_rule, all_but_makes_smaller. }
  pose proof (mex_spec (map (fun piles => nim_sum (map g piles)) (all_but_moves E n))) as [out below].
  rewrite <- rule in out, below. split; [now rewrite same | intros v less; apply same; auto].
Qed.

(** ** The number of values used *)

(** M n exceeds the largest value of the heaps below n by one. These values are 0, ..., M n - 1, by
    [below_M] and [used]. *)
Fixpoint M (n : nat) : N := match n with O => 0 | S m => N.max (M m) (N.succ (g m)) end.

Lemma below_M n : forall m, m < n -> (g m < M n)%N.
Proof. induction n as [| n IH]; intros m less; simpl; [lia |]. destruct (Nat.eq_dec m n) as [-> |]; [lia |]. specialize (IH m). lia. Qed.

Lemma used n : forall v, (v < M n)%N -> exists m, m < n /\ g m = v.
Proof.
  induction n as [| n IH]; intros v less; simpl in less; [lia |].
  destruct (N.lt_ge_cases v (M n)) as [low | high]; [destruct (IH v low) as [m [? <-]]; exists m; split; auto; lia |].
  destruct (N.eq_dec v (g n)) as [-> | other]; [exists n; split; [lia | reflexivity] |].
  destruct (proj2 (value_is_least n) v) as [m [? [_ <-]]]; [lia |]. exists m. split; [lia | reflexivity].
Qed.

(** A value is old at n if a heap more than u below n has it. Every such heap can be reached. *)
Definition old (n : nat) (v : N) : Prop := exists m, m + u < n /\ g m = v.

Lemma old_is_reached n v : old n v -> reaches n v.
Proof. intros [m [less <-]]. exists m. split; [lia |]. split; [| reflexivity]. intros X. specialize (most _ X). lia. Qed.

Lemma value_is_not_old n : ~ old n (g n).
Proof. intros it. exact (proj1 (value_is_least n) (old_is_reached _ _ it)). Qed.

(** A value that is used is old, or the value of one of the last u heaps. *)
Lemma old_or_last n v : (v < M n)%N -> old n v \/ exists d, 1 <= d <= u /\ d <= n /\ g (n - d) = v.
Proof.
  intros less. destruct (used n v less) as [m [L <-]]. destruct (lt_dec (m + u) n) as [far | near].
  - left. exists m. auto.
  - right. exists (n - m). split; [lia |]. split; [lia |]. f_equal. lia.
Qed.

(** ** The state

    The last u values, relative to the number of values used, and which of them are old. *)
Definition same_state (n n' : nat) : Prop :=
  u <= n /\ u <= n' /\ (M n <= M n')%N /\
  forall d, 1 <= d <= u ->
    (g (n' - d) + M n = g (n - d) + M n')%N /\ (old n (g (n - d)) <-> old n' (g (n' - d))).

(** Values at equal distance from the number of values used are both reached or both not. *)
Lemma same_reached n n' v v' : same_state n n' -> (v' + M n = v + M n')%N -> reaches n v <-> reaches n' v'.
Proof.
  intros [far [far' [grows state]]] shift.
  assert (old n v <-> old n' v') as same_old.
  { destruct (N.lt_ge_cases v (M n)) as [low | high].
    - split; intros it.
      + destruct (old_or_last n' v') as [done | [d [D [_ X]]]]; [lia | exact done |].
        destruct (state d D) as [value both]. rewrite <- X. apply both. now replace (g (n - d)) with v by lia.
      + destruct (old_or_last n v low) as [done | [d [D [_ X]]]]; [exact done |].
        destruct (state d D) as [value both]. rewrite <- X. apply both. now replace (g (n' - d)) with v' by lia.
    - split; intros [m [less X]]; exfalso; [pose proof (below_M n m) | pose proof (below_M n' m)]; lia. }
  split; intros [m [less [free X]]].
  - destruct (lt_dec (m + u) n) as [before | near].
    + apply old_is_reached, same_old. exists m. auto.
    + destruct (state (n - m) ltac:(lia)) as [value _]. replace (n - (n - m)) with m in value by lia.
      exists (n' - (n - m)). split; [lia |]. split; [| lia]. now replace (n' - (n' - (n - m))) with (n - m) by lia.
  - destruct (lt_dec (m + u) n') as [before | near].
    + apply old_is_reached, same_old. exists m. auto.
    + destruct (state (n' - m) ltac:(lia)) as [value _]. replace (n' - (n' - m)) with m in value by lia.
      exists (n - (n' - m)). split; [lia |]. split; [| lia]. now replace (n - (n - (n' - m))) with (n' - m) by lia.
Qed.

(** A value too small to correspond to any value is old. *)
Lemma small_is_old n n' v' : same_state n n' -> (v' + M n < M n')%N -> old n' v'.
Proof.
  intros [far [far' [grows state]]] less.
  destruct (old_or_last n' v') as [done | [d [D [_ X]]]]; [lia | exact done |].
  destruct (state d D) as [value _]. lia.
Qed.

(** The state determines the next value, *)
Lemma next_value n n' : same_state n n' -> (g n' + M n = g n + M n')%N.
Proof.
  intros state. assert (M n <= M n')%N as grows by apply state.
  destruct (value_is_least n) as [out below]. destruct (value_is_least n') as [out' below'].
  destruct (N.lt_trichotomy (g n' + M n) (g n + M n')) as [less | [same | more]]; [exfalso | exact same | exfalso].
  - apply out'. destruct (N.lt_ge_cases (g n' + M n) (M n')) as [small | large].
    + now apply old_is_reached, (small_is_old n).
    + apply (same_reached n n' (g n' + M n - M n')%N); [exact state | lia |]. apply below. lia.
  - apply out. apply (same_reached n n' _ (g n + M n' - M n)%N state); [lia |]. apply below'. lia.
Qed.

(** and the next state. *)
Lemma next_state n n' : same_state n n' -> same_state (S n) (S n') /\ (M (S n') + M n = M (S n) + M n')%N.
Proof.
  intros state. pose proof (next_value n n' state) as value. destruct state as [far [far' [grows state]]].
  assert (M (S n') + M n = M (S n) + M n')%N as more by (simpl; lia).
  split; [| exact more]. split; [lia |]. split; [lia |]. split; [simpl; lia |]. intros d D.
  assert (forall n v, u <= n -> old (S n) v <-> old n v \/ g (n - u) = v) as one_more.
  { clear. intros n v far. split.
    - intros [m [less X]]. destruct (Nat.eq_dec (m + u) n); [right; replace (n - u) with m by lia; exact X |].
      left. exists m. split; [lia | exact X].
    - intros [[m [less X]] | X]; [exists m | exists (n - u)]; split; trivial; lia. }
  rewrite !one_more by assumption.
  destruct (Nat.eq_dec d 1) as [-> | later].
  - replace (S n - 1) with n by lia. replace (S n' - 1) with n' by lia. split; [lia |].
    pose proof (value_is_not_old n). pose proof (value_is_not_old n').
    destruct (Nat.eq_dec u 0) as [none | some]; [lia |].
    destruct (state u ltac:(lia)) as [last _].
    split; intros [it | X]; try contradiction; right; lia.
  - replace (S n - d) with (n - (d - 1)) by lia. replace (S n' - d) with (n' - (d - 1)) by lia.
    destruct (state (d - 1) ltac:(lia)) as [earlier both]. destruct (state u ltac:(lia)) as [last _].
    split; [lia |]. split; intros [it | X]; [left; now apply both | right; lia | left; now apply both | right; lia].
Qed.

(** The theorem: if a state recurs, the values are periodic with a saltus, which is the number of
    new values in between. *)
Theorem arithmetic_period n p s : same_state n (n + p) -> M (n + p) = (M n + s)%N ->
  forall m, n <= m -> g (m + p) = (g m + s)%N.
Proof.
  intros state saltus.
  assert (forall i, same_state (n + i) (n + i + p) /\ M (n + i + p) = (M (n + i) + s)%N) as all.
  { induction i as [| i [IH IHs]]; [rewrite Nat.add_0_r; auto |].
    destruct (next_state _ _ IH) as [new more]. rewrite <- plus_n_Sm. split; [exact new |]. change (S (n + i) + p) with (S (n + i + p)). lia. }
  intros m above. destruct (all (m - n)) as [same more]. replace (n + (m - n)) with m in * by lia.
  apply next_value in same. lia.
Qed.

(** ** The computation of values

    The values of heaps further back than u are kept as a set, in the bits of a number. The other
    values are kept in a list, the last one first. *)

Definition reached_by (back : list N) (before : N) : N :=
  fold_left (fun set sv => if excluded E (fst sv) then set else N.setbit set (snd sv))
    (combine (seq 1 u) back) before.

Fixpoint run (count : nat) : list N * N :=
  match count with
  | O => ([], 0%N)
  | S n =>
    let (back, before) := run n in
    let new := first_zero (reached_by back before) :: back in
    (new, match nth_error new u with Some v => N.setbit before v | None => before end)
  end.

Lemma fold_setbit (l : list (nat * N)) : forall set v,
  N.testbit (fold_left (fun set sv => if excluded E (fst sv) then set else N.setbit set (snd sv)) l set) v = true <->
  N.testbit set v = true \/ exists s, In (s, v) l /\ ~ In s E.
Proof.
  induction l as [| [s x] l IH]; intros set v; simpl.
  - split; [auto | intros [it | [s [[] _]]]; exact it].
  - rewrite IH. split.
    + intros [it | [t [there free]]]; [| right; exists t; auto].
      destruct (excluded E s) eqn:X; [auto |]. destruct (N.eq_dec x v) as [-> | other].
      * right. exists s. split; [now left |]. intros I. apply excluded_spec in I. congruence.
      * rewrite N.setbit_neq in it by congruence. auto.
    + intros [it | [t [[same | there] free]]].
      * left. destruct (excluded E s); [exact it |]. destruct (N.eq_dec x v) as [-> | other]; [apply N.setbit_eq |].
        now rewrite N.setbit_neq by congruence.
      * injection same as -> ->. left. destruct (excluded E t) eqn:X; [now apply excluded_spec in X | apply N.setbit_eq].
      * right. exists t. auto.
Qed.

Lemma in_combine_seq (l : list N) : forall k start s v,
  In (s, v) (combine (seq start k) l) <-> start <= s < start + k /\ nth_error l (s - start) = Some v.
Proof.
  induction l as [| x l IH]; intros k start s v.
  - rewrite combine_nil. split; [easy |]. intros [_ none]. destruct (s - start); discriminate.
  - destruct k as [| k]; simpl; [split; [easy | lia] |]. rewrite IH. split.
    + intros [same | [range there]].
      * injection same as -> ->. rewrite Nat.sub_diag. split; [lia | reflexivity].
      * split; [lia |]. replace (s - start) with (S (s - S start)) by lia. exact there.
    + intros [range there]. destruct (Nat.eq_dec s start) as [-> | other].
      * left. rewrite Nat.sub_diag in there. injection there as ->. reflexivity.
      * right. split; [lia |]. replace (s - start) with (Datatypes.S (s - Datatypes.S start)) in there by lia. exact there.
Qed.

Lemma nth_error_back n d : nth_error (map g (rev (seq 0 n))) d = if d <? n then Some (g (n - 1 - d)) else None.
Proof.
  destruct (Nat.ltb_spec d n) as [less | more].
  - rewrite (nth_error_nth' _ 0%N) by (now rewrite map_length, rev_length, seq_length). f_equal. now apply nth_back.
  - apply nth_error_None. now rewrite map_length, rev_length, seq_length.
Qed.

Theorem run_is_right count :
  fst (run count) = map g (rev (seq 0 count)) /\ forall v, N.testbit (snd (run count)) v = true <-> old count v.
Proof.
  induction count as [| n [values set]].
  - split; [reflexivity |]. intros v. split; [discriminate | intros [m [less _]]; lia].
  - cbn [run]. destruct (run n) as [back before]. cbn [fst snd] in *. subst back.
    assert (first_zero (reached_by (map g (rev (seq 0 n))) before) = g n) as new.
    { unfold reached_by.
      set (digits := fold_left _ _ before).
      assert (forall v, N.testbit digits v = true <-> reaches n v) as reached.
      { intros v. subst digits. rewrite fold_setbit, set. split.
        - intros [it | [s [there free]]]; [now apply old_is_reached |].
          apply in_combine_seq in there. destruct there as [range there]. rewrite nth_error_back in there.
          destruct (Nat.ltb_spec (s - 1) n) as [less | _]; [| discriminate]. injection there as <-.
          exists (n - 1 - (s - 1)). split; [lia |]. split; [| reflexivity].
          now replace (n - (n - 1 - (s - 1))) with s by lia.
        - intros [m [less [free <-]]]. destruct (lt_dec (m + u) n) as [far | near]; [left; exists m; auto |].
          right. exists (n - m). split; [| exact free]. apply in_combine_seq. split; [lia |].
          rewrite nth_error_back. destruct (Nat.ltb_spec (n - m - 1) n); [| lia]. do 2 f_equal. lia. }
      destruct (first_zero_spec digits) as [zero ones]. destruct (value_is_least n) as [out below].
      destruct (N.lt_trichotomy (first_zero digits) (g n)) as [less | [same | more]]; [exfalso | exact same | exfalso].
      - apply below, reached in less. congruence.
      - apply out, reached, ones, more. }
    rewrite new. split; [now rewrite seq_S, rev_app_distr |]. intros v.
    replace (g n :: map g (rev (seq 0 n))) with (map g (rev (seq 0 (S n)))) by (now rewrite seq_S, rev_app_distr).
    rewrite nth_error_back. destruct (Nat.ltb_spec u (S n)) as [far | near].
    + assert (N.testbit (N.setbit before (g (S n - 1 - u))) v = true <-> N.testbit before v = true \/ g (S n - 1 - u) = v) as one.
      { destruct (N.eq_dec (g (S n - 1 - u)) v) as [<- | other]; [rewrite N.setbit_eq; tauto |].
        rewrite N.setbit_neq by congruence. tauto. }
      rewrite one, set. split.
      * intros [[m [less X]] | X]; [exists m | exists (S n - 1 - u)]; split; trivial; lia.
      * intros [m [less X]]. destruct (Nat.eq_dec (m + u) n); [right; replace (S n - 1 - u) with m by lia; exact X |].
        left. exists m. split; [lia | exact X].
    + rewrite set. split; intros [m [less X]]; [exists m; split; [lia | exact X] | lia].
Qed.

Definition used_by (back : list N) : N := fold_right (fun v most => N.max most (N.succ v)) 0%N back.

Lemma used_by_is n : used_by (map g (rev (seq 0 n))) = M n.
Proof. induction n as [| n IH]; [reflexivity |]. rewrite seq_S, rev_app_distr. simpl. now rewrite IH. Qed.

(** Returns whether two states agree. Each is given by its values, the last one first, and the set
    of old ones. *)
Fixpoint agree (count : nat) (up down set set' : N) (back back' : list N) : bool :=
  match count, back, back' with
  | O, _, _ => true
  | S rest, v :: l, v' :: l' =>
    N.eqb (v + up) (v' + down) && Bool.eqb (N.testbit set v) (N.testbit set' v') && agree rest up down set set' l l'
  | _, _, _ => false
  end.

Lemma agree_spec count up down set set' : forall back back',
  agree count up down set set' back back' = true ->
  forall d, d < count -> exists v v', nth_error back d = Some v /\ nth_error back' d = Some v' /\
    (v + up = v' + down)%N /\ N.testbit set v = N.testbit set' v'.
Proof.
  induction count as [| count IH]; intros [| v l] [| v' l']; simpl; try discriminate; intros A d less; try lia.
  apply andb_true_iff in A. destruct A as [A rest]. apply andb_true_iff in A. destruct A as [value same].
  destruct d as [| d].
  - exists v, v'. apply N.eqb_eq in value. apply eqb_prop in same. auto.
  - apply (IH l l'); [exact rest | lia].
Qed.

Definition check_state (n n' : nat) (s : N) : bool :=
  let (back, set) := run n in
  let (back', set') := run n' in
  (u <=? n) && (u <=? n') && N.eqb (used_by back') (used_by back + s)
  && agree u (used_by back') (used_by back) set set' back back'.

Lemma check_state_sound n n' s : check_state n n' s = true -> same_state n n' /\ M n' = (M n + s)%N.
Proof.
  unfold check_state. destruct (run_is_right n) as [values set]. destruct (run_is_right n') as [values' set'].
  destruct (run n) as [back before]. destruct (run n') as [back' before']. cbn [fst snd] in *. subst back back'.
  rewrite !used_by_is, !andb_true_iff, !Nat.leb_le, N.eqb_eq. intros [[[far far'] saltus] agreed].
  split; [| exact saltus]. split; [exact far |]. split; [exact far' |]. split; [lia |]. intros d D.
  destruct (agree_spec _ _ _ _ _ _ _ agreed (d - 1)) as [v [v' [V [V' [value same]]]]]; [lia |].
  rewrite nth_error_back in V, V'. destruct (Nat.ltb_spec (d - 1) n); [| discriminate].
  destruct (Nat.ltb_spec (d - 1) n'); [| discriminate]. injection V as <-. injection V' as <-.
  replace (n - 1 - (d - 1)) with (n - d) in * by lia. replace (n' - 1 - (d - 1)) with (n' - d) in * by lia.
  split; [lia |]. rewrite <- set, <- set', same. reflexivity.
Qed.

End Game.

(** ** The check *)

(** The largest excluded number, and a heap at which the state recurs once the values are
    periodic. *)
Definition all_but_end (E : list nat) (n0 p : nat) : nat := n0 + p + 2 * largest E.

Definition all_but_values (E : list nat) (count : nat) : list N := rev_append (fst (run E (largest E) count)) [].

Lemma all_but_values_are_right E count : all_but_values E count = first_values (all_but_value E) count.
Proof.
  unfold all_but_values. rewrite <- rev_alt, (proj1 (run_is_right E (largest E) (largest_spec E) count)).
  now rewrite map_rev, rev_involutive.
Qed.

Definition all_but_needs (E : list nat) (n0 p : nat) : nat := all_but_end E n0 p + p.

Definition check_all_but (E : list nat) (n0 p : nat) (s : N) (l : list N) : bool :=
  let seen := all_but_end E n0 p in
  check_seen l n0 p seen s && check_state E (largest E) seen (seen + p) s && check_least l n0 p s.

Theorem check_all_but_sound E n0 p s :
  check_all_but E n0 p s (all_but_values E (all_but_needs E n0 p)) = true ->
  least_repetition (all_but_value E) n0 p s.
Proof.
  rewrite all_but_values_are_right. unfold check_all_but, all_but_needs. rewrite !andb_true_iff.
  set (seen := all_but_end E n0 p). assert (n0 + p <= seen) as far by (unfold seen, all_but_end; lia).
  intros [[shown state] least]. apply (check_least_sound _ _ _ _ (seen + p)); [lia | exact least |].
  intros n above. destruct (lt_dec n seen) as [low | high].
  - now apply (check_seen_sound _ n0 p seen s (seen + p)).
  - destruct (check_state_sound E (largest E) (largest_spec E) _ _ _ state) as [same saltus].
    apply (arithmetic_period E (largest E) (largest_spec E) seen p s same saltus). lia.
Qed.

(** Taking anything but 2 or 5: the values increase by 2 every four heaps. *)
Example all_but_two_and_five : least_repetition (all_but_value [2; 5]) 0 4 2.
Proof. apply check_all_but_sound. now vm_compute. Qed.

(** ** Nim

    If nothing is excluded, any number of chips may be taken. Then a heap has its size as value, and
    Bouton's theorem follows (C. L. Bouton, Nim, a game with a complete mathematical theory, Annals
    of Mathematics 3 (1901), 35-39). *)

Corollary a_heap_of_nim n : all_but_value [] n = N.of_nat n.
Proof.
  induction n as [n IH] using lt_wf_ind.
  assert (forall v, (v < N.of_nat n)%N -> reaches [] n v) as all.
  { intros v less. exists (N.to_nat v). split; [lia |]. split; [easy |]. rewrite IH by lia. lia. }
  destruct (value_is_least [] n) as [out below].
  destruct (N.lt_trichotomy (all_but_value [] n) (N.of_nat n)) as [less | [same | more]]; [exfalso | exact same | exfalso].
  - now apply out, all.
  - destruct (below (N.of_nat n) more) as [m [less [_ X]]]. rewrite IH in X by exact less. lia.
Qed.

Theorem bouton row : is_P (sum_of (map (heap (all_but_moves [])) row)) <-> nim_sum (map N.of_nat row) = 0%N.
Proof.
  rewrite row_is_P_iff by apply all_but_makes_smaller.
  now rewrite (map_ext _ N.of_nat a_heap_of_nim).
Qed.
