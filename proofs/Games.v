(** * Positions and play

    An impartial game: two players alternate, both have the same options, every play is finite, and
    the player who cannot move loses. Here a position is nothing but the list of its options, so the
    theorems hold for all such games. *)

From Coq Require Import List Bool Arith.
Import ListNotations.

(** A position is given by its options. *)
Inductive game : Type := Game (options : list game).

Definition options (g : game) : list game := match g with Game l => l end.

(** Induction on options: a property that holds for a position whenever it holds for its options,
    holds for every position. *)
Lemma play_induction (P : game -> Prop) :
  (forall g, (forall o, In o (options g) -> P o) -> P g) -> forall g, P g.
Proof.
  intros step. fix every 1. intros [l]. apply step. simpl.
  induction l as [| o l IH]; simpl.
  - intros o [].
  - intros o' [<- | later].
    + apply every.
    + apply IH, later.
Qed.

(** ** Outcomes

    The outcome depends neither on the order of the options nor on repetitions. N: the next player,
    who is to move, wins. P: the previous player wins. *)

(** The player to move wins if and only if some option is lost for the opponent. *)
Fixpoint next_wins (g : game) : bool :=
  match g with Game l => existsb (fun o => negb (next_wins o)) l end.

Definition is_N (g : game) : Prop := next_wins g = true.
Definition is_P (g : game) : Prop := next_wins g = false.

(** A position is N if and only if it has an option that is P, *)
Theorem N_iff g : is_N g <-> exists o, In o (options g) /\ is_P o.
Proof.
  unfold is_N, is_P. destruct g as [l]. simpl. rewrite existsb_exists.
  split; intros [o [there lost]]; exists o; split; trivial.
  - now apply negb_true_iff.
  - now apply negb_true_iff.
Qed.

(** and P if and only if all its options are N. *)
Theorem P_iff g : is_P g <-> forall o, In o (options g) -> is_N o.
Proof.
  split.
  - intros lost o there. destruct (next_wins o) eqn:E; [exact E |].
    assert (is_N g) as won by (apply N_iff; exists o; split; assumption).
    unfold is_N, is_P in *. congruence.
  - intros all. unfold is_P. destruct (next_wins g) eqn:E; [| reflexivity].
    apply N_iff in E. destruct E as [o [there lost]].
    specialize (all o there). unfold is_N, is_P in *. congruence.
Qed.

Theorem N_or_P g : is_N g \/ is_P g.
Proof. unfold is_N, is_P. destruct (next_wins g); auto. Qed.

(** ** Misère play: the player who cannot move wins. *)

Fixpoint next_wins_misere (g : game) : bool :=
  match g with Game l =>
    match l with
    | [] => true
    | _ => existsb (fun o => negb (next_wins_misere o)) l
    end
  end.

Theorem misere_N_iff g :
  next_wins_misere g = true <->
  options g = [] \/ exists o, In o (options g) /\ next_wins_misere o = false.
Proof.
  destruct g as [[| o l]]; simpl options.
  - split; [now left | reflexivity].
  - change (next_wins_misere (Game (o :: l)))
      with (existsb (fun o => negb (next_wins_misere o)) (o :: l)).
    rewrite existsb_exists. split.
    + intros [x [there lost]]. right. exists x. split; trivial. now apply negb_true_iff.
    + intros [none | [x [there lost]]]; [discriminate |].
      exists x. split; trivial. now apply negb_true_iff.
Qed.

(** ** Sums

    In a sum the player to move chooses one of two games and makes a move in it. *)
Fixpoint sum (g : game) : game -> game :=
  fix sum_g (h : game) : game :=
    match g, h with
    | Game l, Game m => Game (map (fun o => sum o h) l ++ map sum_g m)
    end.

Declare Scope game_scope.
Delimit Scope game_scope with game.
Bind Scope game_scope with game.
Notation "g + h" := (sum g h) : game_scope.

Theorem options_of_a_sum g h o :
  In o (options (g + h)%game) <->
  (exists x, In x (options g) /\ o = (x + h)%game) \/ (exists y, In y (options h) /\ o = (g + y)%game).
Proof.
  destruct g as [l], h as [m]. simpl. rewrite in_app_iff, !in_map_iff.
  split; (intros [[x [E I]] | [x [E I]]]; [left | right]; exists x; auto).
Qed.

(** The sum of finitely many games; the empty sum is the game without moves. *)
Definition zero : game := Game [].

Definition sum_of (games : list game) : game := fold_right sum zero games.
