(** * Verification of periods of long games

    Two machines compute the values, one of them a period ahead of the other. Each stores few
    values, so that periods of many millions are verified in a few megabytes. *)

From Coq Require Import Uint63 PArray List Bool Arith NArith ZArith Lia.
From Proofs Require Import Games Nimbers SpragueGrundy Heaps TakingAndBreaking Repetition Periods SparseWindow Words Machine.
Import ListNotations.

(** ** No smaller period

    The greatest common divisor of two periods of a sequence is a period too. So it suffices to
    exclude the proper divisors of a period. *)
Section Periodic.

Variable g : nat -> N.
Variables n0 p : nat.
Hypothesis some : 1 <= p.
Hypothesis again : repeats g n0 p 0.

Lemma gcd_repeats m q : 1 <= q -> repeats g m q 0 -> repeats g n0 (Nat.gcd p q) 0.
Proof.
  intros one other n above. rewrite N.add_0_r. destruct (Nat.gcd_bezout_pos q p ltac:(lia)) as [a [b E]]. rewrite Nat.gcd_comm in E.
  set (d := Nat.gcd p q) in *.
  assert (forall k i, n0 <= i -> g (i + k * p) = g i) as by_p.
  { intros k i high. rewrite (repeats_often g n0 p 0 k again i high). lia. }
  assert (forall k i, m <= i -> g (i + k * q) = g i) as by_q.
  { intros k i high. rewrite (repeats_often g m q 0 k other i high). lia. }
  assert (m * 1 <= m * p) as far by (apply Nat.mul_le_mono_l; lia).
  rewrite <- (by_p (m + b) (n + d)) by lia. rewrite <- (by_p m n) by lia. rewrite <- (by_q a (n + m * p)) by lia.
  f_equal. nia.
Qed.

Lemma no_saltus m q t : repeats g m q t -> t = 0%N.
Proof.
  intros other. assert (m * 1 <= m * p) as far by (apply Nat.mul_le_mono_l; lia).
  set (n := n0 + m * p).
  assert (g (n + q * p) = g n) as A by (rewrite (repeats_often g n0 p 0 q again n); lia).
  assert (g (n + p * q) = (g n + N.of_nat p * t)%N) as B by (apply (repeats_often g m q t p other); lia).
  rewrite Nat.mul_comm, A in B. lia.
Qed.

Theorem least_by_divisors :
  (n0 = 0 \/ g (n0 - 1 + p) <> g (n0 - 1)) ->
  (forall d, 1 <= d -> d < p -> Nat.divide d p -> exists n, n0 <= n /\ g (n + d) <> g n) ->
  least_repetition g n0 p 0.
Proof.
  intros first divisors. repeat split; trivial.
  - intros m other. destruct (le_lt_dec n0 m) as [done | less]; [exact done | exfalso].
    destruct first as [-> | differ]; [lia |]. apply differ. rewrite (other (n0 - 1)) by lia. apply N.add_0_r.
  - intros m q t one other. destruct (le_lt_dec p q) as [done | less]; [exact done | exfalso].
    rewrite (no_saltus m q t other) in other. pose proof (gcd_repeats m q one other) as smaller.
    assert (Nat.gcd p q <= q) as bound by (apply Nat.divide_pos_le; [lia | apply Nat.gcd_divide_r]).
    assert (Nat.gcd p q <> 0) as positive by (intros E; apply Nat.gcd_eq_0 in E; lia).
    destruct (divisors (Nat.gcd p q)) as [n [above differ]]; [lia | lia | apply Nat.gcd_divide_l |].
    apply differ. rewrite (smaller n above). apply N.add_0_r.
Qed.

End Periodic.

(** ** Certificates *)

(** Machine integers, since the numbers of long games are large. *)
Record window_certificate := {
  window_code : code;
  window_preperiod : int;
  window_period : int;
  window_mask : N;
  window_position : bool (** whether the parity of a heap is relevant *);
  window_rares : list int (** the rare heaps *);
  window_reach : int (** bound of the witnesses *);
  window_start : int (** first heap after the window *)
}.

