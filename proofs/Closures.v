(** * Closure of transitions under multiplication

    The elements of a monoid are written 1, 2, 3, ..., and 1 is the identity. The table has a row of
    products for each element. A transition is an element together with a finite set of elements. *)

From Coq Require Import List SetoidList Bool Arith PArith Lia MSets.MSetPositive MSets.MSetRBT FSets.FMapPositive.
Import ListNotations.
Local Open Scope positive_scope.

(** ** Lists as trees: the binary digits of an index lead to its entry. *)

Fixpoint plant {A} (from : positive) (l : list A) : PositiveMap.t A :=
  match l with
  | [] => PositiveMap.empty A
  | a :: l' => PositiveMap.add from a (plant (Pos.succ from) l')
  end.

Definition entry {A} (d : A) (tree : PositiveMap.t A) (x : positive) : A :=
  match PositiveMap.find x tree with Some a => a | None => d end.

Lemma plant_spec {A} (d : A) l : forall from x,
  entry d (plant from l) x = if x <? from then d else nth (Pos.to_nat x - Pos.to_nat from) l d.
Proof.
  induction l as [| a l IH]; intros from x.
  - unfold entry, plant. rewrite PositiveMap.gempty. destruct (x <? from); [reflexivity |].
    now destruct (Pos.to_nat x - Pos.to_nat from)%nat.
  - unfold entry in *. cbn [plant]. destruct (Pos.eq_dec x from) as [-> | other].
    + rewrite PositiveMap.gss, Pos.ltb_irrefl, Nat.sub_diag. reflexivity.
    + rewrite PositiveMap.gso, IH by trivial.
      destruct (Pos.ltb_spec x from), (Pos.ltb_spec x (Pos.succ from)); try lia; [reflexivity |].
      replace (Pos.to_nat x - Pos.to_nat from)%nat with (S (Pos.to_nat x - Pos.to_nat (Pos.succ from))) by lia. reflexivity.
Qed.

Lemma entry_plant {A} (d : A) l x : entry d (plant 1 l) x = nth (pred (Pos.to_nat x)) l d.
Proof. rewrite plant_spec. destruct (Pos.ltb_spec x 1); [lia |]. f_equal. lia. Qed.

(** The numbers 1, 2, ..., up to the length of a list. *)
Fixpoint numbers_from (from : positive) (count : nat) : list positive :=
  match count with
  | O => []
  | S rest => from :: numbers_from (Pos.succ from) rest
  end.

Lemma in_numbers_from count : forall from x, In x (numbers_from from count) <-> from <= x /\ (Pos.to_nat x < Pos.to_nat from + count)%nat.
Proof.
  induction count as [| count IH]; intros from x; simpl; [split; [intros [] | lia] |]. rewrite IH. split; [intros [<- | more]; lia |].
  intros [above below]. destruct (Pos.eq_dec from x) as [same | other]; [now left | right; lia].
Qed.

(** ** Sets of elements *)

Definition set_of (l : list positive) : PositiveSet.t := fold_left (fun s x => PositiveSet.add x s) l PositiveSet.empty.

Lemma set_of_spec l y : PositiveSet.In y (set_of l) <-> In y l.
Proof.
  unfold set_of.
  assert (forall s, PositiveSet.In y (fold_left (fun s x => PositiveSet.add x s) l s) <-> PositiveSet.In y s \/ In y l) as all.
  { induction l as [| x l IH]; intros s; simpl; [tauto |]. rewrite IH, PositiveSet.add_spec. intuition congruence. }
  rewrite all. split; [intros [none | it]; [elim (PositiveSet.empty_spec none) | exact it] | auto].
Qed.

Lemma members s y : In y (PositiveSet.elements s) <-> PositiveSet.In y s.
Proof.
  rewrite <- PositiveSet.elements_spec1, InA_alt. split; [intros I; exists y; split; [reflexivity | exact I] |].
  intros [x [same I]]. unfold PositiveSet.E.eq in same. now subst.
