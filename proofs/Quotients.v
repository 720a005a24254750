(** * Verification of misère quotients

    The table of a monoid, its losing elements and the elements of the heaps are given. All
    transitions that occur are found by multiplying those of single heaps. They are finitely many,
    and each one is checked. *)

From Coq Require Import List Bool Arith NArith PArith Lia MSets.MSetPositive FSets.FMapPositive.
From Proofs Require Import Games Heaps TakingAndBreaking Subtraction Repetition Misere Closures.
Import ListNotations.

(** ** The claim *)

(** The table as a tree; row x has the product of x and y at index y. *)
Definition rows_of (table : list (list positive)) : PositiveMap.t (PositiveMap.t positive) := plant 1 (map (plant 1) table).

Lemma times_is_in_the_table table x y :
  times (rows_of table) x y = nth (pred (Pos.to_nat y)) (nth (pred (Pos.to_nat x)) table []) 1%positive.
Proof.
  unfold times, row_of, rows_of. rewrite entry_plant.
  change (PositiveMap.empty positive) with (plant 1 (@nil positive)). rewrite map_nth. apply entry_plant.
Qed.

(** Elements are 1, ..., order. *)
Definition top (table : list (list positive)) : positive := Pos.of_nat (length table).

Definition is_in (table : list (list positive)) (x : positive) : Prop := (x <= top table)%positive.

(** The elements of the listed heaps; [images] has those of 1, 2, ... chips, and the empty heap has
    element 1. *)
Definition planted (images : list positive) : PositiveMap.t positive := plant 1 (1%positive :: images).

Definition listed_element (tree : PositiveMap.t positive) (n : nat) : positive := entry 1%positive tree (Pos.of_succ_nat n).

Lemma listed_element_spec images n : listed_element (planted images) n = nth n (1%positive :: images) 1%positive.
Proof. unfold listed_element, planted. rewrite entry_plant. f_equal. lia. Qed.

(** A larger heap corresponds to a listed one if the elements are periodic with period p from n0
    on. *)
Definition like (repetition : option (nat * nat)) (most n : nat) : nat :=
  match repetition with
  | None => n
  | Some (n0, p) => if n <=? most then n else n0 + (n - n0) mod p
  end.

Definition Phi_of (images : list positive) (repetition : option (nat * nat)) (n : nat) : positive :=
  listed_element (planted images) (like repetition (length images) n).

(** The heaps considered: those listed, or all. *)
Definition spoken_of (images : list positive) (repetition : option (nat * nat)) (n : nat) : Prop :=
  match repetition with None => n <= length images | Some _ => True end.

Section Claim.

Variable moves : nat -> list (list nat).
Variable table : list (list positive).
Variable losing : list positive.
Variable images : list positive.
Variable transitions : list (positive * list positive).
Variable repetition : option (nat * nat).

Let rows := rows_of table.
Let mul := times rows.
Let Phi := Phi_of images repetition.
Let inside := spoken_of images repetition.
Let is_row := all_inside inside.
Let prod := product positive 1%positive mul Phi.
Let lost row := misere_P moves row.

Record quotient_claim : Prop := {
  (** The table is that of a commutative monoid. *)
  products_exist : forall x y, is_in table x -> is_in table y -> is_in table (mul x y);
  identity : forall x, is_in table x -> mul 1%positive x = x;
  order_does_not_matter : forall x y, is_in table x -> is_in table y -> mul x y = mul y x;
  brackets_do_not_matter : forall x y z, is_in table x -> is_in table y -> is_in table z -> mul (mul x y) z = mul x (mul y z);
  (** A row is P in misère play if and only if its element is losing. *)
  losing_rows : forall row, is_row row -> (lost row <-> In (prod row) losing);
  (** The elements are the equivalence classes of rows, and each one is the class of some row. *)
  classes : forall X Y, is_row X -> is_row Y -> (equivalent moves inside X Y <-> prod X = prod Y);
  every_element_occurs : forall x, is_in table x -> exists row, is_row row /\ prod row = x;
  (** The transitions listed are those of the rows. *)
  transitions_occur : forall x F, In (x, F) transitions ->
    exists row, is_row row /\ prod row = x /\ forall y, In y F <-> elements_of_options moves positive 1%positive mul Phi row y;
  transitions_listed : forall row, is_row row ->
    exists F, In (prod row, F) transitions /\ forall y, In y F <-> elements_of_options moves positive 1%positive mul Phi row y;
  (** The elements of the heaps 1, 2, 3, ... are periodic, with minimal preperiod and period. *)
  repetition_is_least : match repetition with
    | None => True
    | Some (n0, p) => 1 <= n0 /\ least_repetition (fun i => Npos (Phi (S i))) (n0 - 1) p 0
    end
}.