Definition number (i : int) : nat := Z.to_nat (to_Z i).

(** The claim: the period, and that these are the rare heaps. With the parity of heaps, all breaks
    take numbers of chips of that parity. [window_reach] and [window_start] are means of the
    proof. *)
Definition window_is_true (w : window_certificate) : Prop :=
  least_repetition (G (window_code w)) (number (window_preperiod w)) (number (window_period w)) 0 /\
  exists parity : bool,
    (window_position w = true -> forall k, allows (window_code w) k 2 = true -> Nat.odd k = parity) /\
    forall n, 1 <= n -> (is_common (window_mask w) (window_position w) parity n (G (window_code w) n) = false <->
     exists i, In i (window_rares w) /\ number i = n).

(** ** Tables of the machine *)

Definition chips_with (c : code) (j : nat) : list int := map int_of (filter (fun k => allows c k j) (seq 0 (length c))).

Lemma chips_with_spec c j k : length c < ring_size -> (exists i, In i (chips_with c j) /\ stands i k) <-> allows c k j = true.
Proof.
  pose proof ring_size_is. intros short. unfold chips_with. split.
  - intros [i [I K]]. apply in_map_iff in I. destruct I as [k' [<- I]]. apply filter_In in I. destruct I as [I it]. apply in_seq in I.
    assert (stands (int_of k') k') as K' by (apply int_of_spec; lia). assert (k = k') as -> by (unfold stands in *; lia). exact it.
  - intros it. pose proof (allows_in_code c k j it) as less. exists (int_of k).
    split; [| apply int_of_spec; lia]. apply (in_map int_of), filter_In. split; [apply in_seq; lia | exact it].
Qed.

(** The bit parities of all small values. *)
Fixpoint fill (steps : nat) (mask : N) (i : int) (v : N) (t : array bool) : array bool :=
  match steps with
  | O => t
  | S rest => fill rest mask (i + 1)%uint63 (N.succ v) (t.[i <- odd_digits (N.land v mask)])
  end.

Definition classes_of (mask : N) : array bool := fill values_fuel mask 0 0 (make values_bound false).

Lemma fill_spec mask : forall steps i v t, PArray.length t = values_bound -> worth i v -> (Z.of_N v + Z.of_nat steps <= 65536)%Z ->
  (forall j u, worth j u -> (u < v)%N -> t.[j] = odd_digits (N.land u mask)) ->
  forall j u, worth j u -> (Z.of_N u < Z.of_N v + Z.of_nat steps)%Z -> (fill steps mask i v t).[j] = odd_digits (N.land u mask).
Proof.
  induction steps as [| steps IH]; intros i v t L W small before j u U less; cbn [fill]; [apply before; [exact U | lia] |].
  apply IH; trivial; [now rewrite PArray.length_set | apply worth_succ; [exact W | lia] | lia | | lia].
  intros j' u' U' less'. destruct (N.eq_dec u' v) as [-> | other].
  - rewrite (worth_same j' i v U' W). apply get_set_same. rewrite L. apply ltb_spec. unfold worth in W. rewrite W.
    change (to_Z values_bound) with 65536%Z. lia.
  - rewrite get_set_other; [apply before; [exact U' | lia] |]. intros E. apply other. unfold worth in *. subst. lia.
Qed.

Lemma classes_of_spec mask i v : worth i v -> (v < 65536)%N -> (classes_of mask).[i] = odd_digits (N.land v mask).
Proof.
  intros W less. unfold classes_of. apply (fill_spec mask values_fuel 0%uint63 0%N); trivial; rewrite ?values_fuel_is; try lia; reflexivity.
Qed.

(** ** Runs of the machine *)

(** An error in a certificate, or a limit of the machine. *)
Inductive fault :=
| The_machine_stopped (why : trouble)
| The_values_differ
| They_repeat_earlier
| A_smaller_period_is_not_excluded.

Inductive pair := Both (back front : machine) | Broken (why : fault).

Section Run.

(** One step of the machine. *)
Variable stepping : machine -> state.

Definition go (st : state) : state :=
  match st with
  | Going s => stepping s
  | Stopped why => Stopped why
  end.

(** [count] steps. *)
Definition run (count : int) (s : machine) : state := N.iter (Z.to_N (to_Z count)) go (Going s).

(** One step of two machines that are a period apart. From n0 on their values must be equal, and at
    n0 - 1 they must differ. *)
Definition go_both (n0 : int) (q : pair) : pair :=
  match q with
  | Broken why => Broken why
  | Both back front =>
    match stepping back with
    | Stopped why => Broken (The_machine_stopped why)
    | Going back' =>
      match stepping front with
      | Stopped why => Broken (The_machine_stopped why)
      | Going front' =>
        let same := (value_at (ring back') (heap back) =? value_at (ring front') (heap front))%uint63 in
        if (n0 <=? heap back)%uint63
        then if same then Both back' front' else Broken The_values_differ
        else if same then Broken They_repeat_earlier else Both back' front'
      end
    end
  end.

Definition run_both (n0 count : int) (back front : machine) : pair := N.iter (Z.to_N (to_Z count)) (go_both n0) (Both back front).

Definition copied (s : machine) : machine := {|
  heap := heap s; ring := copy (ring s); low := copy (low s); seen := copy (seen s); known := known s; ahead := ahead s |}.

(** Several consecutive values. *)
Fixpoint window (count : nat) (ring : array int) (i : int) : list int :=
  match count with
  | O => []
  | S rest => value_at ring i :: window rest ring (i + 1)%uint63
  end.

Fixpoint differ_somewhere (l m : list int) : bool :=
  match l, m with
  | x :: l', y :: m' => if (x =? y)%uint63 then differ_somewhere l' m' else true
  | _, _ => false
  end.

(** The number of values compared to show that a number is no period. *)
Definition compared : nat := 4096.
Definition compared_length : int := 4096.

(** For each divisor d, the values from n on are compared with those d further. *)
Fixpoint exclude (divisors : list int) (n : int) (values : list int) (s : machine) : option fault :=
  match divisors with
  | [] => None
  | d :: rest =>
    let from := (n + d)%uint63 in
    match run (from + compared_length - heap s)%uint63 s with
    | Stopped why => Some (The_machine_stopped why)
    | Going s' =>
      if (heap s' =? from + compared_length)%uint63 && differ_somewhere values (window compared (ring s') from)
      then exclude rest n values s'
      else Some A_smaller_period_is_not_excluded
    end
  end.

Definition exclude_divisors (divisors : list int) (s : machine) : option fault :=
  let n := heap s in
  match run compared_length s with
  | Stopped why => Some (The_machine_stopped why)
  | Going s' => exclude divisors n (window compared (ring s') n) s'
  end.

(** *** Correctness *)

Variable g : nat -> N.
Variable right_at : machine -> nat -> Prop.
Variable start_ : nat.
Variable good_ : nat -> Prop.
Hypothesis right_step : forall s n s', right_at s n -> stepping s = Going s' -> right_at s' (S n) /\ (start_ <= n -> good_ n).
Hypothesis right_heap : forall s n, right_at s n -> stands (heap s) n.
Hypothesis right_value : forall s n i m, right_at s n -> stands i m -> m < n -> n <= m + ring_size -> worth (value_at (ring s) i) (g m).

Lemma iter_right count : forall s n s', right_at s n -> N.iter count go (Going s) = Going s' ->
  right_at s' (n + N.to_nat count) /\ forall m, n <= m -> m < n + N.to_nat count -> start_ <= m -> good_ m.
Proof.
  induction count as [| count IH] using N.peano_ind; intros s n s' R E.
  - injection E as <-. rewrite Nat.add_0_r. split; [exact R | lia].
  - rewrite N.iter_succ in E. destruct (N.iter count go (Going s)) as [s1 | why] eqn:E1; [| discriminate].
    destruct (IH s n s1 R E1) as [R1 G1]. destruct (right_step s1 _ s' R1 E) as [R2 G2].
    rewrite N2Nat.inj_succ, Nat.add_succ_r. split; [exact R2 |]. intros m above below late.
    destruct (Nat.eq_dec m (n + N.to_nat count)) as [-> | other]; [now apply G2 | apply G1; lia].
Qed.

Lemma number_is i : N.to_nat (Z.to_N (to_Z i)) = number i.
Proof. unfold number. pose proof (bounded i). lia. Qed.

Lemma run_right count s n s' : right_at s n -> run count s = Going s' ->
  right_at s' (n + number count) /\ forall m, n <= m -> m < n + number count -> start_ <= m -> good_ m.
Proof. intros R E. rewrite <- number_is. now apply (iter_right _ s). Qed.

(** The equations verified when two machines have reached n and n + p, starting at lo. *)
Definition seen_since (n0 lo n p : nat) : Prop :=
  forall m, lo <= m -> m < n -> if n0 <=? m then g (m + p) = g m else g (m + p) <> g m.

Lemma run_both_right n0_ n0 p count : stands n0_ n0 -> forall back front n back' front',
  right_at back n -> right_at front (n + p) -> run_both n0_ count back front = Both back' front' ->
  right_at back' (n + number count) /\ right_at front' (n + number count + p) /\
  seen_since n0 n (n + number count) p /\
  forall m, n + p <= m -> m < n + p + number count -> start_ <= m -> good_ m.
Proof.
  intros N0 back front n back' front' B F. unfold run_both. rewrite <- number_is. revert back' front'.
  induction (Z.to_N (to_Z count)) as [| k IH] using N.peano_ind; intros back' front' E.
  - injection E as <- <-. rewrite !Nat.add_0_r. split; [exact B |]. split; [exact F |]. split; intros m; lia.
  - rewrite N.iter_succ in E. destruct (N.iter k (go_both n0_) (Both back front)) as [b f | why]; [| discriminate].
    destruct (IH b f eq_refl) as [B1 [F1 [S1 G1]]]. cbn [go_both] in E.
    destruct (stepping b) as [b' | ?] eqn:Eb; [| discriminate]. destruct (stepping f) as [f' | ?] eqn:Ef; [| discriminate].
    destruct (right_step b _ b' B1 Eb) as [B2 _]. destruct (right_step f _ f' F1 Ef) as [F2 G2].
    pose proof (right_heap b _ B1) as Hb. pose proof (right_heap f _ F1) as Hf.
    pose proof ring_size_is as size.
    assert (1 <= ring_size) as some by lia. clear size.
    pose proof (right_value b' _ _ _ B2 Hb ltac:(lia) ltac:(lia)) as Vb.
    pose proof (right_value f' _ _ _ F2 Hf ltac:(lia) ltac:(lia)) as Vf.
    rewrite (stands_leb n0_ (heap b) n0 _ N0 Hb) in E. rewrite N2Nat.inj_succ, !Nat.add_succ_r, Nat.add_succ_l.
    set (at_ := n + N.to_nat k) in *.
    assert (b' = back' /\ f' = front' /\ if n0 <=? at_ then g (at_ + p) = g at_ else g (at_ + p) <> g at_) as [<- [<- here]].
    { destruct (eqbP (value_at (ring b') (heap b)) (value_at (ring f') (heap f))) as [same | other];
        destruct (n0 <=? at_); try discriminate; injection E as <- <-; split; trivial; split; trivial; unfold worth in *; lia || (intros bad; apply other; rewrite Vb, Vf, bad; reflexivity). }
    split; [exact B2 |]. split; [exact F2 |]. split.
    + intros m above below. destruct (Nat.eq_dec m at_) as [-> | not]; [exact here | apply S1; [exact above | lia]].
    + intros m above below late. destruct (Nat.eq_dec m (at_ + p)) as [-> | not]; [now apply G2 | apply G1; lia].
Qed.

Lemma window_spec s n : right_at s n -> forall count i m, stands i m -> m + count <= n -> n <= m + ring_size -> (Z.of_nat n < 4611686018427387904)%Z ->
  Forall2 worth (window count (ring s) i) (map g (seq m count)).
Proof.
  intros R. induction count as [| count IH]; intros i m I inside near small; simpl; constructor.
  - apply (right_value s n); trivial. lia.
  - apply IH; [| lia | lia | exact small]. unfold stands in *. rewrite z_add; change (to_Z 1%uint63) with 1%Z; lia.
Qed.

Lemma differ_somewhere_spec l m count a b : Forall2 worth l (map g (seq a count)) -> Forall2 worth m (map g (seq b count)) ->
  differ_somewhere l m = true -> exists j, g (a + j) <> g (b + j).
Proof.
  revert l m a b. induction count as [| count IH]; intros l m a b A B; simpl in A, B; inversion A as [| x v l' vs X A']; subst; inversion B as [| y u m' us Y B']; subst.
  - discriminate.
  - simpl. destruct (eqbP x y) as [same | other].
    + intros later. destruct (IH _ _ _ _ A' B' later) as [j differ]. exists (S j). now rewrite !Nat.add_succ_r.
    + intros _. exists 0. rewrite !Nat.add_0_r. intros E. apply other. unfold worth in *. congruence.
Qed.

Lemma exclude_right n n_ values : stands n_ n -> (Z.of_nat n < 1152921504606846976)%Z -> Forall2 worth values (map g (seq n compared)) ->
  forall divisors s k, right_at s k -> (forall i, In i divisors -> (to_Z i < 1152921504606846976)%Z) ->
  exclude divisors n_ values s = None -> forall i, In i divisors -> exists m, n <= m /\ g (m + number i) <> g m.
Proof.
  intros I small V. induction divisors as [| d rest IH]; intros s k R bound; [easy |]. cbn [exclude].
  destruct (run _ s) as [s' |] eqn:E; [| discriminate]. destruct (run_right _ s k s' R E) as [R' _].
  destruct (_ && _) eqn:checked; [| discriminate]. apply andb_true_iff in checked. destruct checked as [here differ].
  intros done i [<- | J]; [| apply (IH s' _ R'); [intros j K; apply bound; now right | exact done | exact J]].
  set (k' := k + number _) in R'. clearbody k'.
  pose proof (right_heap s' k' R') as H. apply Uint63.eqb_correct in here.
  pose proof (bound d (or_introl eq_refl)) as d_small. pose proof (bounded d) as d_positive.
  assert (stands (n_ + d)%uint63 (n + number d)) as D by (unfold stands, number in *; rewrite z_add; lia).
  assert (k' = n + number d + compared) as K.
  { unfold stands in H. rewrite here in H. unfold stands in D. rewrite z_add in H.
    - change (to_Z compared_length) with (Z.of_nat compared) in H. lia.
    - change (to_Z compared_length) with 4096%Z. unfold number in D. lia. }
  assert (compared <= ring_size) as fits by (pose proof ring_size_is as size; assert (Z.of_nat compared = 4096%Z) by reflexivity; lia).
  destruct (differ_somewhere_spec values (window compared (ring s') (n_ + d)) compared n (n + number d) V) as [j other]; [| exact differ |].
  - apply (window_spec s' k'); trivial; try lia. rewrite K. assert (Z.of_nat compared = 4096%Z) by reflexivity. unfold number. lia.
  - exists (n + j). split; [lia |]. replace (n + j + number d) with (n + number d + j) by lia. auto.
Qed.

Theorem exclude_divisors_right divisors s n : right_at s n -> (Z.of_nat n < 1152921504606846976)%Z ->
  (forall i, In i divisors -> (to_Z i < 1152921504606846976)%Z) ->
  exclude_divisors divisors s = None -> forall i, In i divisors -> exists m, n <= m /\ g (m + number i) <> g m.
Proof.
  intros R small bound. unfold exclude_divisors. cbv zeta. destruct (run compared_length s) as [s' |] eqn:E; [| discriminate].
  destruct (run_right _ s n s' R E) as [R' _].
  assert (number compared_length = compared) as K by reflexivity. rewrite K in R'.
  assert (Z.of_nat compared = 4096%Z) as C by reflexivity. pose proof ring_size_is as size.
  apply (exclude_right n (heap s) (window compared (ring s') (heap s))) with (s := s') (k := n + compared); trivial; [now apply right_heap |].
  apply (window_spec s' (n + compared)); [exact R' | now apply right_heap | lia | lia | lia].
Qed.

End Run.

(** ** Divisors *)

(** The numbers up to [from] that divide p, in descending order. *)
Definition next_divisor (p : int) (found : int * list int) : int * list int :=
  let (d, l) := found in ((d - 1)%uint63, if (p mod d =? 0)%uint63 then d :: l else l).

Definition divisors_of (p : int) : list int :=
  let from := (p / 2)%uint63 in snd (N.iter (Z.to_N (to_Z from)) (next_divisor p) (from, [])).

Lemma next_divisors_spec p p_ from : stands p p_ -> forall k d l,
  N.iter k (next_divisor p) (from, []) = (d, l) -> (Z.of_N k <= to_Z from)%Z ->
  to_Z d = (to_Z from - Z.of_N k)%Z /\
  (forall m, (to_Z d < Z.of_nat m <= to_Z from)%Z -> Nat.divide m p_ -> exists i, In i l /\ stands i m) /\
  forall i, In i l -> (to_Z i <= to_Z from)%Z.
Proof.
  intros P. induction k as [| k IH] using N.peano_ind; intros d l E less.
  - injection E as <- <-. split; [lia |]. split; [intros m; lia | intros i []].
  - rewrite N.iter_succ in E. destruct (N.iter k (next_divisor p) (from, [])) as [d' l'] eqn:E'.
    destruct (IH d' l' eq_refl ltac:(lia)) as [D [all low_]]. unfold next_divisor in E. injection E as <- <-.
    assert (to_Z (d' - 1) = to_Z d' - 1)%Z as D' by (rewrite z_sub; change (to_Z 1%uint63) with 1%Z; lia).
    split; [lia |]. split.
    + intros m bound divides. destruct (Z.eq_dec (Z.of_nat m) (to_Z d')) as [here | other].
      * assert ((p mod d' =? 0)%uint63 = true) as yes.
        { apply Uint63.eqb_spec. apply to_Z_inj. rewrite mod_spec. unfold stands in P. rewrite P, <- here.
          destruct divides as [x ->]. rewrite Nat2Z.inj_mul. apply Z_mod_mult. }
        rewrite yes. exists d'. split; [now left | unfold stands; lia].
      * destruct (all m ltac:(lia) divides) as [i [I M]]. exists i. split; [| exact M]. destruct (p mod d' =? 0)%uint63; [now right | exact I].
    + intros i I. destruct (p mod d' =? 0)%uint63; [destruct I as [<- | I]; [lia |] |]; now apply low_.
Qed.

Lemma divisors_of_spec p p_ : stands p p_ ->
  (forall d, 1 <= d -> d < p_ -> Nat.divide d p_ -> exists i, In i (divisors_of p) /\ stands i d) /\
  forall i, In i (divisors_of p) -> (to_Z i <= to_Z p)%Z.
Proof.
  intros P. unfold divisors_of. cbv zeta. pose proof (bounded p) as B.
  assert (to_Z (p / 2) = to_Z p / 2)%Z as half by (rewrite div_spec; reflexivity).
  destruct (N.iter _ _ _) as [d l] eqn:E. cbn [snd].
  destruct (next_divisors_spec p p_ _ P _ d l E) as [D [all low_]].
  { rewrite half. rewrite Z2N.id; [lia |]. apply Z.div_pos; lia. }
  rewrite half, Z2N.id in * by (apply Z.div_pos; lia). split.
  - intros m one less divides. apply all; [| exact divides]. split; [lia |].
    destruct divides as [x E']. assert (2 <= x) by nia. unfold stands in P. rewrite P. apply Z.div_le_lower_bound; nia.
  - intros i I. specialize (low_ i I). assert (to_Z p / 2 <= to_Z p)%Z by (apply Z.div_le_upper_bound; lia). lia.
Qed.

