(** * Taking-and-breaking games

    R. K. Guy and C. A. B. Smith, The G-values of various games, Proc. Camb. Phil. Soc. 52 (1956),
    514-526.

    A code d0.d1 d2 d3 ... describes the moves from a heap. If the digit d_k has the bit 2^j, then k
    chips may be taken from a heap so that the rest is left as exactly j nonempty heaps. Codes with
    j up to 2 have octal digits, and those with j up to 3 hexadecimal digits. *)

From Coq Require Import List Bool Arith NArith Lia.
From Proofs Require Import Games Nimbers SpragueGrundy Heaps.
Import ListNotations.

(** The digits, with that for k chips at index k. A move that takes no chip must split the heap. *)
Definition code := list N.

Definition allows (c : code) (k j : nat) : bool :=
  N.testbit (nth k c 0%N) (N.of_nat j) && ((1 <=? k) || (2 <=? j)).

(** The largest number of heaps that a move may leave. *)
Definition most_parts : nat := 3.

(** All ordered ways to leave a rest r as j nonempty heaps. *)
Fixpoint compositions (j r : nat) : list (list nat) :=
  match j with
  | O => if r =? 0 then [[]] else []
  | S i => flat_map (fun a => map (cons a) (compositions i (r - a))) (seq 1 r)
  end.

Lemma compositions_spec : forall j r piles,
  In piles (compositions j r) <->
  length piles = j /\ list_sum piles = r /\ (forall m, In m piles -> 1 <= m).
Proof.
  induction j as [| j IH]; intros r piles; simpl.
  - split.
    + destruct (Nat.eqb_spec r 0) as [-> |]; intros []; [subst; simpl; intuition | contradiction].
    + intros [none [total _]]. destruct piles; [| discriminate]. simpl in total. subst. now left.
  - rewrite in_flat_map. split.
    + intros [a [there inside]]. apply in_seq in there. apply in_map_iff in inside.
      destruct inside as [rest [<- inside]]. apply IH in inside. destruct inside as [L [T P]].
      simpl. repeat split; [lia | lia |]. intros m [<- | later]; [lia | auto].
    + intros [L [T P]]. destruct piles as [| a rest]; [discriminate |]. simpl in *.
      exists a. assert (1 <= a) by (apply P; now left). split; [apply in_seq; lia |].
      apply in_map. apply IH. repeat split; [lia | lia | auto].
Qed.

(** The moves from a heap of n. *)
Definition moves (c : code) (n : nat) : list (list nat) :=
  flat_map (fun k =>
    flat_map (fun j => if allows c k j then compositions j (n - k) else []) (seq 0 (S most_parts)))
  (seq 0 (Nat.min (length c) (S n))).

Theorem moves_spec c n piles :
  In piles (moves c n) <->
  exists k, k <= n /\ k < length c /\ length piles <= most_parts /\ allows c k (length piles) = true /\
    list_sum piles = n - k /\ (forall m, In m piles -> 1 <= m).
Proof.
  unfold moves. rewrite in_flat_map. split.
  - intros [k [K inside]]. apply in_seq in K. apply in_flat_map in inside.
    destruct inside as [j [J inside]]. apply in_seq in J.
    destruct (allows c k j) eqn:A; [| destruct inside].
    apply compositions_spec in inside. destruct inside as [<- [T P]].
    exists k. repeat split; auto; lia.
  - intros [k [K [L [J [A [T P]]]]]]. exists k. split; [apply in_seq; lia |].
    apply in_flat_map. exists (length piles). split; [apply in_seq; lia |]. rewrite A.
    now apply compositions_spec.
Qed.

Lemma part_of_sum m l : In m l -> m <= list_sum l.
Proof. induction l as [| x l IH]; simpl; [easy |]. intros [-> | later]; [lia | apply IH in later; lia]. Qed.