(** ** The monoid *)

Local Open Scope positive_scope.

Definition elements (last : positive) : list positive := numbers_from 1 (Pos.to_nat last).

Lemma in_elements last x : In x (elements last) <-> x <= last.
Proof. unfold elements. rewrite in_numbers_from. lia. Qed.

Definition all_up_to (last : positive) (l : list positive) : bool := forallb (fun x => x <=? last) l.

Lemma all_up_to_spec last l : all_up_to last l = true -> forall x, In x l -> x <= last.
Proof. unfold all_up_to. rewrite forallb_forall. intros all x I. now apply Pos.leb_le, all. Qed.

Definition check_table : bool :=
  let last := top table in
  negb (length table =? 0)%nat && forallb (fun row => (length row =? length table)%nat && all_up_to last row) table.

Definition check_identity (rows : PositiveMap.t (PositiveMap.t positive)) (all : list positive) : bool :=
  let row := row_of rows 1 in forallb (fun x => entry 1 row x =? x) all.

Definition check_order (rows : PositiveMap.t (PositiveMap.t positive)) (all : list positive) : bool :=
  forallb (fun x => let row := row_of rows x in forallb (fun y => entry 1 row y =? times rows y x) all) all.

Definition check_brackets (rows : PositiveMap.t (PositiveMap.t positive)) (all middle : list positive) : bool :=
  forallb (fun m => let row_m := row_of rows m in
    forallb (fun x => let row_x := row_of rows x in let row_xm := row_of rows (entry 1 row_x m) in
      forallb (fun y => entry 1 row_xm y =? entry 1 row_x (entry 1 row_m y)) all) all) middle.

Lemma check_table_sound : check_table = true ->
  forall x y, is_in table x -> is_in table y -> is_in table (mul x y).
Proof.
  unfold check_table, is_in. intros checked x y X Y. apply andb_true_iff in checked. destruct checked as [some all].
  apply negb_true_iff, Nat.eqb_neq in some. rewrite forallb_forall in all.
  unfold mul, rows. rewrite times_is_in_the_table.
  assert (Pos.to_nat (top table) = length table) as T by (unfold top; rewrite Nat2Pos.id; lia).
  specialize (all (nth (pred (Pos.to_nat x)) table []) ltac:(apply nth_In; lia)). apply andb_true_iff in all. destruct all as [A B].
  apply Nat.eqb_eq in A. apply (all_up_to_spec _ _ B), nth_In. lia.
Qed.

Lemma check_identity_sound : check_identity rows (elements (top table)) = true -> forall x, is_in table x -> mul 1 x = x.
Proof.
  unfold check_identity. rewrite forallb_forall. intros all x X. apply Pos.eqb_eq. now apply (all x), in_elements.
Qed.

Lemma check_order_sound : check_order rows (elements (top table)) = true ->
  forall x y, is_in table x -> is_in table y -> mul x y = mul y x.
Proof.
  unfold check_order. rewrite forallb_forall. intros all x y X Y. specialize (all x (proj2 (in_elements _ x) X)).
  rewrite forallb_forall in all. apply Pos.eqb_eq. now apply (all y), in_elements.
Qed.

Lemma check_brackets_sound middle : check_brackets rows (elements (top table)) middle = true ->
  forall x m y, is_in table x -> In m middle -> is_in table y -> mul (mul x m) y = mul x (mul m y).
Proof.
  unfold check_brackets. rewrite forallb_forall. intros all x m y X M Y. specialize (all m M). rewrite forallb_forall in all.
  specialize (all x (proj2 (in_elements _ x) X)). rewrite forallb_forall in all.
  apply Pos.eqb_eq. now apply (all y), in_elements.
Qed.

(** *** The distinction of two elements

    Two elements are distinguished by a third one with which exactly one of the products is
    losing. *)

Fixpoint differ (l m : list bool) : bool :=
  match l, m with
  | x :: l', y :: m' => if Bool.eqb x y then differ l' m' else true
  | _, _ => false
  end.