Qed.

(** The products of an element, given by its row, with those of a set. *)
Definition image (row : PositiveMap.t positive) (s : PositiveSet.t) : PositiveSet.t :=
  set_of (map (entry 1 row) (PositiveSet.elements s)).

Lemma image_spec row s y : PositiveSet.In y (image row s) <-> exists x, PositiveSet.In x s /\ entry 1 row x = y.
Proof.
  unfold image. rewrite set_of_spec, in_map_iff. split; intros [x [A B]]; exists x; [rewrite <- members | rewrite members]; auto.
Qed.

(** ** Transitions and collections of them *)

Definition transition : Type := positive * PositiveSet.t.

Definition same (t t' : transition) : Prop := fst t = fst t' /\ PositiveSet.Equal (snd t) (snd t').

Lemma same_refl t : same t t.
Proof. split; [reflexivity | intros y; reflexivity]. Qed.

Lemma same_sym t t' : same t t' -> same t' t.
Proof. intros [E S]. split; [auto | intros y; symmetry; apply S]. Qed.

Lemma same_trans t t' t'' : same t t' -> same t' t'' -> same t t''.
Proof. intros [E S] [E' S']. split; [congruence | intros y; rewrite (S y); apply S']. Qed.

Module Sets := MSetRBT.Make PositiveSet.

Definition collection : Type := PositiveMap.t Sets.t.

Definition has (c : collection) (t : transition) : bool := Sets.mem (snd t) (entry Sets.empty c (fst t)).

Definition put (c : collection) (t : transition) : collection :=
  PositiveMap.add (fst t) (Sets.add (snd t) (entry Sets.empty c (fst t))) c.

Lemma has_none t : has (PositiveMap.empty _) t = false.
Proof. unfold has, entry. now rewrite PositiveMap.gempty. Qed.

Lemma has_put c t t' : has (put c t) t' = true <-> same t t' \/ has c t' = true.
Proof.
  unfold has, put, same, entry. destruct t as [x F], t' as [x' F']. cbn [fst snd].
  destruct (Pos.eq_dec x' x) as [-> | other].
  - rewrite PositiveMap.gss, Sets.mem_spec, Sets.add_spec, Sets.mem_spec.
    split; [intros [E | I] | intros [[_ E] | I]]; auto; left; [split; [reflexivity |] |]; intros y; symmetry; apply E.
  - rewrite PositiveMap.gso by trivial. split; [auto | intros [[E _] | I]; [congruence | exact I]].
Qed.

Lemma has_same c t t' : same t t' -> has c t = true -> has c t' = true.
Proof.
  intros [E S]. destruct t as [x F], t' as [x' F']. cbn [fst snd] in E, S. subst x'. unfold has. cbn [fst snd]. rewrite !Sets.mem_spec.
  now rewrite (Sets.In_compat (x := F) (y := F') S eq_refl).
Qed.

(** Adds the new items of a list. *)
Definition visit (state : list transition * collection) (t : transition) : list transition * collection :=
  if has (snd state) t then state else (t :: fst state, put (snd state) t).

Lemma visit_all l : forall w c, let '(w', c') := fold_left visit l (w, c) in
  (forall t, has c' t = true <-> has c t = true \/ exists t', In t' l /\ same t' t) /\
  (forall t, has c' t = true -> has c t = true \/ exists t', In t' w' /\ same t' t) /\
  (forall t, In t w -> In t w') /\
  (forall t, In t w' -> In t w \/ In t l).
Proof.
  induction l as [| t0 l IH]; intros w c.
  - simpl. repeat split; auto. intros [it | [t' [[] _]]]; exact it.
  - cbn [fold_left]. unfold visit at 2. cbn [fst snd]. destruct (has c t0) eqn:old.
    + specialize (IH w c). destruct (fold_left visit l (w, c)) as [w' c']. destruct IH as [A [B [C D]]].
      split; [| split; [exact B | split; [exact C |]]].
      * intros t. rewrite A. split.
        -- intros [it | [t' [I S]]]; [now left | right; exists t'; split; [now right | exact S]].
        -- intros [it | [t' [[<- | I] S]]]; [now left | left; now apply (has_same c t0) | right; eauto].
      * intros t I. destruct (D t I); [now left | right; now right].
    + specialize (IH (t0 :: w) (put c t0)). destruct (fold_left visit l (t0 :: w, put c t0)) as [w' c']. destruct IH as [A [B [C D]]].
      split; [| split; [| split]].
      * intros t. rewrite A, has_put. split.
        -- intros [[S | it] | [t' [I S]]]; [right; exists t0; split; [now left | exact S] | now left | right; exists t'; split; [now right | exact S]].
        -- intros [it | [t' [[<- | I] S]]]; [auto | auto | right; eauto].
      * intros t it. destruct (B t it) as [it' | it']; [| now right]. apply has_put in it'.
        destruct it' as [S | it']; [right; exists t0; split; [apply C; now left | exact S] | now left].
      * intros t I. apply C. now right.
      * intros t I. destruct (D t I) as [[<- | I'] | I']; [right; now left | now left | right; now right].
Qed.

Definition collect (l : list transition) : list transition * collection := fold_left visit l ([], PositiveMap.empty _).

Lemma collect_spec l :
  (forall t, has (snd (collect l)) t = true <-> exists t', In t' l /\ same t' t) /\
  (forall t, In t l -> exists t', In t' (fst (collect l)) /\ same t' t) /\
  (forall t, In t (fst (collect l)) -> In t l).
Proof.
  unfold collect. pose proof (visit_all l [] (PositiveMap.empty _)) as it. destruct (fold_left visit l _) as [w' c']. cbn [fst snd].
  destruct it as [A [B [_ D]]].
  assert (forall t, has c' t = true <-> exists t', In t' l /\ same t' t) as A'.
  { intros t. rewrite A, has_none. split; [intros [E | it]; [discriminate | exact it] | auto]. }
  split; [exact A' |]. split.
  - intros t I. destruct (B t) as [E | it]; [apply A'; exists t; split; [exact I | apply same_refl] | now rewrite has_none in E | exact it].
  - intros t I. destruct (D t I) as [[] | it]. exact it.
Qed.

(** ** Multiplication *)

Section Closure.

(** The rows of the table of products. *)
Variable rows : PositiveMap.t (PositiveMap.t positive).

Definition row_of (x : positive) : PositiveMap.t positive := entry (PositiveMap.empty _) rows x.

Definition times (x y : positive) : positive := entry 1 (row_of x) y.

(** The transition of a row of heaps and one more heap, whose transition is [g]. *)
Definition next (t g : transition) : transition :=
  let row := row_of (fst g) in
  (entry 1 row (fst t), PositiveSet.union (image row (snd t)) (image (row_of (fst t)) (snd g))).

Lemma next_spec t g y : PositiveSet.In y (snd (next t g)) <->
  (exists b, PositiveSet.In b (snd t) /\ times (fst g) b = y) \/ (exists a, PositiveSet.In a (snd g) /\ times (fst t) a = y).
Proof. unfold next, times. cbn [snd]. rewrite PositiveSet.union_spec, !image_spec. reflexivity. Qed.

Lemma next_same t t' g g' : same t t' -> same g g' -> same (next t g) (next t' g').
Proof.
  intros [E S] [E' S']. split; [unfold next; cbn [fst]; now rewrite E, E' |].
  intros y. rewrite !next_spec, E, E'. split; (intros [[b [I B]] | [a [I A]]]; [left; exists b | right; exists a]); split; trivial; now (apply S || apply S').
Qed.

Variable generators : list transition.

(** The closure under multiplication, if it has at most [fuel] transitions. [done] contains those
    already multiplied. *)
Fixpoint explore (fuel : nat) (waiting done : list transition) (c : collection) : option (list transition) :=
  match waiting with
  | [] => Some done
  | t :: rest =>
    match fuel with
    | O => None
    | S fuel =>
      let '(waiting', c') := fold_left visit (map (next t) generators) (rest, c) in
      explore fuel waiting' (t :: done) c'
    end
  end.

Definition first : transition := (1, PositiveSet.empty).

Definition closure (fuel : nat) : option (list transition) := explore fuel [first] [] (put (PositiveMap.empty _) first).

Lemma explore_spec (Q : transition -> Prop) : (forall t g, Q t -> In g generators -> Q (next t g)) ->
  forall fuel waiting done c all,
  (forall t, In t waiting \/ In t done -> Q t) ->
  (forall t, has c t = true -> exists t', (In t' waiting \/ In t' done) /\ same t' t) ->
  (forall t g, In t done -> In g generators -> has c (next t g) = true) ->
  explore fuel waiting done c = Some all ->
  (forall t, In t all -> Q t) /\
  (forall t, has c t = true -> exists t', In t' all /\ same t' t) /\
  (forall t g, In t all -> In g generators -> exists t', In t' all /\ same t' (next t g)).
Proof.
  intros step. induction fuel as [| fuel IH]; intros [| t0 rest] done c all true_ known closed E; cbn [explore] in E; try discriminate.
  1, 2: injection E as <-; split; [auto |]; assert (forall t, has c t = true -> exists t', In t' done /\ same t' t) as known'
    by (intros t it; destruct (known t it) as [t' [[[] | I] S]]; eauto); split; [exact known' | intros t g I G; apply known'; auto].
  pose proof (visit_all (map (next t0) generators) rest c) as it.
  destruct (fold_left visit _ _) as [waiting' c']. destruct it as [A [B [C D]]].
  assert (forall t, has c t = true -> has c' t = true) as more by (intros t it; apply A; now left).
  destruct (IH waiting' (t0 :: done) c' all) as [R1 [R2 R3]]; trivial.
  - intros t [I | [<- | I]]; [| apply true_; left; now left | apply true_; now right].
    destruct (D t I) as [I' | I']; [apply true_; left; now right |].
    apply in_map_iff in I'. destruct I' as [g [<- G]]. apply step; [apply true_; left; now left | exact G].
  - intros t it. destruct (B t it) as [old | [t' [I S]]]; [| exists t'; split; [now left | exact S]].
    destruct (known t old) as [t' [[[<- | I] | I] S]]; exists t' || exists t0; (split; [| exact S]);
      [right; now left | left; now apply C | right; now right].
  - intros t g [<- | I] G; [| apply more; now apply closed].
    apply A. right. exists (next t0 g). split; [now apply in_map | apply same_refl].
  - split; [exact R1 |]. split; [| exact R3]. intros t it. apply R2. now apply more.
Qed.

Theorem closure_spec (Q : transition -> Prop) fuel all : closure fuel = Some all ->
  (forall t g, Q t -> In g generators -> Q (next t g)) -> Q first ->
  (forall t, In t all -> Q t) /\
  (exists t, In t all /\ same t first) /\
  (forall t g, In t all -> In g generators -> exists t', In t' all /\ same t' (next t g)).
Proof.
  intros E step start. unfold closure in E.
  destruct (explore_spec Q step fuel [first] [] (put (PositiveMap.empty _) first) all) as [R1 [R2 R3]]; trivial.
  - intros t [[<- | []] | []]. exact start.
  - intros t it. apply has_put in it. destruct it as [S | it]; [| now rewrite has_none in it].
    exists first. split; [left; now left | exact S].
  - intros t g [].
  - split; [exact R1 |]. split; [| exact R3]. apply R2, has_put. left. apply same_refl.
Qed.

End Closure.
