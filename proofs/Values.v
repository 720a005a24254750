(** * The computation of values of heaps

    The list of all smaller values determines the value of a heap, as a mex. The number of steps
    here is about the number of ways to break the heap. *)

From Coq Require Import List Bool Arith NArith Lia MSets.MSetPositive.
From Proofs Require Import Games Nimbers SpragueGrundy Heaps TakingAndBreaking Repetition.
Import ListNotations.

(** ** The mex by a binary trie, which is faster than a search in a long list of small numbers. *)

Definition tree_of (l : list N) : PositiveSet.t :=
  fold_left (fun tree v => let leaf := N.succ_pos v in if PositiveSet.mem leaf tree then tree else PositiveSet.add leaf tree)
    l PositiveSet.empty.

Lemma tree_of_spec l v : PositiveSet.mem (N.succ_pos v) (tree_of l) = member v l.
Proof.
  assert (forall tree, PositiveSet.mem (N.succ_pos v) (fold_left (fun tree v =>
      let leaf := N.succ_pos v in if PositiveSet.mem leaf tree then tree else PositiveSet.add leaf tree) l tree) =
    PositiveSet.mem (N.succ_pos v) tree || member v l) as all.
  { induction l as [| x l IH]; intros tree; simpl; [now rewrite orb_false_r |]. rewrite IH. clear IH.
    destruct (N.eqb_spec v x) as [<- | other].
    - simpl. rewrite orb_true_r. destruct (PositiveSet.mem (N.succ_pos v) tree) eqn:E; [now rewrite E |].
      apply orb_true_iff. left. apply PositiveSet.mem_spec, PositiveSet.add_spec. now left.
    - simpl. f_equal. destruct (PositiveSet.mem (N.succ_pos x) tree); [reflexivity |].
      apply eq_true_iff_eq. rewrite !PositiveSet.mem_spec, PositiveSet.add_spec. split; [| auto].
      intros [same | there]; [| exact there]. exfalso. apply other.
      apply N.succ_inj. rewrite <- !N.succ_pos_spec. now rewrite same. }
  unfold tree_of. rewrite all. reflexivity.
Qed.

Fixpoint first_missing (looks : nat) (m : N) (tree : PositiveSet.t) : N :=
  match looks with
  | O => m
  | S rest => if PositiveSet.mem (N.succ_pos m) tree then first_missing rest (N.succ m) tree else m
  end.

Definition quick_mex (l : list N) : N := first_missing (length l) 0 (tree_of l).

Lemma quick_mex_is_mex l : quick_mex l = mex l.
Proof.
  unfold quick_mex, mex. generalize 0%N. induction (length l) as [| looks IH]; intros m; [reflexivity |].
  cbn [first_missing mex_from]. rewrite tree_of_spec, IH. reflexivity.
Qed.

(** ** The nim-sums after a move, from the values of smaller heaps *)

Fixpoint zip (l m : list N) : list N :=
  match l, m with
  | x :: l', y :: m' => N.lxor x y :: zip l' m'
  | _, _ => []
  end.

(** For a list x1, ..., xk the nim-sums of x1 and xk, x2 and x(k-1), ... up to the middle. *)
Definition pairs_of (l : list N) : list N := zip (firstn (Nat.div2 (S (length l))) l) (rev_append l []).

(** The values of the heaps 1, ..., r - 1. *)
Definition before (r : nat) (known : list N) : list N := tl (firstn r known).

Definition sums (j r : nat) (known : list N) : list N :=
  match j with
  | 0 => if r =? 0 then [0%N] else []
  | 1 => if r =? 0 then [] else [nth r known 0%N]
  | 2 => pairs_of (before r known)
  | _ => flat_map (fun a => let rest := before (r - a) known in
                            map (N.lxor (nth a known 0%N)) (pairs_of rest)) (seq 1 r)
  end.

Section Known.

Variable g : nat -> N.
Variable n : nat.
Let known := map g (seq 0 n).

Lemma before_is r : r <= n -> before r known = map g (seq 1 (r - 1)).
Proof.
  intros less. unfold before, known. rewrite firstn_map, firstn_seq by trivial.
  destruct r; [reflexivity |]. simpl. now rewrite Nat.sub_0_r.
Qed.

