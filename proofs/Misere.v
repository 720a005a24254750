(** * Misère play of heaps and commutative monoids

    T. E. Plambeck, Taming the wild in impartial combinatorial games, Integers 5 (2005), G5; T. E.
    Plambeck and A. N. Siegel, Misère quotients for impartial games, J. Combin. Theory Ser. A 115
    (2008), 593-622.

    In misère play the values of heaps do not determine the outcome of a row of heaps. Instead each
    heap is given an element of a commutative monoid, and the product of the elements of a row
    determines its outcome. *)

From Coq Require Import List Bool Arith Lia.
From Proofs Require Import Games Heaps.
Import ListNotations.

(** ** A row of heaps as a game *)

(** The sum is associative, and the game without moves is its identity. Since games are lists of
    options, both sides are equal. *)
Lemma sum_assoc g h k : ((g + h) + k = g + (h + k))%game.
Proof.
  revert h k. induction g as [g IHg] using play_induction.
  induction h as [h IHh] using play_induction. induction k as [k IHk] using play_induction.
  destruct g as [l], h as [m], k as [n]. simpl in IHg, IHh, IHk.
  cbn [sum]. f_equal. rewrite !map_app, !map_map, <- app_assoc. f_equal; [| f_equal].
  - apply map_ext_in. intros o there. exact (IHg o there (Game m) (Game n)).
  - apply map_ext_in. intros o there. exact (IHh o there (Game n)).
  - apply map_ext_in. intros o there. exact (IHk o there).
Qed.

Lemma zero_sum g : (zero + g = g)%game.
Proof.
  induction g as [g IH] using play_induction. destruct g as [l]. simpl in IH |- *.
  f_equal. rewrite <- (map_id l) at 2. apply map_ext_in. exact IH.
Qed.

Lemma sum_of_app l m : sum_of (l ++ m) = (sum_of l + sum_of m)%game.
Proof.
  induction l as [| g l IH]; simpl; [now rewrite zero_sum |]. unfold sum_of in *. rewrite IH. symmetry. apply sum_assoc.
Qed.

Section Rules.

(** The rules: the lists of heaps by which a move replaces a heap. *)
Variable moves : nat -> list (list nat).
Hypothesis smaller : forall n piles, In piles (moves n) -> forall m, In m piles -> m < n.

Definition position (row : list nat) : game := sum_of (map (heap moves) row).

(** One heap is replaced, the others remain. *)
Inductive leads_to : list nat -> list nat -> Prop :=
| Replace n piles rest : In piles (moves n) -> leads_to (n :: rest) (piles ++ rest)
| Keep n rest row : leads_to rest row -> leads_to (n :: rest) (n :: row).

Theorem options_of_a_row row o :
  In o (options (position row)) <-> exists row', leads_to row row' /\ o = position row'.
