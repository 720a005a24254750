(** * Consecutive values of long games

    A machine computes the value of each heap from those of the small heaps and of the last heaps,
    which it stores in two arrays. The parities of the previous chapter make most breaks
    unnecessary. *)

From Coq Require Import Uint63 PArray List Bool Arith NArith ZArith Lia.
From Proofs Require Import Games Nimbers SpragueGrundy Heaps TakingAndBreaking SparseWindow Words.
Import ListNotations.

(** A reason why the machine stops. *)
Inductive trouble :=
| Too_far
| A_value_is_too_large
| Too_many_breaks_to_look_at
| A_rare_value_is_not_reached
| The_rare_heaps_are_others.

Record machine := {
  heap : int (** the next heap *);
  ring : array int (** the values of the last heaps *);
  low : array int (** the values of the smallest heaps *);
  seen : array int;
  known : list int (** the rare heaps so far *);
  ahead : list int (** the rare heaps that follow *)
}.

Inductive state := Going (s : machine) | Stopped (why : trouble).

(** The number of steps, one for each value that is classified as common or rare. *)
Definition values_fuel : nat := 256 * 256.

Lemma values_fuel_is : Z.of_nat values_fuel = 65536%Z.
Proof. unfold values_fuel. rewrite Nat2Z.inj_mul. reflexivity. Qed.

Global Opaque values_fuel.

Section Rules.

(** The numbers of chips that a move may take: leaving one heap, none, or two. *)
Variables takes wholes breaks : list int.

(** For each number below 2^16, whether its bits under the mask have odd parity. *)
Variable classes : array bool.
Variables position parity : bool.

(** From [start] on, the values below that of a heap must be reached with heaps of at most
    [reach]. *)
Variables start reach : int.

(** The largest small heap of the breaks that are examined. *)
Variable most : int.

(** A bound on the steps of a search. *)
Variable fuel : nat.

Local Open Scope uint63_scope.

Definition value_at (ring : array int) (i : int) : int := ring.[place i].

Section Step.

Variables n stamp : int.
Variables ring_ low_ : array int.

Definition mark_takes (seen : array int) : array int :=
  fold_left (fun seen k => if k <? n then seen.[value_at ring_ (n - k) <- stamp] else seen) takes seen.

Definition mark_wholes (seen : array int) : array int :=
  fold_left (fun seen k => if k =? n then seen.[0 <- stamp] else seen) wholes seen.

Definition mark_break (rest a : int) (seen : array int) : array int :=
  seen.[low_.[a] lxor value_at ring_ (rest - a) <- stamp].

Definition mark_rare_breaks (known : list int) (seen : array int) : array int :=
  fold_left (fun seen k =>
    if k <? n then
      let rest := n - k in
      fold_left (fun seen r => if r <? rest then mark_break rest r seen else seen) known seen
    else seen) breaks seen.

Definition is_left (a k : int) : bool := if k <? n then a + a <=? n - k else false.

Definition mark_breaks (a : int) (seen : array int) : array int :=
  fold_left (fun seen k => if is_left a k then mark_break (n - k) a seen else seen) breaks seen.

Definition marked (seen : array int) (v : int) : bool := seen.[v] =? stamp.

Fixpoint least_common (fuel : nat) (flip : bool) (seen : array int) (v : int) : option int :=
  match fuel with
  | O => None
  | S rest => if xorb classes.[v] flip && negb (marked seen v) then Some v else least_common rest flip seen (v + 1)
  end.

(** The least unmarked value from v on and below m. *)
Fixpoint least_unmarked (fuel : nat) (seen : array int) (v m : int) : option int :=
  if v <? m then
    if marked seen v then match fuel with O => None | S rest => least_unmarked rest seen (v + 1) m end
    else Some v
  else None.

(** Marks breaks until all values below m are marked. If no breaks remain, returns the least value
    that is not. *)
Fixpoint search (fuel : nat) (far a m : int) (missing : option int) (seen : array int) : option (option int * array int) :=
  match missing with
  | None => Some (None, seen)
  | Some w =>
    if negb (existsb (is_left a) breaks) then Some (Some w, seen)
    else if far <? a then None
    else
      match fuel with
      | O => None
      | S rest =>
        let seen := mark_breaks a seen in
        let missing := if marked seen w then least_unmarked values_fuel seen w m else Some w in
        search rest far (a + 1) m missing seen
      end
  end.

End Step.

Definition furthest : int := 1152921504606846976.