Lemma nth_known a : a < n -> nth a known 0%N = g a.
Proof. apply nth_first. Qed.

Lemma rev_seq m : rev (seq 1 m) = map (fun a => S m - a) (seq 1 m).
Proof.
  induction m as [| m IH]; [reflexivity |].
  transitivity (S m :: rev (seq 1 m)).
  - rewrite seq_S, rev_app_distr. reflexivity.
  - rewrite IH. change (seq 1 (S m)) with (1 :: seq 2 m). rewrite <- (seq_shift m 1). cbn [map].
    f_equal. rewrite map_map. apply map_ext. reflexivity.
Qed.

Lemma zip_map (f h : nat -> N) : forall k l,
  zip (map f (firstn k l)) (map h l) = map (fun a => N.lxor (f a) (h a)) (firstn k l).
Proof. induction k as [| k IH]; intros [| a l]; try reflexivity. simpl. now rewrite IH. Qed.

Lemma half r : Nat.div2 r <= r - 1 /\ r <= 2 * Nat.div2 r + 1.
Proof. rewrite Nat.div2_div. pose proof (Nat.div_mod r 2). pose proof (Nat.mod_upper_bound r 2). lia. Qed.

Lemma pairs r : r <= n ->
  pairs_of (before r known) = map (fun a => N.lxor (g a) (g (r - a))) (seq 1 (Nat.div2 r)).
Proof.
  intros less. unfold pairs_of. rewrite <- rev_alt, before_is by trivial.
  rewrite map_length, seq_length, firstn_map, <- map_rev, rev_seq, map_map, zip_map.
  replace (Nat.div2 (S (r - 1))) with (Nat.div2 r).
  - rewrite firstn_seq by apply half.
    apply map_ext_in. intros a there. apply in_seq in there. pose proof (half r).
    now replace (S (r - 1) - a) with (r - a) by lia.
  - destruct r; [reflexivity |]. f_equal. lia.
Qed.

Lemma in_compositions_2 r v :
  In v (map (fun a => N.lxor (g a) (g (r - a))) (seq 1 (Nat.div2 r))) <->
  exists piles, In piles (compositions 2 r) /\ nim_sum (map g piles) = v.
Proof.
  pose proof (half r) as [below above]. rewrite in_map_iff. split.
  - intros [a [<- there]]. apply in_seq in there. exists [a; r - a]. split.
    + apply compositions_spec.
      split; [reflexivity |]. split; [simpl; lia |]. intros m [<- | [<- | []]]; lia.
    + simpl. now rewrite N.lxor_0_r.
  - intros [piles [inside <-]]. apply compositions_spec in inside. destruct inside as [L [T P]].
    destruct piles as [| a [| b [| ]]]; try discriminate. simpl in T |- *.
    assert (1 <= a /\ 1 <= b) as [] by (split; apply P; simpl; auto). rewrite N.lxor_0_r.
    (* The smaller of the two heaps is in the first half. *)
    destruct (le_lt_dec a b).
    + exists a. split; [now replace (r - a) with b by lia | apply in_seq; lia].
    + exists b. split; [replace (r - b) with a by lia; apply N.lxor_comm | apply in_seq; lia].
Qed.

Theorem sums_spec j r v : j <= most_parts -> r <= n -> (j = 1 -> r < n) ->
  In v (sums j r known) <-> exists piles, In piles (compositions j r) /\ nim_sum (map g piles) = v.