Proof.
  revert o. induction row as [| n rest IH]; intros o; [split; [intros [] | intros [row' [to _]]; inversion to] |].
  change (position (n :: rest)) with (heap moves n + position rest)%game. rewrite options_of_a_sum. split.
  - intros [[x [there ->]] | [y [there ->]]].
    + rewrite options_of_a_heap in there by exact smaller. apply in_map_iff in there. destruct there as [piles [<- there]].
      exists (piles ++ rest). split; [now apply Replace |]. unfold position. now rewrite map_app, sum_of_app.
    + apply IH in there. destruct there as [row' [to ->]]. exists (n :: row'). split; [now apply Keep | reflexivity].
  - intros [row' [to ->]]. inversion to as [n' piles rest' there | n' rest' row'' to']; subst.
    + left. exists (sum_of (map (heap moves) piles)). split.
      * rewrite options_of_a_heap by exact smaller. now apply (in_map (fun piles => sum_of (map (heap moves) piles))).
      * unfold position. now rewrite map_app, sum_of_app.
    + right. exists (position row''). split; [apply IH; eauto | reflexivity].
Qed.

(** P in misère play: the player to move loses. *)
Definition misere_P (row : list nat) : Prop := next_wins_misere (position row) = false.

(** A row is P if and only if it has a move and no option is P. *)
Lemma misere_P_rule row :
  misere_P row <-> (exists row', leads_to row row') /\ forall row', leads_to row row' -> ~ misere_P row'.
Proof.
  unfold misere_P. split.
  - intros lost. split.
    + destruct (options (position row)) as [| o l] eqn:E.
      * assert (next_wins_misere (position row) = true) by (apply misere_N_iff; now left). congruence.
      * destruct (proj1 (options_of_a_row row o)) as [row' [to _]]; [rewrite E; now left | eauto].
    + intros row' to lost'. assert (next_wins_misere (position row) = true); [| congruence].
      apply misere_N_iff. right. exists (position row'). split; [apply options_of_a_row; eauto | exact lost'].
  - intros [[row' to] all]. apply not_true_iff_false. intros won. apply misere_N_iff in won. destruct won as [none | [o [there lost]]].
    + assert (In (position row') (options (position row))) as there by (apply options_of_a_row; eauto). now rewrite none in there.
    + apply options_of_a_row in there. destruct there as [row'' [to' ->]]. exact (all row'' to' lost).
Qed.

(** ** Elements *)

Variable element : Type.
Variable one : element.
Variable times : element -> element -> element.

(** The elements of the monoid. *)
Variable is_element : element -> Prop.
Hypothesis one_exists : is_element one.
Hypothesis times_exists : forall x y, is_element x -> is_element y -> is_element (times x y).
Hypothesis one_times : forall x, is_element x -> times one x = x.
Hypothesis commutative : forall x y, is_element x -> is_element y -> times x y = times y x.

(** The element of a heap, for the heaps considered. *)
Variable Phi : nat -> element.
Variable inside : nat -> Prop.
Hypothesis Phi_exists : forall n, inside n -> is_element (Phi n).
Hypothesis closed : forall n piles, inside n -> In piles (moves n) -> forall m, In m piles -> inside m.

(** Associativity if the middle factor is the element of a heap. By Light's test it follows for all
    products (A. H. Clifford, G. B. Preston, The Algebraic Theory of Semigroups I, 1961, section
    1.2). *)
Hypothesis light : forall x n y, is_element x -> inside n -> is_element y -> times (times x (Phi n)) y = times x (times (Phi n) y).

(** The element of a row. *)
Fixpoint product (row : list nat) : element :=
  match row with
  | [] => one
  | n :: rest => times (Phi n) (product rest)
  end.

Definition all_inside (row : list nat) : Prop := forall n, In n row -> inside n.

Lemma product_exists row : all_inside row -> is_element (product row).
Proof.
  induction row as [| n rest IH]; intros here; simpl; [exact one_exists |].
  apply times_exists; [apply Phi_exists, here; now left | apply IH; intros m there; apply here; now right].
Qed.

Lemma brackets row : all_inside row ->
  forall x y, is_element x -> is_element y -> times (times x (product row)) y = times x (times (product row) y).
Proof.
  induction row as [| n rest IH]; intros here x y X Y; simpl.
  - now rewrite (commutative x one), !one_times by (trivial; now apply times_exists).
  - assert (inside n) as N by (apply here; now left).
    assert (all_inside rest) as R by (intros m there; apply here; now right).
    pose proof (product_exists rest R) as P. pose proof (Phi_exists n N) as F.
    rewrite <- (light x n (product rest)) by trivial.
    rewrite (IH R (times x (Phi n)) y) by (trivial; now apply times_exists).
    rewrite (light x n) by (trivial; now apply times_exists).
    now rewrite (IH R (Phi n) y) by trivial.
Qed.

Lemma product_app l m : all_inside l -> all_inside m -> product (l ++ m) = times (product l) (product m).
Proof.
  intros L M. induction l as [| n l IH]; simpl; [now rewrite one_times by now apply product_exists |].
  assert (inside n) as N by (apply L; now left).
  assert (all_inside l) as L' by (intros k there; apply L; now right).
  rewrite (IH L'). symmetry. apply brackets; trivial; [now apply Phi_exists | now apply product_exists].
Qed.

Lemma stays_inside row row' : leads_to row row' -> all_inside row -> all_inside row'.
Proof.
  induction 1 as [n piles rest there | n rest row' to IH]; intros here m I.
  - apply in_app_iff in I. destruct I as [I | I]; [| apply here; now right].
    apply (closed n piles); trivial. apply here. now left.
  - destruct I as [<- | I]; [apply here; now left |]. apply IH; trivial. intros k K. apply here. now right.
Qed.

(** ** Transitions

    The transition of a row is its element together with those of its options. It determines the
    transition of the row with one more heap. *)
Definition elements_of_options (row : list nat) (y : element) : Prop := exists row', leads_to row row' /\ product row' = y.

Definition elements_of_moves (n : nat) (y : element) : Prop := exists piles, In piles (moves n) /\ product piles = y.

Lemma no_options y : ~ elements_of_options [] y.
Proof. intros [row' [to _]]. inversion to. Qed.

Theorem next_transition n rest : inside n -> all_inside rest -> forall y,
  elements_of_options (n :: rest) y <->
  (exists a, elements_of_moves n a /\ times a (product rest) = y) \/
  (exists b, elements_of_options rest b /\ times (Phi n) b = y).
Proof.
  intros N R y. split.
  - intros [row' [to <-]]. inversion to as [n' piles rest' there | n' rest' row'' to']; subst.
    + left. exists (product piles). split; [exists piles; auto |].
      symmetry. apply product_app; trivial. intros m. now apply (closed n).
    + right. exists (product row''). split; [exists row''; auto | reflexivity].
  - intros [[a [[piles [there <-]] <-]] | [b [[row' [to <-]] <-]]].
    + exists (piles ++ rest). split; [now apply Replace |]. apply product_app; trivial. intros m. now apply (closed n).
    + exists (n :: row'). split; [now apply Keep | reflexivity].
Qed.

(** ** The theorem

    Suppose that in every transition the element is losing if and only if there are options and none
    of them is losing. Then the losing elements are those of the rows that are P. *)
Variable losing : element -> Prop.

Definition holds (row : list nat) : Prop :=
  losing (product row) <->
  (exists y, elements_of_options row y) /\ forall y, elements_of_options row y -> ~ losing y.

Theorem the_monoid_is_right :
  (forall row, all_inside row -> holds row) ->
  forall row, all_inside row -> misere_P row <-> losing (product row).
Proof.
  intros all.
  assert (forall g row, g = position row -> all_inside row -> misere_P row <-> losing (product row)) as it.
  { induction g as [g IH] using play_induction. intros row -> here.
    assert (forall row', leads_to row row' -> misere_P row' <-> losing (product row')) as options.
    { intros row' to. apply (IH (position row')); [apply options_of_a_row; eauto | reflexivity | now apply (stays_inside row)]. }
    pose proof (all row here) as says. unfold holds in says. rewrite misere_P_rule, says. split; (intros [[x to] none]; split).
    - exists (product x), x. auto.
    - intros y [row' [to' <-]] lost. apply (none row' to'). now apply options.
    - destruct to as [row' [to _]]. eauto.
    - intros row' to' lost. apply (none (product row')); [exists row'; auto | now apply options]. }
  intros row. now apply (it (position row)).
Qed.

(** Two rows are equivalent if no third row distinguishes them in sums. Suppose that every element
    is that of a row. Suppose also that any two elements have a third such that one product is
    losing and the other is not. Then the elements are the equivalence classes of rows, that is, the
    monoid is the misère quotient. *)
Definition equivalent (X Y : list nat) : Prop :=
  forall Z, all_inside Z -> (misere_P (X ++ Z) <-> misere_P (Y ++ Z)).

Theorem elements_are_classes :
  (forall row, all_inside row -> holds row) ->
  (forall x, is_element x -> exists row, all_inside row /\ product row = x) ->
  (forall x y, is_element x -> is_element y -> (forall z, is_element z -> losing (times x z) <-> losing (times y z)) -> x = y) ->
  forall X Y, all_inside X -> all_inside Y -> (equivalent X Y <-> product X = product Y).
Proof.
  intros all occur apart X Y HX HY.
  assert (forall X Z, all_inside X -> all_inside Z -> misere_P (X ++ Z) <-> losing (times (product X) (product Z))) as beside.
  { intros A Z HA HZ. rewrite (the_monoid_is_right all), product_app by (trivial; intros n I; apply in_app_iff in I; destruct I; auto).
    reflexivity. }
  split.
  - intros same. apply apart; try now apply product_exists. intros z there. destruct (occur z there) as [Z [HZ <-]].
    rewrite <- !beside by trivial. now apply same.
  - intros same Z HZ. rewrite !beside, same by trivial. reflexivity.
Qed.

End Rules.