Theorem moves_make_smaller c n piles : In piles (moves c n) -> forall m, In m piles -> m < n.
Proof.
  intros there m inside. apply moves_spec in there. destruct there as [k [K [_ [_ [A [T P]]]]]].
  assert (m <= list_sum piles) by (now apply part_of_sum).
  unfold allows in A. apply andb_true_iff in A. destruct A as [_ A]. apply orb_true_iff in A.
  destruct A as [A | A]; apply Nat.leb_le in A.
  - assert (m <= n - k) by lia. destruct (Nat.eq_dec m n); [| lia].
    assert (1 <= m) by auto. lia.
  - destruct piles as [| x [| y rest]]; simpl in *; try lia.
    assert (1 <= x /\ 1 <= y) as [] by auto. destruct inside as [<- | [<- | later]]; try lia.
    apply part_of_sum in later. lia.
Qed.

(** The value of a heap in the game of a code. *)
Definition G (c : code) (n : nat) : N := value (moves c) n.

Lemma G_rule c n : G c n = mex (map (fun piles => nim_sum (map (G c) piles)) (moves c n)).
Proof. apply value_rule, moves_make_smaller. Qed.

(** Two heaps have equal values if their moves leave the same nim-sums. *)
Lemma equal_values c m n :
  (forall piles, In piles (moves c m) ->
    exists other, In other (moves c n) /\ nim_sum (map (G c) other) = nim_sum (map (G c) piles)) ->
  (forall piles, In piles (moves c n) ->
    exists other, In other (moves c m) /\ nim_sum (map (G c) other) = nim_sum (map (G c) piles)) ->
  G c m = G c n.
Proof.
  intros there back. rewrite (G_rule c m), (G_rule c n). apply mex_ext. intros v. rewrite !in_map_iff.
  split; intros [piles [<- inside]].
  - destruct (there _ inside) as [other [I E]]. eauto.
  - destruct (back _ inside) as [other [I E]]. eauto.
Qed.

(** ** Periods

    If the values are periodic with period p from n0 on for long enough, they are periodic
    forever. *)

(** Among several heaps, one is at least as large as their mean. *)
Lemma large_part piles j total b :
  length piles <= j -> list_sum piles = total -> j * b <= total + (j - 1) -> 1 <= total ->
  exists before x after, piles = before ++ x :: after /\ b <= x.
Proof.
  intros short T enough some.
  assert ((exists x, In x piles /\ b <= x) \/ forall x, In x piles -> x < b) as [[x [I B]] | all].
  { clear. induction piles as [| x l IH]; [right; easy |].
    destruct (le_lt_dec b x); [left; exists x; split; [now left | trivial] |].
    destruct IH as [[y [I B]] | all]; [left; exists y; split; [now right | trivial] |].
    right. intros y [<- | later]; auto. }
  - apply in_split in I. destruct I as [before [after ->]]. eauto.
  - exfalso.
    assert (list_sum piles <= length piles * (b - 1)) as most.
    { clear - all. induction piles as [| x l IH]; simpl; [lia |].
      assert (x < b) by (apply all; now left).
      assert (list_sum l <= length l * (b - 1)) by (apply IH; intros; apply all; now right). lia. }
    destruct (Nat.eq_dec (length piles) 0) as [none | one].
    + apply length_zero_iff_nil in none. subst. simpl in *. lia.
    + assert (b <> 0) by (destruct piles as [| x l]; [easy |]; assert (x < b) by (apply all; now left); lia).
      nia.
Qed.

Lemma nim_sum_app l m : nim_sum (l ++ m) = N.lxor (nim_sum l) (nim_sum m).
Proof. induction l as [| x l IH]; simpl; [reflexivity |]. now rewrite IH, N.lxor_assoc. Qed.

(** The code leaves at most t heaps. *)
Definition parts_at_most (c : code) (t : nat) : Prop :=
  forall k j, allows c k j = true -> j <= most_parts -> j <= t.

