(** * Games solved by computation

    Tic-Tac-Toe is a tie. In Chomp on 7 by 4 squares the first player wins, with exactly one winning
    bite. The kernel of Coq evaluates the whole search. *)

From Coq Require Import List Bool Arith NArith Lia.
From Proofs Require Import Games Labels.
Import ListNotations.

(** ** Tic-Tac-Toe

    The squares are numbered 0 to 8, row by row. A set of squares is the sum of 2^square over its
    elements. A board consists of the squares of the player to move and those of the other
    player. *)

Definition board := (N * N)%type.

Definition lines : list N := map (fun l => fold_right (fun square set => N.setbit set square) 0%N l)
  [[0; 1; 2]; [3; 4; 5]; [6; 7; 8]; [0; 3; 6]; [1; 4; 7]; [2; 5; 8]; [0; 4; 8]; [2; 4; 6]]%N.

Definition has_line (squares : N) : bool := existsb (fun l => N.eqb (N.land squares l) l) lines.

Definition free (b : board) : list N :=
  filter (fun square => negb (N.testbit (N.lor (fst b) (snd b)) square)) [0; 1; 2; 3; 4; 5; 6; 7; 8]%N.

(** The game ends when the player who moved last has a line, *)
Definition board_options (b : board) : list board :=
  if has_line (snd b) then [] else map (fun square => (snd b, N.setbit (fst b) square)) (free b).

(** and this player wins; a full board without a line is a draw. *)
Definition board_ending (b : board) : outcome := if has_line (snd b) then Lose else Draw.

Lemma all_plays : search board board_options board_ending 10 (0, 0)%N = Some Draw.
Proof. vm_cast_no_check (eq_refl (Some Draw)). Qed.

Theorem tic_tac_toe_is_a_tie : draws board board_options board_ending (0, 0)%N.
Proof. exact (search_is_right board board_options board_ending 10 (0, 0)%N Draw all_plays). Qed.

(** ** Chomp

    A bar is the list of the lengths of its rows, the lowest row first, in which no row is longer
    than the one below it. Rows and columns are counted from 0. A bite at a square removes all
    squares that are neither below it nor to its left. The square in the corner is poisoned, and the
    player who must take it loses. *)

Definition bar := list nat.

Definition bite (row column : nat) (b : bar) : bar := firstn row b ++ map (Nat.min column) (skipn row b).

Definition bar_options (b : bar) : list bar :=
  flat_map (fun row =>
    map (fun column => bite row column b)
      (filter (fun column => negb ((row =? 0) && (column =? 0))) (seq 0 (nth row b 0))))
  (seq 0 (length b)).

Definition bar_ending (_ : bar) : outcome := Lose.

Definition bar_wins : bar -> Prop := wins bar bar_options bar_ending.
Definition bar_loses : bar -> Prop := loses bar bar_options bar_ending.

Fixpoint equal_bars (a b : bar) : bool :=
  match a, b with
  | [], [] => true
  | x :: a', y :: b' => if x =? y then equal_bars a' b' else false
  | _, _ => false
  end.

Lemma equal_bars_spec a : forall b, equal_bars a b = true <-> a = b.
Proof.
  induction a as [| x a IH]; intros [| y b]; simpl; try easy.
  destruct (Nat.eqb_spec x y) as [-> | other]; [rewrite IH | split; [discriminate |]].
  - split; [intros ->; reflexivity | intros same; now injection same].
  - intros same. now injection same.
Qed.

Fixpoint listed (b : bar) (l : list bar) : bool :=
  match l with
  | [] => false
  | x :: l' => if equal_bars b x then true else listed b l'
  end.

Lemma listed_spec b l : listed b l = true <-> In b l.
Proof.
  induction l as [| x l IH]; simpl; [easy |]. destruct (equal_bars b x) eqn:E.
  - apply equal_bars_spec in E. subst. tauto.
  - rewrite IH. split; [auto |]. intros [-> | later]; [| exact later].
    assert (equal_bars b b = true) by (now apply equal_bars_spec). congruence.
Qed.

(** All bars with this number of rows, none longer than the first number. In this list every bite
    leads to an earlier bar. *)
Fixpoint bars (rows longest : nat) : list bar :=
  match rows with
  | O => [[]]
  | S rest => flat_map (fun length => map (cons length) (bars rest length)) (seq 0 (S longest))
  end.

(** The bars lost for the player to move, that is, those without a bite to a lost bar found
    earlier. *)
Definition lost_bars (rows longest : nat) : list bar :=
  fold_left (fun lost b => if existsb (fun o => listed o lost) (bar_options b) then lost else b :: lost) (bars rows longest) [].

Definition all_bars : list bar := bars 4 7.
Definition found : list bar := lost_bars 4 7.

Definition bars_agree : bool :=
  forallb (fun b =>
    forallb (fun o => listed o all_bars && (list_sum o <? list_sum b)) (bar_options b)
    && Bool.eqb (listed b found) (forallb (fun o => negb (listed o found)) (bar_options b))) all_bars.

Lemma bars_do_agree : bars_agree = true.
Proof. vm_compute. reflexivity. Qed.

(** Unfolding these would evaluate the search again. *)
Local Opaque all_bars found.

Lemma bars_decided b : In b all_bars -> if listed b found then bar_loses b else bar_wins b.
Proof.
  pose proof bars_do_agree as agree. unfold bars_agree in agree. rewrite forallb_forall in agree.
  apply (P_positions bar bar_options bar_ending (fun b => In b all_bars) list_sum (fun b => listed b found)).
  - intros v o here there. specialize (agree v here). apply andb_true_iff in agree. destruct agree as [closed _].
    rewrite forallb_forall in closed. specialize (closed o there). apply andb_true_iff in closed.
    destruct closed as [inside smaller]. apply Nat.ltb_lt in smaller. split; [now apply listed_spec | exact smaller].
  - reflexivity.
  - intros v here. specialize (agree v here). apply andb_true_iff in agree. exact (eqb_prop _ _ (proj2 agree)).
Qed.

Definition whole : bar := [7; 7; 7; 7].

(** The unique winning bite. *)
Definition the_bite : bar := bite 2 3 whole.

Definition one_bite : bool :=
  listed whole all_bars && negb (listed whole found)
  && forallb (fun o => listed o all_bars && Bool.eqb (listed o found) (equal_bars o the_bite)) (bar_options whole).

Lemma one_bite_it_is : one_bite = true.
Proof. vm_compute. reflexivity. Qed.

Theorem chomp_7_by_4 :
  bar_wins [7; 7; 7; 7] /\
  forall o, In o (bar_options [7; 7; 7; 7]) -> (bar_loses o <-> o = [7; 7; 3; 3]).
Proof.
  pose proof one_bite_it_is as it. unfold one_bite in it. rewrite !andb_true_iff in it.
  destruct it as [[inside won] all]. apply listed_spec in inside. apply negb_true_iff in won.
  change [7; 7; 7; 7] with whole. change [7; 7; 3; 3] with the_bite. split.
  - pose proof (bars_decided whole inside) as W. rewrite won in W. exact W.
  - intros o there. rewrite forallb_forall in all. specialize (all o there). apply andb_true_iff in all.
    destruct all as [here same]. apply listed_spec in here. apply eqb_prop in same.
    pose proof (bars_decided o here) as decided. rewrite same in decided. rewrite <- equal_bars_spec.
    destruct (equal_bars o the_bite).
    + split; [reflexivity | intros _; exact decided].
    + split; [| discriminate]. intros lost. destruct (not_both bar bar_options bar_ending o decided lost).
Qed.