Lemma differ_spec (f g : positive -> bool) l : differ (map f l) (map g l) = true -> exists z, In z l /\ f z <> g z.
Proof.
  induction l as [| z l IH]; simpl; [discriminate |]. destruct (Bool.eqb (f z) (g z)) eqn:E.
  - intros later. destruct (IH later) as [w [I N]]. eauto.
  - intros _. exists z. split; [now left |]. now apply eqb_false_iff.
Qed.

Fixpoint all_differ (l : list (list bool)) : bool :=
  match l with
  | [] => true
  | x :: l' => forallb (differ x) l' && all_differ l'
  end.

Lemma all_differ_spec (f : positive -> list bool) l : all_differ (map f l) = true ->
  forall x y, In x l -> In y l -> x <> y -> differ (f x) (f y) = true \/ differ (f y) (f x) = true.
Proof.
  induction l as [| a l IH]; simpl; [contradiction |]. intros checked. apply andb_true_iff in checked. destruct checked as [one rest].
  rewrite forallb_forall in one.
  intros x y [<- | X] [<- | Y] other; [easy | left; now apply one, in_map | right; now apply one, in_map | now apply IH].
Qed.

Definition check_apart (rows : PositiveMap.t (PositiveMap.t positive)) (all : list positive) (lost : PositiveSet.t) : bool :=
  all_differ (map (fun x => let row := row_of rows x in map (fun z => PositiveSet.mem (entry 1 row z) lost) all) all).

Lemma mem_iff s x : PositiveSet.mem x s = true <-> PositiveSet.In x s.
Proof. apply PositiveSet.mem_spec. Qed.

Lemma check_apart_sound : check_apart rows (elements (top table)) (set_of losing) = true ->
  forall x y, is_in table x -> is_in table y ->
  (forall z, is_in table z -> In (mul x z) losing <-> In (mul y z) losing) -> x = y.
Proof.
  intros checked x y X Y same. destruct (Pos.eq_dec x y) as [it | other]; [exact it | exfalso].
  apply in_elements in X, Y.
  assert (forall z, In z (elements (top table)) ->
    PositiveSet.mem (entry 1 (row_of rows x) z) (set_of losing) = PositiveSet.mem (entry 1 (row_of rows y) z) (set_of losing)) as equal.
  { intros z Z. apply in_elements in Z. specialize (same z Z). apply eq_true_iff_eq. rewrite !mem_iff, !set_of_spec. exact same. }
  destruct (all_differ_spec _ _ checked x y X Y other) as [D | D]; apply differ_spec in D; destruct D as [z [I N]]; apply N;
    [| symmetry]; now apply equal.
Qed.

(** ** The transitions *)

(** The transition of a single heap. *)
Definition transition_of (rows : PositiveMap.t (PositiveMap.t positive)) (tree : PositiveMap.t positive) (n : nat) : transition :=
  (listed_element tree n, set_of (map (product positive 1 (times rows) (listed_element tree)) (moves n))).

Definition generators_of (rows : PositiveMap.t (PositiveMap.t positive)) (tree : PositiveMap.t positive) (most : nat) : list transition :=
  fst (collect (map (transition_of rows tree) (seq 0 (S most)))).

(** The element is losing if and only if there are options and none of them is losing. *)
Definition check_transition (lost : PositiveSet.t) (t : transition) : bool :=
  Bool.eqb (PositiveSet.mem (fst t) lost)
    (negb (PositiveSet.is_empty (snd t)) && PositiveSet.is_empty (PositiveSet.inter (snd t) lost)).

Lemma is_empty_spec s : PositiveSet.is_empty s = true <-> forall y, ~ PositiveSet.In y s.
Proof. apply PositiveSet.is_empty_spec. Qed.

Lemma check_transition_sound t : check_transition (set_of losing) t = true ->
  (In (fst t) losing <-> (exists y, PositiveSet.In y (snd t)) /\ forall y, PositiveSet.In y (snd t) -> ~ In y losing).