Definition step (s : machine) : state :=
  let n := heap s in
  let stamp := n + 1 in
  let flip := position && xorb (negb (is_even n)) parity in
  if negb (n <? furthest) then Stopped Too_far
  else
    let seen := mark_rare_breaks n stamp (ring s) (low s) (known s) (mark_wholes n stamp (mark_takes n stamp (ring s) (seen s))) in
    match least_common stamp values_fuel flip seen 0 with
    | None => Stopped A_value_is_too_large
    | Some m =>
      let late := start <=? n in
      match search n stamp (ring s) (low s) fuel (if late then reach else most) 1 m (least_unmarked stamp values_fuel seen 0 m) seen with
      | None => Stopped (if late then A_rare_value_is_not_reached else Too_many_breaks_to_look_at)
      | Some (missing, seen) =>
        let v := match missing with Some w => w | None => m end in
        let listed := (0 <? n) && match ahead s with r :: _ => r =? n | [] => false end in
        if late && match missing with Some _ => true | None => false end then Stopped A_rare_value_is_not_reached
        else if (0 <? n) && negb (Bool.eqb (negb (xorb classes.[v] flip)) listed) then Stopped The_rare_heaps_are_others
        else Going {|
          heap := stamp;
          ring := (ring s).[place n <- v];
          low := if n <? ring_length then (low s).[n <- v] else low s;
          seen := seen;
          known := if listed then n :: known s else known s;
          ahead := if listed then tl (ahead s) else ahead s |}
      end
    end.

Local Close Scope uint63_scope.

(** ** Correctness of the machine *)

Variable c : code.
Hypothesis octal : parts_at_most c 2.
Hypothesis takes_are : forall k, (exists i, In i takes /\ stands i k) <-> allows c k 1 = true.
Hypothesis wholes_are : forall k, (exists i, In i wholes /\ stands i k) <-> allows c k 0 = true.
Hypothesis breaks_are : forall k, (exists i, In i breaks /\ stands i k) <-> allows c k 2 = true.

Variable mask : N.
Hypothesis classes_are : forall i v, worth i v -> (v < 65536)%N -> classes.[i] = odd_digits (N.land v mask).
Hypothesis one_parity : position = true -> forall k, allows c k 2 = true -> Nat.odd k = parity.

(** All rare heaps, none above r. The breaks examined have a small heap of at most [most_], and from
    n1 on of at most A. *)
Variable rares : list int.
Variables r most_ n1 A : nat.
Hypothesis rares_are : forall i, In i rares -> exists m, stands i m /\ m <= r.
Hypothesis most_is : stands most most_.
Hypothesis start_is : stands start n1.
Hypothesis reach_is : stands reach A.
Hypothesis r_low : r + length c <= ring_size.
Hypothesis most_low : most_ + length c <= ring_size.
Hypothesis A_low : A + length c <= ring_size.
Hypothesis code_short : length c < ring_size.

Local Notation g := (G c).
Local Notation commonly := (is_common mask position parity).

Record right (s : machine) (n : nat) : Prop := {
  heap_right : stands (heap s) n;
  ring_long : PArray.length (ring s) = ring_length;
  ring_right : forall i m, stands i m -> m < n -> n <= m + ring_size -> worth (value_at (ring s) i) (g m);
  low_long : PArray.length (low s) = ring_length;
  low_right : forall i m, stands i m -> m < n -> m < ring_size -> worth (low s).[i] (g m);
  seen_long : PArray.length (seen s) = values_bound;
  seen_old : forall i, (to_Z (seen s).[i] <= Z.of_nat n)%Z;
  known_right : forall m, (exists i, In i (known s) /\ stands i m) <-> (1 <= m < n /\ commonly m (g m) = false);
  known_listed : forall i, In i (known s) \/ In i (ahead s) <-> In i rares
}.

Section OneStep.

Variable s : machine.
Variable n : nat.
Hypothesis so_far : right s n.
Hypothesis not_too_far : (Z.of_nat n < 1152921504606846976)%Z.

Let i_n := heap s.
Let stamp := (heap s + 1)%uint63.

Lemma stamp_is : stands stamp (S n).
Proof. apply stands_succ; [apply so_far | exact not_too_far]. Qed.

Lemma its_number i : exists k, stands i k.
Proof. eauto using stands_its_number. Qed.

Lemma allowed_short k j : allows c k j = true -> k < length c.
Proof. apply allows_in_code. Qed.

Lemma take_takes k : allows c k 1 = true -> 1 <= k.
Proof. destruct k; [| lia]. unfold allows. rewrite andb_false_r. discriminate. Qed.

Lemma mark_takes_right seen P : marks stamp seen P ->
  marks stamp (mark_takes i_n stamp (ring s) seen) (fun v => P v \/ exists k, k < n /\ allows c k 1 = true /\ v = g (n - k)).