(** Beyond this bound, heap n + p has the moves of heap n, with p more chips in one large heap, *)
Lemma a_part_shrinks c t n0 p n piles :
  parts_at_most c t -> 1 <= t -> 1 <= n0 -> t * n0 + (t - 1) * p + (length c - 1) <= n -> In piles (moves c (n + p)) ->
  exists before x after, piles = before ++ (x + p) :: after /\ n0 <= x < n /\ In (before ++ x :: after) (moves c n).
Proof.
  intros parts some first high there. pose proof (moves_make_smaller _ _ _ there) as less. apply moves_spec in there.
  destruct there as [k [K [L [J [A [T P]]]]]]. assert (length piles <= t) as short by (now apply (parts k)).
  assert (p * t = p + (t - 1) * p) as tp by nia.
  destruct (large_part piles t (n + p - k) (n0 + p)) as [before [x [after [-> B]]]]; auto; try nia.
  assert (In x (before ++ x :: after)) as I by (apply in_elt). specialize (less x I).
  exists before, (x - p), after. split; [now replace (x - p + p) with x by lia |]. split; [lia |].
  apply moves_spec. exists k. rewrite app_length in *. simpl length in *. rewrite list_sum_app in *. simpl in T |- *.
  repeat split; auto; try lia.
  intros m inside. apply in_app_iff in inside. simpl in inside.
  destruct inside as [I' | [<- | I']]; [apply P, in_app_iff; now left | lia | apply P, in_app_iff; right; now right].
Qed.

(** and no others. *)
Lemma a_part_grows c t n0 p n piles :
  parts_at_most c t -> 1 <= t -> 1 <= n0 -> t * n0 + (t - 1) * p + (length c - 1) <= n -> In piles (moves c n) ->
  exists before x after, piles = before ++ x :: after /\ n0 <= x < n /\ In (before ++ (x + p) :: after) (moves c (n + p)).
Proof.
  intros parts some first high there. pose proof (moves_make_smaller _ _ _ there) as less. apply moves_spec in there.
  destruct there as [k [K [L [J [A [T P]]]]]]. assert (length piles <= t) as short by (now apply (parts k)).
  destruct (large_part piles t (n - k) n0) as [before [x [after [-> B]]]]; auto; try nia.
  assert (In x (before ++ x :: after)) as I by (apply in_elt). specialize (less x I).
  exists before, x, after. split; [reflexivity |]. split; [lia |].
  apply moves_spec. exists k. rewrite app_length in *. simpl length in *. rewrite list_sum_app in *. simpl in T |- *.
  repeat split; auto; try lia.
  intros m inside. apply in_app_iff in inside. simpl in inside.
  destruct inside as [I' | [<- | I']]; [apply P, in_app_iff; now left | lia | apply P, in_app_iff; right; now right].
Qed.

(** The theorem of Guy and Smith. With octal digits t is 2, with hexadecimal ones 3; the last digit
    has index [length c - 1]. *)
Theorem periods c t n0 p :
  parts_at_most c t -> 1 <= t -> 1 <= n0 ->
  (forall n, n0 <= n -> n < t * n0 + (t - 1) * p + (length c - 1) -> G c (n + p) = G c n) ->
  forall n, n0 <= n -> G c (n + p) = G c n.
Proof.
  intros parts some first seen n. induction n as [n IH] using lt_wf_ind. intros above.
  destruct (lt_dec n (t * n0 + (t - 1) * p + (length c - 1))) as [low | high]; [now apply seen |].
  apply equal_values; intros piles there.
  - destruct (a_part_shrinks c t n0 p n piles) as [before [x [after [-> [[X less] there']]]]]; trivial; [lia |].
    exists (before ++ x :: after). split; [exact there' |].
    rewrite !map_app, !nim_sum_app. simpl. now rewrite (IH x less X).
  - destruct (a_part_grows c t n0 p n piles) as [before [x [after [-> [[X less] there']]]]]; trivial; [lia |].
    exists (before ++ (x + p) :: after). split; [exact there' |].
    rewrite !map_app, !nim_sum_app. simpl. now rewrite (IH x less X).
Qed.