Proof.
  unfold check_transition. intros checked. apply eqb_prop in checked.
  rewrite <- (set_of_spec losing (fst t)), <- mem_iff, checked, andb_true_iff, negb_true_iff. split.
  - intros [some none]. split.
    + destruct (PositiveSet.choose (snd t)) as [y |] eqn:E; [exists y; now apply PositiveSet.choose_spec1 |].
      apply PositiveSet.choose_spec2 in E. assert (PositiveSet.is_empty (snd t) = true) by (apply is_empty_spec; exact E). congruence.
    + intros y I L. apply (proj1 (is_empty_spec _) none y). apply PositiveSet.inter_spec. split; [exact I | now apply set_of_spec].
  - intros [[y I] none]. split.
    + apply not_true_iff_false. intros empty. exact (proj1 (is_empty_spec _) empty y I).
    + apply is_empty_spec. intros z Z. apply PositiveSet.inter_spec in Z. destruct Z as [Z L]. apply set_of_spec in L. exact (none z Z L).
Qed.

Definition as_transition (t : positive * list positive) : transition := (fst t, set_of (snd t)).

(** The listed transitions are those found, without repetition. *)
Definition check_listed (found listed : list transition) : bool :=
  let once := collect listed in
  let known := collect found in
  forallb (has (snd once)) found && forallb (has (snd known)) listed && (length (fst once) =? length listed)%nat.

Lemma check_listed_sound found listed : check_listed found listed = true ->
  (forall t, In t found -> exists t', In t' listed /\ same t' t) /\ (forall t, In t listed -> exists t', In t' found /\ same t' t).
Proof.
  unfold check_listed. rewrite !andb_true_iff, !forallb_forall. intros [[A B] _]. split; intros t I.
  - now apply (proj1 (collect_spec listed)), A.
  - now apply (proj1 (collect_spec found)), B.
Qed.

(** Every element is that of some transition. *)
Definition check_all_occur (all : list positive) (found : list transition) : bool :=
  let those := set_of (map fst found) in forallb (fun x => PositiveSet.mem x those) all.

Local Close Scope positive_scope.

(** ** From the checks to the claim *)

Hypothesis smaller : forall n piles, In piles (moves n) -> forall m, In m piles -> m < n.

(** Each heap considered corresponds to a listed one with the same element and the same elements of
    its moves. *)
Hypothesis covered : forall n, inside n -> exists m, m <= length images /\ Phi n = Phi m /\
  forall y, elements_of_moves moves positive 1%positive mul Phi n y <-> elements_of_moves moves positive 1%positive mul Phi m y.

Lemma inside_closed n piles : inside n -> In piles (moves n) -> forall m, In m piles -> inside m.
Proof.
  unfold inside, spoken_of. destruct repetition; [trivial |]. intros here there m I. specialize (smaller n piles there m I). lia.
Qed.

Lemma listed_are_inside n : n <= length images -> inside n.
Proof. unfold inside, spoken_of. destruct repetition; trivial. Qed.

Lemma Phi_listed n : n <= length images -> Phi n = listed_element (planted images) n.
Proof.
  intros less. unfold Phi, Phi_of, like. destruct repetition as [[n0 p] |]; [| reflexivity].
  apply Nat.leb_le in less. now rewrite less.
Qed.

Lemma transition_of_spec n : n <= length images -> forall y,
  PositiveSet.In y (snd (transition_of rows (planted images) n)) <-> elements_of_moves moves positive 1%positive mul Phi n y.
Proof.
  intros less y. unfold transition_of, elements_of_moves. cbn [snd]. rewrite set_of_spec, in_map_iff.
  assert (forall piles, In piles (moves n) -> product positive 1%positive mul (listed_element (planted images)) piles = prod piles) as equal.
  { intros piles there. assert (forall m, In m piles -> m <= length images) as small.
    { intros m I. specialize (smaller n piles there m I). lia. }
    clear there. unfold prod. induction piles as [| m piles IH]; [reflexivity |]. simpl.
    rewrite IH by (intros k K; apply small; now right). rewrite Phi_listed by (apply small; now left). reflexivity. }
  split; intros [piles [A B]]; exists piles; split; trivial; specialize (equal piles ltac:(assumption)); unfold prod, mul in *; congruence.
Qed.

Theorem quotient_sound fuel found :
  check_table = true ->
  all_up_to (top table) images = true ->
  let all := elements (top table) in
  let generators := generators_of rows (planted images) (length images) in
  check_identity rows all = true ->
  check_order rows all = true ->
  check_brackets rows all (map fst generators) = true ->
  check_apart rows all (set_of losing) = true ->
  closure rows generators fuel = Some found ->
  check_all_occur all found = true ->
  forallb (check_transition (set_of losing)) found = true ->
  check_listed found (map as_transition transitions) = true ->
  match repetition with
  | None => True
  | Some (n0, p) => 1 <= n0 /\ least_repetition (fun i => Npos (Phi (S i))) (n0 - 1) p 0
  end ->
  quotient_claim.