Proof.
  intros J R One. destruct j as [| [| [| [| j]]]]; [| | | | unfold most_parts in J; lia].
  - simpl. destruct (r =? 0); simpl.
    + split; [intros [<- | []]; exists []; auto | intros [p [[<- | []] <-]]; now left].
    + split; [intros [] | intros [p [[] _]]].
  - simpl sums. destruct (Nat.eqb_spec r 0) as [-> | some].
    + split; [intros [] | intros [p [inside _]]]. apply compositions_spec in inside.
      destruct inside as [L [T P]]. destruct p as [| x [| ]]; try discriminate. simpl in *.
      assert (1 <= x) by auto. lia.
    + rewrite nth_known by auto. split.
      * intros [<- | []]. exists [r]. split; [apply compositions_spec; split; [reflexivity |]; split; [simpl; lia |]; intros m [<- | []]; lia |].
        simpl. apply N.lxor_0_r.
      * intros [p [inside <-]]. apply compositions_spec in inside. destruct inside as [L [T P]].
        destruct p as [| x [| ]]; try discriminate. simpl in *. left. rewrite N.lxor_0_r. f_equal. lia.
  - unfold sums. rewrite pairs by trivial. apply in_compositions_2.
  - unfold sums. rewrite in_flat_map. split.
    + intros [a [there inside]]. apply in_seq in there. cbv zeta in inside. rewrite pairs in inside by lia.
      rewrite nth_known in inside by (destruct (Nat.eq_dec a n) as [-> |]; [| lia];
        replace (r - n) with 0 in inside by lia; destruct inside).
      apply in_map_iff in inside. destruct inside as [u [<- inside]]. apply in_compositions_2 in inside.
      destruct inside as [piles [I <-]]. apply compositions_spec in I. destruct I as [L [T P]].
      exists (a :: piles). split; [| reflexivity]. apply compositions_spec.
      split; [simpl; lia |]. split; [simpl; lia |]. intros m [<- | later]; [lia | auto].
    + intros [piles [inside <-]]. apply compositions_spec in inside. destruct inside as [L [T P]].
      destruct piles as [| a rest]; [discriminate |]. simpl in L, T.
      assert (1 <= a) by (apply P; now left).
      assert (1 <= list_sum rest) as more.
      { destruct rest as [| b rest]; [discriminate |]. simpl. assert (1 <= b) by (apply P; simpl; auto). lia. }
      exists a. split; [apply in_seq; lia |]. cbv zeta. rewrite nth_known, pairs by lia.
      simpl nim_sum. apply in_map. apply in_compositions_2. exists rest. split; [| reflexivity].
      apply compositions_spec. split; [lia |]. split; [lia |]. intros m later. apply P. now right.
Qed.

End Known.

(** The value of the next heap after those with known values. *)
Definition next (c : code) (known : list N) : N :=
  let n := length known in
  quick_mex (flat_map (fun k =>
    flat_map (fun j => if allows c k j then sums j (n - k) known else []) (seq 0 (S most_parts)))
  (seq 0 (Nat.min (length c) (S n)))).

Fixpoint values (c : code) (count : nat) : list N :=
  match count with
  | O => []
  | S rest => let known := values c rest in known ++ [next c known]
  end.

Lemma allows_one c k j : allows c k j = true -> j = 1 -> 1 <= k.
Proof.
  unfold allows. intros A ->. apply andb_true_iff in A. destruct A as [_ A].
  apply orb_true_iff in A. destruct A as [A | A]; [now apply Nat.leb_le | discriminate].
Qed.

Theorem values_are_right c count : values c count = map (G c) (seq 0 count).
Proof.
  induction count as [| n IH]; [reflexivity |]. cbn [values]. rewrite IH, seq_S, map_app. f_equal. simpl. f_equal.
  rewrite G_rule. unfold next. rewrite quick_mex_is_mex, map_length, seq_length. apply mex_ext.
  intros v. rewrite in_flat_map, in_map_iff. split.
  - intros [k [K inside]]. apply in_flat_map in inside. destruct inside as [j [J inside]].
    destruct (allows c k j) eqn:A; [| destruct inside].
    apply in_seq in J. unfold most_parts in J.
    apply (sums_spec (G c) n) in inside; [| unfold most_parts; lia | lia | intros one; pose proof (allows_one _ _ _ A one)].
    + destruct inside as [piles [inside E]]. exists piles. split; [exact E |].
      unfold moves. apply in_flat_map. exists k. split; [exact K |]. apply in_flat_map. exists j.
      split; [apply in_seq; unfold most_parts; lia |]. now rewrite A.
    + apply in_seq in K. lia.
  - intros [piles [E inside]]. unfold moves in inside. apply in_flat_map in inside.
    destruct inside as [k [K inside]]. apply in_flat_map in inside. destruct inside as [j [J inside]].
    destruct (allows c k j) eqn:A; [| destruct inside].
    exists k. split; [exact K |]. apply in_flat_map. exists j. split; [exact J |]. rewrite A.
    apply in_seq in J. apply (sums_spec (G c) n); [lia | lia | | eauto].
    intros one. pose proof (allows_one _ _ _ A one). apply in_seq in K. lia.
Qed.