Proof.
  intros M. unfold mark_takes.
  eapply marks_same; [| apply (mark_all stamp _ (fun i v => exists k, stands i k /\ k < n /\ v = g (n - k))); [| exact M]].
  - intros v. cbv beta. split.
    + intros [it | [i [I [k [K [less E]]]]]]; [now left | right]. exists k. split; [exact less |]. split; [apply takes_are; eauto | exact E].
    + intros [it | [k [less [it E]]]]; [now left | right]. apply takes_are in it. destruct it as [i [I K]]. exists i. split; [exact I |]. exists k. auto.
  - intros seen' P' i I M'. destruct (its_number i) as [k K].
    assert (allows c k 1 = true) as it by (apply takes_are; eauto). pose proof (take_takes k it). pose proof (allowed_short _ _ it).
    unfold i_n. rewrite (stands_ltb i (heap s) k n K) by apply so_far. destruct (Nat.ltb_spec k n) as [less | more].
    + eapply marks_same; [| apply (mark_one stamp seen' P' _ (g (n - k))); [| exact M']].
      * intros v. cbv beta. split; [intros [x | ->]; [now left | right; eauto] |].
        intros [x | [k' [K' [_ E]]]]; [now left | right]. assert (k' = k) as -> by (unfold stands in *; lia). exact E.
      * apply so_far; [apply stands_sub; [apply so_far | exact K | lia] | lia | lia].
    + eapply marks_same; [| exact M']. intros v. cbv beta. split; [now left |]. intros [x | [k' [K' [less _]]]]; [exact x |].
      unfold stands in *. lia.
Qed.

Lemma mark_wholes_right seen P : marks stamp seen P ->
  marks stamp (mark_wholes i_n stamp seen) (fun v => P v \/ (allows c n 0 = true /\ v = 0%N)).
Proof.
  intros M. unfold mark_wholes.
  eapply marks_same; [| apply (mark_all stamp _ (fun i v => stands i n /\ v = 0%N)); [| exact M]].
  - intros v. cbv beta. split.
    + intros [it | [i [I [K E]]]]; [now left | right]. split; [apply wholes_are; eauto | exact E].
    + intros [it | [it E]]; [now left | right]. apply wholes_are in it. destruct it as [i [I K]]. exists i. auto.
  - intros seen' P' i I M'. destruct (its_number i) as [k K].
    unfold i_n. rewrite (stands_eqb i (heap s) k n K) by apply so_far. destruct (Nat.eqb_spec k n) as [-> | other].
    + eapply marks_same; [| apply (mark_one stamp seen' P' 0%uint63 0%N); [reflexivity | exact M']].
      intros v. cbv beta. split; [intros [x | ->]; auto | intros [x | [_ ->]]; auto].
    + eapply marks_same; [| exact M']. intros v. cbv beta. split; [now left |]. intros [x | [K' _]]; [exact x |]. unfold stands in *. lia.
Qed.

(** A break of n into the heaps a and n - k - a. *)
Lemma mark_break_right seen P i_k i_a k a : stands i_k k -> stands i_a a -> k + a < n -> 1 <= a -> a + length c <= ring_size -> k < length c ->
  marks stamp seen P -> marks stamp (mark_break stamp (ring s) (low s) (i_n - i_k) i_a seen) (fun v => P v \/ v = N.lxor (g a) (g (n - k - a))).
Proof.
  intros K I less some low_ short M. unfold mark_break. apply mark_one; [| exact M]. apply worth_lxor.
  - apply so_far; [exact I | lia | lia].
  - apply so_far; [| lia | lia]. apply stands_sub; [| exact I | lia]. apply stands_sub; [apply so_far | exact K | lia].
Qed.

Definition rare_break (n : nat) (v : N) : Prop := break_reaches c (fun a => commonly a (g a) = false) n v.

Lemma mark_rare_breaks_right seen P : marks stamp seen P ->
  marks stamp (mark_rare_breaks i_n stamp (ring s) (low s) (known s) seen) (fun v => P v \/ rare_break n v).
Proof.
  intros M. unfold mark_rare_breaks.
  eapply marks_same; [| apply (mark_all stamp _ (fun i v => exists k, stands i k /\ exists a, k + a < n /\ 1 <= a /\ commonly a (g a) = false
    /\ v = N.lxor (g a) (g (n - k - a)))); [| exact M]].
  - intros v. cbv beta. split.
    + intros [it | [i [I [k [K [a [less [some [rare E]]]]]]]]]; [now left | right].
      exists k, a. repeat split; trivial. apply breaks_are. eauto.
    + intros [it | [k [a [less [some [it [rare E]]]]]]]; [now left | right].
      apply breaks_are in it. destruct it as [i [I K]]. exists i. split; [exact I |]. exists k. split; [exact K |]. exists a. auto.
  - intros seen' P' i I M'. destruct (its_number i) as [k K].
    assert (allows c k 2 = true) as it by (apply breaks_are; eauto). pose proof (allowed_short _ _ it) as short.
    unfold i_n. rewrite (stands_ltb i (heap s) k n K) by apply so_far. destruct (Nat.ltb_spec k n) as [less | more].
    + cbv zeta. eapply marks_same; [| apply (mark_all stamp _ (fun j v => exists a, stands j a /\ k + a < n /\ v = N.lxor (g a) (g (n - k - a))));
        [| exact M']].
      * intros v. cbv beta. split.
        -- intros [x | [j [J [a [I' [less' E]]]]]]; [now left | right]. exists k. split; [exact K |]. exists a.
           assert (1 <= a < n /\ commonly a (g a) = false) as [[] rare] by (apply so_far; eauto). auto.
        -- intros [x | [k' [K' [a [less' [some [rare E]]]]]]]; [now left | right].
           assert (k' = k) as -> by (unfold stands in *; lia).
           assert (1 <= a < n /\ commonly a (g a) = false) as R by (split; [lia | exact rare]). apply so_far in R.
           destruct R as [j [J I']]. exists j. split; [exact J |]. exists a. auto.
      * intros seen'' P'' j J M''. destruct (its_number j) as [a I'].
        assert (1 <= a < n /\ commonly a (g a) = false) as [[] rare] by (apply so_far; eauto).
        assert (a <= r) as small.
        { destruct (rares_are j) as [a' [I'' less']]; [apply so_far; auto |]. assert (a' = a) as <- by (unfold stands in *; lia). exact less'. }
        rewrite (stands_ltb j (heap s - i)%uint63 a (n - k) I') by (apply stands_sub; [apply so_far | exact K | lia]).
        destruct (Nat.ltb_spec a (n - k)) as [less' | more'].
        -- eapply marks_same; [| apply (mark_break_right seen'' P'' i j k a); trivial; lia].
           intros v. cbv beta. split; [intros [x | ->]; [now left | right; exists a; repeat split; trivial; lia] |].
           intros [x | [a' [I'' [_ E]]]]; [now left | right]. assert (a' = a) as -> by (unfold stands in *; lia). exact E.
        -- eapply marks_same; [| exact M'']. intros v. cbv beta. split; [now left |]. intros [x | [a' [I'' [less' _]]]]; [exact x |].
           unfold stands in *. lia.
    + eapply marks_same; [| exact M']. intros v. cbv beta. split; [now left |]. intros [x | [k' [K' [a [less' _]]]]]; [exact x |].
      unfold stands in *. lia.
Qed.

(** Breaks whose smaller heap is below b. *)
Definition break_below (b : nat) (v : N) : Prop :=
  exists k a, allows c k 2 = true /\ 1 <= a < b /\ k < n /\ a + a <= n - k /\ v = N.lxor (g a) (g (n - k - a)).

Lemma is_left_spec i_a i_k a k : stands i_a a -> stands i_k k -> a <= S ring_size ->
  is_left i_n i_a i_k = true <-> k < n /\ a + a <= n - k.
Proof.
  intros I K small. unfold is_left, i_n. rewrite (stands_ltb i_k (heap s) k n K) by apply so_far.
  pose proof ring_size_is.
  destruct (Nat.ltb_spec k n) as [less | more]; [| split; [discriminate | lia]].
  rewrite (stands_leb (i_a + i_a)%uint63 (heap s - i_k)%uint63 (a + a) (n - k)).
  - rewrite Nat.leb_le. lia.
  - unfold stands in *. rewrite z_add; lia.
  - apply stands_sub; [apply so_far | exact K | lia].
Qed.

Lemma mark_breaks_right seen P i_a a : stands i_a a -> 1 <= a -> a + length c <= ring_size ->
  marks stamp seen (fun v => P v \/ break_below a v) ->
  marks stamp (mark_breaks i_n stamp (ring s) (low s) i_a seen) (fun v => P v \/ break_below (S a) v).
Proof.
  intros I some small M. unfold mark_breaks.
  eapply marks_same; [| apply (mark_all stamp _ (fun i v => exists k, stands i k /\ k < n /\ a + a <= n - k /\ v = N.lxor (g a) (g (n - k - a))));
    [| exact M]].
  - intros v. cbv beta. split.
    + intros [[x | [k [a' [it [[]  [less [half E]]]]]]] | [i [J [k [K [less [half E]]]]]]]; [now left | right | right].
      * exists k, a'. repeat split; trivial. lia.
      * exists k, a. split; [apply breaks_are; eauto |]. repeat split; trivial; lia.
    + intros [x | [k [a' [it [[] [less [half E]]]]]]]; [left; now left |]. destruct (Nat.eq_dec a' a) as [-> | other].
      * right. apply breaks_are in it. destruct it as [i [J K]]. exists i. split; [exact J |]. exists k. auto.
      * left. right. exists k, a'. repeat split; trivial; lia.
  - intros seen' P' i J M'. destruct (its_number i) as [k K].
    assert (allows c k 2 = true) as it by (apply breaks_are; eauto). pose proof (allowed_short _ _ it) as short.
    destruct (is_left i_n i_a i) eqn:L.
    + apply (is_left_spec i_a i a k) in L; [| exact I | exact K | lia]. destruct L as [less half].
      eapply marks_same; [| apply (mark_break_right seen' P' i i_a k a); trivial; lia].
      intros v. cbv beta. split; [intros [x | ->]; [now left | right; exists k; auto] |].
      intros [x | [k' [K' [_ [_ E]]]]]; [now left | right]. assert (k' = k) as -> by (unfold stands in *; lia). exact E.
    + eapply marks_same; [| exact M']. intros v. cbv beta. split; [now left |]. intros [x | [k' [K' [less [half _]]]]]; [exact x |].
      assert (k' = k) as -> by (unfold stands in *; lia). assert (is_left i_n i_a i = true); [| congruence].
      apply (is_left_spec i_a i a k); [exact I | exact K | lia | split; assumption].
Qed.

(** ** The search for the least value *)

Lemma marked_spec seen P i v : marks stamp seen P -> worth i v -> (v < 65536)%N -> marked stamp seen i = true <-> P v.
Proof. intros [_ [_ M]] W less. now apply M. Qed.

Lemma least_common_right seen P flip steps : forall i v j, marks stamp seen P -> worth i v -> (Z.of_N v + Z.of_nat steps <= 65536)%Z ->
  least_common stamp steps flip seen i = Some j ->
  exists m, worth j m /\ (v <= m < 65536)%N /\ ~ P m /\ xorb (odd_digits (N.land m mask)) flip = true /\
    forall u, (v <= u < m)%N -> xorb (odd_digits (N.land u mask)) flip = true -> P u.
Proof.
  induction steps as [| steps IH]; intros i v j M W small; cbn [least_common]; [discriminate |].
  assert (v < 65536)%N as below by lia. rewrite (classes_are i v W below).
  destruct (xorb (odd_digits (N.land v mask)) flip) eqn:C; [destruct (marked stamp seen i) eqn:K |]; cbn [andb negb].
  - intros E. destruct (IH _ (N.succ v) j M (worth_succ i v W below)) as [m [W' [[] [out [yes all]]]]]; [lia | exact E |].
    exists m. split; [exact W' |]. split; [lia |]. split; [exact out |]. split; [exact yes |]. intros u [] it.
    destruct (N.eq_dec u v) as [-> | other]; [now apply (marked_spec seen P i v M W below) | apply all; [lia | exact it]].
  - intros E. injection E as <-. exists v. split; [exact W |]. split; [lia |]. split; [| split; [exact C | intros u []; lia]].
    intros it. apply (marked_spec seen P i v M W below) in it. congruence.
  - intros E. destruct (IH _ (N.succ v) j M (worth_succ i v W below)) as [m [W' [[] [out [yes all]]]]]; [lia | exact E |].
    exists m. split; [exact W' |]. split; [lia |]. split; [exact out |]. split; [exact yes |]. intros u [] it.
    destruct (N.eq_dec u v) as [-> | other]; [congruence | apply all; [lia | exact it]].
Qed.

(** The result of the search from v on and below m. *)
Definition least_missing (P : N -> Prop) (v m : N) (found : option int) : Prop :=
  match found with
  | None => forall u, (v <= u < m)%N -> P u
  | Some j => exists w, worth j w /\ (v <= w < m)%N /\ ~ P w /\ forall u, (v <= u < w)%N -> P u
  end.

Lemma least_unmarked_right seen P j m : marks stamp seen P -> worth j m -> (m < 65536)%N ->
  forall steps i v, worth i v -> (v <= m)%N -> (Z.of_N m <= Z.of_N v + Z.of_nat steps)%Z ->
  least_missing P v m (least_unmarked stamp steps seen i j).
Proof.
  intros M J small. induction steps as [| steps IH]; intros i v W less enough; cbn [least_unmarked].
  - assert (v = m) as -> by lia. destruct (ltbP i j) as [bad | _]; [unfold worth in *; lia |]. intros u []. lia.
  - destruct (ltbP i j) as [more | not]; [| intros u []; unfold worth in *; lia].
    assert (v < m)%N as more' by (unfold worth in *; lia). assert (v < 65536)%N as below by lia.
    destruct (marked stamp seen i) eqn:K.
    + apply (marked_spec seen P i v M W below) in K.
      specialize (IH _ (N.succ v) (worth_succ i v W below) ltac:(lia) ltac:(lia)). unfold least_missing in *.
      destruct (least_unmarked stamp steps seen (i + 1)%uint63 j) as [x |].
      * destruct IH as [w [W' [[] [out all]]]]. exists w. split; [exact W' |]. split; [lia |]. split; [exact out |].
        intros u []. destruct (N.eq_dec u v) as [-> | other]; [exact K | apply all; lia].
      * intros u []. destruct (N.eq_dec u v) as [-> | other]; [exact K | apply IH; lia].
    + exists v. split; [exact W |]. split; [lia |]. split; [| intros u []; lia].
      intros it. apply (marked_spec seen P i v M W below) in it. congruence.
Qed.

Lemma missing_later (P P' : N -> Prop) v m w found : (forall u, (v <= u < w)%N -> P' u) -> (v <= w)%N -> least_missing P' w m found -> (forall u, P' u <-> P u) ->
  least_missing P v m found.
Proof.
  intros before less it same. unfold least_missing in *. destruct found as [j |].
  - destruct it as [x [W [[] [out all]]]]. exists x. split; [exact W |]. split; [lia |]. split; [now rewrite <- same |].
    intros u []. apply same. destruct (N.lt_ge_cases u w); [apply before; lia | apply all; lia].
  - intros u []. apply same. destruct (N.lt_ge_cases u w); [apply before; lia | apply it; lia].
Qed.

(** ** The search *)

Definition nothing_left (b : nat) : Prop := forall k, k < n -> allows c k 2 = true -> n - k < b + b.

Lemma existsb_left i_b b : stands i_b b -> b <= S ring_size -> existsb (is_left i_n i_b) breaks = false -> nothing_left b.
Proof.
  intros B small none k less it. apply breaks_are in it. destruct it as [i [I K]].
  destruct (le_lt_dec (b + b) (n - k)) as [yes | no]; [| exact no]. exfalso.
  assert (existsb (is_left i_n i_b) breaks = true); [| congruence].
  apply existsb_exists. exists i. split; [exact I |]. apply (is_left_spec i_b i b k); [exact B | exact K | exact small | split; assumption].
Qed.

Lemma search_right P far_ far j m : stands far far_ -> far_ + length c <= ring_size -> worth j m -> (m < 65536)%N ->
  forall steps i_a a missing seen missing' seen',
  stands i_a a -> 1 <= a -> a <= S far_ ->
  marks stamp seen (fun v => P v \/ break_below a v) ->
  least_missing (fun v => P v \/ break_below a v) 0 m missing ->
  search i_n stamp (ring s) (low s) steps far i_a j missing seen = Some (missing', seen') ->
  exists b, b <= S far_ /\ marks stamp seen' (fun v => P v \/ break_below b v) /\
    least_missing (fun v => P v \/ break_below b v) 0 m missing' /\ (missing' <> None -> nothing_left b).
Proof.
  intros F low_ J small. induction steps as [| steps IH]; intros i_a a missing seen missing' seen' I some less M L; cbn [search].
  - destruct missing as [w |].
    + destruct (existsb _ breaks) eqn:left; cbn [negb].
      * destruct (far <? i_a)%uint63; discriminate.
      * intros E. injection E as <- <-. exists a. split; [exact less |]. split; [exact M |]. split; [exact L |]. intros _.
        apply (existsb_left i_a a I); [lia | exact left].
    + intros E. injection E as <- <-. exists a. split; [exact less |]. split; [exact M |]. split; [exact L | easy].
  - destruct missing as [w |]; [| intros E; injection E as <- <-; exists a; split; [exact less |]; split; [exact M |]; split; [exact L | easy]].
    destruct (existsb _ breaks) eqn:left; cbn [negb].
    2: { intros E. injection E as <- <-. exists a. split; [exact less |]. split; [exact M |]. split; [exact L |]. intros _.
      apply (existsb_left i_a a I); [lia | exact left]. }
    rewrite (stands_ltb far i_a far_ a F I). destruct (Nat.ltb_spec far_ a) as [beyond | within]; [discriminate |].
    cbv zeta. pose proof ring_size_is.
    assert (a + length c <= ring_size) as low' by lia.
    pose proof (mark_breaks_right seen P i_a a I some low' M) as M'.
    apply (IH (i_a + 1)%uint63 (S a)); [| lia | lia | exact M' |].
    + apply stands_succ; [exact I | lia].
    + destruct L as [x [W [[_ x_m] [out all]]]].
      assert (x < 65536)%N as small' by lia.
      assert (forall u, (0 <= u < x)%N -> P u \/ break_below (S a) u) as before.
      { intros u []. destruct (all u ltac:(lia)) as [it | [k [a' [it [[] rest]]]]]; [now left | right].
        exists k, a'. split; [exact it |]. split; [lia | exact rest]. }
      destruct (marked stamp (mark_breaks i_n stamp (ring s) (low s) i_a seen) w) eqn:K.
      * apply (missing_later _ (fun v => P v \/ break_below (S a) v) 0 m x); [exact before | lia | | reflexivity].
        apply (least_unmarked_right _ _ j m M' J small); [exact W | lia |]. rewrite values_fuel_is. lia.
      * exists x. split; [exact W |]. split; [lia |]. split; [| exact before].
        intros it. apply (marked_spec _ _ w x M' W small') in it. congruence.
Qed.

(** ** One step *)

Lemma flip_is v : xorb (odd_digits (N.land v mask)) (position && xorb (negb (is_even i_n)) parity) = commonly n v.
Proof. unfold is_common, i_n. now rewrite (odd_is (heap s) n) by apply so_far. Qed.

Definition by_takes_and_rare_heaps (v : N) : Prop := take_reaches c n v \/ rare_break n v.

Definition looked_at (b : nat) (v : N) : Prop := by_takes_and_rare_heaps v \/ break_below b v.

Lemma looked_at_is_option b v : looked_at b v -> option_value c n v.
Proof.
  intros [[it | [k [a [less [some [it [_ E]]]]]]] | [k [a [it [[some _] [less [half E]]]]]]]; [now left | right | right];
    exists k, a; repeat split; trivial; lia.
Qed.

Lemma common_options v : option_value c n v -> commonly n v = true -> by_takes_and_rare_heaps v.
Proof. intros it yes. exact (common_values_by_rare_heaps c mask position parity one_parity n v it yes). Qed.

Lemma all_breaks b v : nothing_left b -> option_value c n v -> looked_at b v.
Proof.
  intros none [it | [k [a [less [some [it [_ ->]]]]]]]; [left; now left | right]. specialize (none k ltac:(lia) it).
  destruct (le_lt_dec a (n - k - a)).
  - exists k, a. repeat split; trivial; lia.
  - exists k, (n - k - a). split; [exact it |]. repeat split; try lia. rewrite N.lxor_comm. f_equal. f_equal. lia.
Qed.

Lemma marked_at_first : marks stamp
  (mark_rare_breaks i_n stamp (ring s) (low s) (known s) (mark_wholes i_n stamp (mark_takes i_n stamp (ring s) (seen s))))
  by_takes_and_rare_heaps.
Proof.
  eapply marks_same; [| apply mark_rare_breaks_right, mark_wholes_right, mark_takes_right, nothing_marked; [apply so_far |]].
  - intros v. cbv beta. unfold by_takes_and_rare_heaps, take_reaches. tauto.
  - intros i. pose proof (seen_old s n so_far i). pose proof stamp_is as E. unfold stands in E. lia.
Qed.

(** The value is the least common value such that all values below it are reached, or a smaller
    value if all breaks were examined. *)
Lemma value_found j missing seen' :
  let late := (start <=? i_n)%uint63 in
  let first := mark_rare_breaks i_n stamp (ring s) (low s) (known s) (mark_wholes i_n stamp (mark_takes i_n stamp (ring s) (seen s))) in
  least_common stamp values_fuel (position && xorb (negb (is_even i_n)) parity) first 0 = Some j ->
  search i_n stamp (ring s) (low s) fuel (if late then reach else most) 1 j (least_unmarked stamp values_fuel first 0 j) first =
    Some (missing, seen') ->
  worth (match missing with Some w => w | None => j end) (g n) /\ (g n < 65536)%N /\ (exists P, marks stamp seen' P) /\
  (missing = None -> commonly n (g n) = true /\
    forall v, (v < g n)%N -> looked_at (S (if n1 <=? n then A else most_)) v).
Proof.
  intros late first E1 E2. pose proof marked_at_first as M. fold first in M.
  destruct (least_common_right first _ _ values_fuel 0%uint63 0%N j M eq_refl ltac:(rewrite values_fuel_is; lia) E1)
    as [m [W [[_ m_small] [m_out [m_common below]]]]].
  rewrite flip_is in m_common.
  assert (late = (n1 <=? n)) as L by (unfold late, i_n; apply stands_leb; [exact start_is | apply so_far]).
  set (far_ := if n1 <=? n then A else most_) in *.
  assert (stands (if late then reach else most) far_) as F by (rewrite L; unfold far_; destruct (n1 <=? n); assumption).
  assert (far_ + length c <= ring_size) as far_low by (unfold far_; destruct (n1 <=? n); assumption).
  assert (forall v, by_takes_and_rare_heaps v <-> looked_at 1 v) as at_one.
  { intros v. split; [now left |]. intros [it | [k [a [_ [[] _]]]]]; [exact it | lia]. }
  assert (marks stamp first (looked_at 1)) as M1 by (eapply marks_same; [exact at_one | exact M]).
  destruct (search_right by_takes_and_rare_heaps far_ _ j m F far_low W m_small fuel 1%uint63 1 _ _ _ _
    eq_refl ltac:(lia) ltac:(lia) M1 (least_unmarked_right first _ j m M1 W m_small values_fuel 0%uint63 0%N eq_refl ltac:(lia)
      ltac:(rewrite values_fuel_is; lia)) E2) as [b [b_small [M2 [least done]]]].
  fold (looked_at b) in M2, least.
  assert (forall a b v, a <= b -> looked_at a v -> looked_at b v) as more.
  { intros a' b' v less [it | [k [a [it [[] rest]]]]]; [now left | right]. exists k, a. split; [exact it |]. split; [lia | exact rest]. }
  assert (forall u, (u < m)%N -> commonly n u = true -> by_takes_and_rare_heaps u) as commons.
  { intros u less yes. apply below; [lia |]. now rewrite flip_is. }
  destruct missing as [w |].
  - destruct least as [x [Wx [[_ x_m] [out all]]]]. specialize (done ltac:(discriminate)).
    assert (g n = x) as V.
    { apply (value_is_least c octal n (looked_at b)); [apply looked_at_is_option | | exact out | intros u less; apply all; lia].
      intros v it _. now apply all_breaks. }
    rewrite V. split; [exact Wx |]. split; [lia |]. split; [eauto | discriminate].
  - assert (g n = m) as V.
    { apply (value_is_common c octal mask position parity n (looked_at b)); [apply looked_at_is_option | exact m_common | | |].
      - intros v _ yes it. left. now apply common_options.
      - intros it. apply m_out. apply common_options; [now apply (looked_at_is_option b) | exact m_common].
      - intros v less. apply least. lia. }
    rewrite V. split; [exact W |]. split; [exact m_small |]. split; [eauto |]. intros _. split; [exact m_common |].
    intros v less. apply (more b); [exact b_small | apply least; lia].
Qed.

End OneStep.

Theorem step_right s n s' : right s n -> step s = Going s' ->
  right s' (S n) /\ (n1 <= n -> good c mask position parity r A n).
Proof.
  intros so_far. unfold step. cbv zeta.
  destruct (heap s <? furthest)%uint63 eqn:far; cbn [negb]; [| discriminate].
  assert (Z.of_nat n < 1152921504606846976)%Z as near_.
  { apply ltb_spec in far. pose proof (heap_right s n so_far) as H. unfold stands in H. rewrite H in far. exact far. }
  pose proof (stamp_is s n so_far near_) as stamp_is_.
  destruct (least_common _ _ _ _ _) as [j |] eqn:E1; [| discriminate].
  destruct (search _ _ _ _ _ _ _ _ _ _) as [[missing seen'] |] eqn:E2; [| discriminate].
  destruct (value_found s n so_far near_ j missing seen' E1 E2) as [W [small [[P [M1 [M2 _]]] all]]].
  set (v := match missing with Some w => w | None => j end) in *.
  rewrite (stands_leb start (heap s) n1 n start_is) by apply so_far.
  rewrite (stands_ltb 0 (heap s) 0 n eq_refl) by apply so_far.
  rewrite (classes_are v (g n) W small), (flip_is s n so_far (g n)).
  set (listed := (0 <? n) && match ahead s with i :: _ => (i =? heap s)%uint63 | [] => false end).
  destruct ((n1 <=? n) && _) eqn:late; [discriminate |].
  destruct ((0 <? n) && negb (Bool.eqb _ listed)) eqn:agree; [discriminate |].
  intros E. inversion E as [E']. clear E. subst s'.
  assert (1 <= n -> listed = negb (commonly n (g n))) as rare.
  { intros some. assert (0 <? n = true) as yes by (apply Nat.ltb_lt; lia). rewrite yes in agree. cbn [andb] in agree.
    apply negb_false_iff, eqb_prop in agree. now rewrite agree. }
  assert (listed = true -> 1 <= n) as listed_some.
  { unfold listed. intros it. apply andb_true_iff in it. destruct it as [it _]. apply Nat.ltb_lt in it. lia. }
  split.
  - split; cbn [heap ring low Machine.seen known ahead].
    + exact stamp_is_.
    + rewrite PArray.length_set. apply so_far.
    + intros i m I less near__. unfold value_at. destruct (Nat.eq_dec m n) as [-> | other].
      * rewrite (stands_same i (heap s) n I) by apply so_far. rewrite get_set_same; [exact W |].
        rewrite (ring_long s n so_far). apply (place_in_ring _ n). apply so_far.
      * rewrite get_set_other.
        -- apply (ring_right s n so_far i m I); lia.
        -- intros E. apply (other_place i (heap s) m n I); [apply so_far | lia | lia | now symmetry].
    + destruct (heap s <? ring_length)%uint63; rewrite ?PArray.length_set; apply so_far.
    + intros i m I less low_. rewrite (stands_ltb (heap s) ring_length n ring_size) by (apply so_far || (unfold stands; now rewrite ring_size_is)).
      destruct (Nat.ltb_spec n ring_size) as [inside | outside].
      * destruct (Nat.eq_dec m n) as [-> | other].
        -- rewrite (stands_same i (heap s) n I) by apply so_far. rewrite get_set_same; [exact W |].
           rewrite (low_long s n so_far). apply ltb_spec. pose proof (heap_right s n so_far) as H. unfold stands in H. rewrite H.
           change (to_Z ring_length) with 1048576%Z. rewrite <- ring_size_is. lia.
        -- rewrite get_set_other; [apply (low_right s n so_far i m I); lia |].
           intros E. pose proof (heap_right s n so_far) as H. unfold stands in *. rewrite E, I in H. lia.
      * apply (low_right s n so_far i m I); lia.
    + exact M1.
    + intros i. specialize (M2 i). unfold stands in stamp_is_. lia.
    + intros m. pose proof (known_right s n so_far m) as old. destruct listed eqn:it.
      * pose proof (listed_some eq_refl) as some. specialize (rare some). symmetry in rare. apply negb_true_iff in rare. split.
        -- intros [i [[<- | I] K]]; [| destruct (proj1 old) as [[] yes]; [eauto | split; [lia | exact yes]]].
           assert (m = n) as -> by (pose proof (heap_right s n so_far) as H; unfold stands in *; lia). split; [lia | exact rare].
        -- intros [[one less] yes]. destruct (Nat.eq_dec m n) as [-> | other]; [exists (heap s); split; [now left | apply so_far] |].
           destruct (proj2 old) as [i [I K]]; [split; [lia | exact yes] |]. exists i. split; [now right | exact K].
      * rewrite old. split; intros [[] yes]; (split; [| exact yes]); [lia |].
        assert (m <> n); [| lia]. intros ->. specialize (rare ltac:(lia)). rewrite yes in rare. discriminate.
    + intros i. rewrite <- (known_listed s n so_far i). destruct listed eqn:it; [| reflexivity].
      unfold listed in it. apply andb_true_iff in it. destruct it as [_ it].
      destruct (ahead s) as [| x rest]; [discriminate |]. apply Uint63.eqb_correct in it. subst x. simpl. tauto.
  - intros above. assert (n1 <=? n = true) as yes by (now apply Nat.leb_le). rewrite yes in late, all. cbn [andb] in late.
    destruct missing as [w |]; [discriminate |]. destruct (all eq_refl) as [common_ reached]. split; [exact common_ |].
    intros u less. specialize (reached u less). destruct reached as [[it | [k [a [less' [some [it [R E]]]]]]] | [k [a [it [[some bound] [less' [half E]]]]]]].
    + now left.
    + right. exists k, a. repeat split; trivial. unfold near.
      destruct (proj2 (known_right s n so_far a)) as [i [I K]]; [split; [lia | exact R] |].
      destruct (rares_are i) as [a' [K' small']]; [apply (known_listed s n so_far); now left |].
      assert (a' = a) as -> by (unfold stands in *; lia). lia.
    + right. exists k, a. repeat split; trivial; unfold near; lia.
Qed.

End Rules.