Proof.
  intros T I all generators C1 C2 C3 C4 C5 C6 C7 C8 C9.
  pose proof (check_table_sound T) as exist. pose proof (check_identity_sound C1) as id. pose proof (check_order_sound C2) as comm.
  pose proof (check_apart_sound C4) as apart.
  destruct (collect_spec (map (transition_of rows (planted images)) (seq 0 (S (length images))))) as [_ [G1 G2]].
  assert (is_in table 1%positive) as one by (unfold is_in; lia).
  (* Each heap has a generator, and each generator is that of a heap. *)
  assert (forall n, inside n -> exists g, In g generators /\ fst g = Phi n /\
    forall y, PositiveSet.In y (snd g) <-> elements_of_moves moves positive 1%positive mul Phi n y) as generated.
  { intros n here. destruct (covered n here) as [m [less [E S]]].
    destruct (G1 (transition_of rows (planted images) m)) as [g [J [E' S']]]; [apply in_map, in_seq; lia |].
    exists g. split; [exact J |]. split.
    - rewrite E', E, Phi_listed by exact less. reflexivity.
    - intros y. rewrite (S' y), (transition_of_spec m less y). symmetry. apply S. }
  assert (forall g, In g generators -> exists n, n <= length images /\ fst g = Phi n /\
    forall y, PositiveSet.In y (snd g) <-> elements_of_moves moves positive 1%positive mul Phi n y) as generates.
  { intros g J. apply G2, in_map_iff in J. destruct J as [n [<- J]]. apply in_seq in J. exists n. split; [lia |]. split.
    - symmetry. apply Phi_listed. lia.
    - apply transition_of_spec. lia. }
  assert (forall n, inside n -> is_in table (Phi n)) as Phi_in.
  { intros n here. destruct (generated n here) as [g [J [<- _]]]. destruct (generates g J) as [m [less [-> _]]].
    rewrite Phi_listed, listed_element_spec by exact less. destruct m as [| m]; [exact one |]. simpl.
    apply (all_up_to_spec _ _ I), nth_In. lia. }
  assert (forall x n y, is_in table x -> inside n -> is_in table y -> mul (mul x (Phi n)) y = mul x (mul (Phi n) y)) as light.
  { intros x n y X here Y. destruct (generated n here) as [g [J [<- _]]]. apply (check_brackets_sound _ C3); trivial. now apply in_map. }
  pose proof (product_exists positive 1%positive mul (is_in table) one exist Phi inside Phi_in) as prod_in.
  pose proof (brackets positive 1%positive mul (is_in table) one exist id comm Phi inside Phi_in light) as bracket.
  pose proof (next_transition moves positive 1%positive mul (is_in table) one exist id comm Phi inside Phi_in inside_closed light) as next_is.
  (* The transitions found are those of the rows. *)
  set (describes := fun (t : transition) row => all_inside inside row /\ fst t = prod row /\
    forall y, PositiveSet.In y (snd t) <-> elements_of_options moves positive 1%positive mul Phi row y).
  assert (forall t row g n, describes t row -> inside n -> fst g = Phi n ->
    (forall y, PositiveSet.In y (snd g) <-> elements_of_moves moves positive 1%positive mul Phi n y) ->
    describes (next rows t g) (n :: row)) as step.
  { intros t row g n [R [E S]] N E' S'. split; [intros m [<- | J]; [exact N | now apply R] |]. split.
    - change (fst (next rows t g)) with (mul (fst g) (fst t)). now rewrite E, E'.
    - intros y. rewrite next_spec, (next_is n row N R y). fold mul. rewrite E, E'.
      assert (forall a, elements_of_moves moves positive 1%positive mul Phi n a -> mul (prod row) a = mul a (prod row)) as swap.
      { intros a [piles [J <-]]. apply comm; apply prod_in; [exact R |]. intros m M. now apply (inside_closed n piles). }
      split; (intros [[x [J <-]] | [x [J <-]]]; [right | left]); exists x.
      + split; [now apply S | reflexivity].
      + apply S' in J. split; [exact J | symmetry; now apply swap].
      + split; [now apply S' | now apply swap].
      + split; [now apply S | reflexivity]. }
  assert (forall t t' row, same t t' -> describes t row -> describes t' row) as alike.
  { intros t t' row [E S] [R [E' S']]. split; [exact R |]. split; [congruence |]. intros y. rewrite <- (S y). apply S'. }
  assert (describes first []) as start.
  { split; [intros n [] |]. split; [reflexivity |]. intros y. split; intros J.
    - elim (PositiveSet.empty_spec J).
    - elim (no_options moves positive 1%positive mul Phi y J). }
  destruct (closure_spec rows generators (fun t => exists row, describes t row) fuel found C5) as [F1 [F2 F3]].
  { intros t g [row D] J. destruct (generates g J) as [n [less [E S]]]. exists (n :: row). apply step; trivial. now apply listed_are_inside. }
  { exists []. exact start. }
  assert (forall row, is_row row -> exists t, In t found /\ describes t row) as rows_found.
  { induction row as [| n row IH]; intros here.
    - destruct F2 as [t [J S]]. exists t. split; [exact J |]. apply (alike first); [now apply same_sym | exact start].
    - assert (inside n) as N by (apply here; now left).
      destruct IH as [t [J D]]; [intros m M; apply here; now right |].
      destruct (generated n N) as [g [K [E S]]]. destruct (F3 t g J K) as [t' [J' S']].
      exists t'. split; [exact J' |]. apply (alike (next rows t g)); [now apply same_sym | now apply step]. }
  assert (forall row, all_inside inside row -> holds moves positive 1%positive mul Phi (fun x => In x losing) row) as every.
  { intros row here. destruct (rows_found row here) as [t [J [_ [E S]]]]. unfold holds. fold prod. rewrite <- E.
    rewrite forallb_forall in C7. rewrite (check_transition_sound t (C7 t J)).
    split; (intros [[y Y] none]; split; [exists y; now apply S | intros z Z; apply none; now apply S]). }
  assert (forall x, is_in table x -> exists row, is_row row /\ prod row = x) as occur.
  { intros x X. unfold check_all_occur in C6. rewrite forallb_forall in C6. specialize (C6 x (proj2 (in_elements _ x) X)).
    apply mem_iff, set_of_spec, in_map_iff in C6. destruct C6 as [t [<- J]]. destruct (F1 t J) as [row [R [E _]]]. exists row. auto. }
  destruct (check_listed_sound _ _ C8) as [L1 L2].
  split; trivial.
  - intros x y z X Y Z. destruct (occur y Y) as [row [R <-]]. now apply bracket.
  - exact (the_monoid_is_right moves smaller positive 1%positive mul Phi inside inside_closed (fun x => In x losing) every).
  - exact (elements_are_classes moves smaller positive 1%positive mul (is_in table) one exist id comm Phi inside
      Phi_in inside_closed light (fun x => In x losing) every occur apart).
  - intros x F J. destruct (L2 (as_transition (x, F))) as [t [K S]]; [now apply in_map |].
    destruct (F1 t K) as [row D]. apply (alike _ _ _ S) in D. destruct D as [R [E S']]. exists row. split; [exact R |]. split; [auto |].
    intros y. rewrite <- (S' y). unfold as_transition. cbn [snd]. now rewrite set_of_spec.
  - intros row here. destruct (rows_found row here) as [t [J D]]. destruct (L1 t J) as [t' [K S]].
    apply in_map_iff in K. destruct K as [[x F] [<- K]]. apply (alike _ _ _ (same_sym _ _ S)) in D. destruct D as [_ [E S']].
    cbn [as_transition fst snd] in E, S'. exists F. rewrite <- E. split; [exact K |]. intros y. rewrite <- (S' y). now rewrite set_of_spec.
Qed.

End Claim.

(** ** Periodic elements

    For moves that take at most k chips and leave at most t heaps, suppose that the elements are
    periodic from n0 up to heap t (n0 + p) + k. Then they are periodic forever. As in
    the theorem of Guy and Smith, a large heap has the moves of the heap with p chips less. *)

Section Repetition.

Variable images : list positive.
Variables n0 p : nat.
Let Phi := Phi_of images (Some (n0, p)).
Let listed := listed_element (planted images).

Hypothesis positive_period : 1 <= p.
Hypothesis first : 1 <= n0.
Hypothesis seen : forall n, n0 <= n -> n + p <= length images -> listed (n + p) = listed n.

Lemma carried_back n : n0 <= n -> n <= length images -> listed n = listed (n0 + (n - n0) mod p).
Proof.
  induction n as [n IH] using lt_wf_ind. intros above there.
  destruct (lt_dec (n - n0) p) as [less | more]; [rewrite Nat.mod_small by exact less; f_equal; lia |].
  replace n with (n - p + p) at 1 by lia. rewrite seen, IH by lia. f_equal. f_equal.
  replace (n - n0) with (n - p - n0 + 1 * p) by lia. now rewrite Nat.mod_add by lia.
Qed.

Theorem Phi_repeats n : n0 <= n -> Phi (n + p) = Phi n.
Proof.
  assert (forall m, n0 <= m -> Phi m = listed (n0 + (m - n0) mod p)) as reduced.
  { intros m above. unfold Phi, Phi_of, like. fold listed. destruct (Nat.leb_spec m (length images)); [now apply carried_back | reflexivity]. }
  intros above. rewrite !reduced by lia. f_equal. f_equal. replace (n + p - n0) with (n - n0 + 1 * p) by lia. now rewrite Nat.mod_add by lia.
Qed.

Variable mul : positive -> positive -> positive.

(** A move from heap n reaches the element y. *)
Let reached_elements moves n y := elements_of_moves moves positive 1%positive mul Phi n y.

Lemma product_changed before x x' after : Phi x = Phi x' ->
  product positive 1%positive mul Phi (before ++ x :: after) = product positive 1%positive mul Phi (before ++ x' :: after).
Proof. intros same. induction before as [| n before IH]; simpl; congruence. Qed.

Theorem moves_of_codes_repeat c t n : parts_at_most c t -> 1 <= t -> t * n0 + (t - 1) * p + length c <= n ->
  forall y, reached_elements (moves c) (n + p) y <-> reached_elements (moves c) n y.
Proof.
  intros parts some far y. split; intros [piles [there <-]].
  - destruct (a_part_shrinks c t n0 p n piles) as [before [x [after [-> [[X less] there']]]]]; trivial; [lia |].
    exists (before ++ x :: after). split; [exact there' |]. apply product_changed. symmetry. now apply Phi_repeats.
  - destruct (a_part_grows c t n0 p n piles) as [before [x [after [-> [[X less] there']]]]]; trivial; [lia |].
    exists (before ++ (x + p) :: after). split; [exact there' |]. apply product_changed. now apply Phi_repeats.
Qed.

Theorem moves_of_subtraction_repeat T u n : (forall s, In s T -> s <= u) -> n0 + u <= n ->
  forall y, reached_elements (subtraction_moves T) (n + p) y <-> reached_elements (subtraction_moves T) n y.
Proof.
  intros most far y. unfold reached_elements, elements_of_moves, subtraction_moves.
  split; intros [piles [there <-]]; apply in_map_iff in there; destruct there as [s [<- there]]; apply may_take_spec in there;
    destruct there as [there [one _]]; specialize (most s there).
  - exists [n - s]. split; [apply (in_map (fun s => [n - s])), may_take_spec; split; [exact there | lia] |].
    apply (product_changed []). replace (n + p - s) with (n - s + p) by lia. symmetry. apply Phi_repeats. lia.
  - exists [n + p - s]. split; [apply (in_map (fun s => [n + p - s])), may_take_spec; split; [exact there | lia] |].
    apply (product_changed []). replace (n + p - s) with (n - s + p) by lia. apply Phi_repeats. lia.
Qed.

(** Hence every heap corresponds to a listed one. *)
Theorem all_are_covered moves (far : nat) :
  (forall n, far <= n -> forall y, reached_elements moves (n + p) y <-> reached_elements moves n y) -> n0 <= far -> far + p <= S (length images) ->
  forall n, exists m, m <= length images /\ Phi n = Phi m /\ forall y, reached_elements moves n y <-> reached_elements moves m y.
Proof.
  intros again low enough n. induction n as [n IH] using lt_wf_ind.
  destruct (le_lt_dec n (length images)) as [less | more]; [exists n; split; [exact less |]; split; reflexivity |].
  destruct (IH (n - p)) as [m [M [E S]]]; [lia |]. exists m. split; [exact M |].
  replace n with (n - p + p) by lia. split; [rewrite Phi_repeats by lia; exact E |].
  intros y. rewrite again by lia. apply S.
Qed.

End Repetition.
