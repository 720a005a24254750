(** * Certificates

    What the program writes into its files, as data; what each of them claims; and a judgement that names what is wrong.  The
    theorems at the end of each part are all that one has to believe of the checker: what it accepts is true. *)

From Coq Require Import List Bool Arith NArith QArith Lia.
From Proofs Require Import Games Heaps TakingAndBreaking Values Repetition Periods Subtraction AllBut MatrixGames.
Import ListNotations.
Local Open Scope nat_scope.

(** Why a certificate is refused. *)
Inductive reason :=
| The_theorem_is_about_other_games
| The_saltus_is_not_0
| A_value_is_wrong
| The_values_do_not_repeat
| A_smaller_number_would_do
| Not_a_rectangle
| The_row_strategy_is_none
| The_column_strategy_is_none
| The_row_strategy_wins_less
| The_column_strategy_pays_more.

Definition verdict := option reason.
Definition accepted : verdict := None.

Local Notation "'demand' condition 'or' why 'then' rest" := (if condition then rest else Some why)
  (at level 200, condition at level 100, why at level 100, rest at level 200).

(** ** Periods *)

(** A family of heaps: by a code, by the numbers that may be taken, or by those that may not. *)
Inductive family :=
| By_code (c : code)
| Taking (T : list nat)
| Taking_all_but (E : list nat).

(** The value of a heap. *)
Definition value_in (f : family) : nat -> N :=
  match f with
  | By_code c => G c
  | Taking T => subtraction_value T
  | Taking_all_but E => all_but_value E
  end.

(** The theorem that a certificate names. *)
Inductive theorem := Guy_Smith | Splitting | Window | All_but.

Record period_certificate := {
  game_of : family;
  by_theorem : theorem;
  preperiod : nat;
  period : nat;
  saltus : N;
  listed : list N (** the values of the heaps below preperiod + period *)
}.

(** What it claims. *)
Definition period_is_true (c : period_certificate) : Prop :=
  least_repetition (value_in (game_of c)) (preperiod c) (period c) (saltus c) /\
  listed c = first_values (value_in (game_of c)) (preperiod c + period c).

(** Guy and Smith wrote of moves that leave two heaps; their theorem has another name in the program when it is one or three. *)
Definition is_about (t : theorem) (f : family) : bool :=
  match f, t with
  | By_code c, Guy_Smith => existsb (fun d => N.testbit d 2) c && negb (existsb (fun d => N.testbit d 3) c)
  | By_code c, Splitting => negb (existsb (fun d => N.testbit d 2) c) || existsb (fun d => N.testbit d 3) c
  | Taking _, Window => true
  | Taking_all_but _, All_but => true
  | _, _ => false
  end.

(** So many values are computed, *)
Definition needs (f : family) (n0 p : nat) : nat :=
  match f with
  | By_code c => code_needs c n0 p
  | Taking T => subtraction_needs T n0 p
  | Taking_all_but E => all_but_needs E n0 p
  end.

Definition computed (f : family) (count : nat) : list N :=
  match f with
  | By_code c => values c count
  | Taking T => subtraction_values T count
  | Taking_all_but E => all_but_values E count
  end.

(** and seen to repeat. *)
Definition check_repeats (f : family) (n0 p : nat) (s : N) (l : list N) : bool :=
  match f with
  | By_code c => check_seen l n0 p (seen_to c n0 p) 0
  | Taking T => check_seen l n0 p (n0 + largest T) 0
  | Taking_all_but E =>
    let seen := all_but_end E n0 p in check_seen l n0 p seen s && check_state E (largest E) seen (seen + p) s
  end.

Definition may_have_saltus (f : family) : bool := match f with Taking_all_but _ => true | _ => false end.

Definition judge_period (c : period_certificate) : verdict :=
  let f := game_of c in
  let n0 := preperiod c in
  let p := period c in
  let s := saltus c in
  demand is_about (by_theorem c) f or The_theorem_is_about_other_games then
  demand N.eqb s 0 || may_have_saltus f or The_saltus_is_not_0 then
  demand (length (listed c) =? n0 + p) or A_value_is_wrong then
  let l := computed f (needs f n0 p) in
  demand shifted 0 0 (listed c) (part 0 (n0 + p) l) or A_value_is_wrong then
  demand check_repeats f n0 p s l or The_values_do_not_repeat then
  demand check_least l n0 p s or A_smaller_number_would_do then
  accepted.

Lemma shifted_by_nothing l : forall m, shifted 0 0 l m = true -> l = m.
Proof.
  induction l as [| x l IH]; intros [| y m]; simpl; try discriminate; [reflexivity |].
  destruct (N.eqb_spec (x + 0) (y + 0)) as [same |]; [| discriminate]. intros rest. f_equal; [lia | auto].
Qed.

Theorem accepted_periods_are_true c : judge_period c = accepted -> period_is_true c.
Proof.
  unfold judge_period, period_is_true. destruct c as [f t n0 p s l]. cbn [game_of by_theorem preperiod period saltus listed].
  destruct (is_about t f); [| discriminate].
  destruct (N.eqb s 0 || may_have_saltus f) eqn:zero; [| discriminate].
  destruct (length l =? n0 + p); [| discriminate].
  destruct (shifted 0 0 l _) eqn:same; [| discriminate].
  destruct (check_repeats f n0 p s _) eqn:again; [| discriminate].
  destruct (check_least _ n0 p s) eqn:least; [| discriminate]. intros _.
  assert (1 <= p) as some by (unfold check_least in least; rewrite !andb_true_iff, Nat.leb_le in least; tauto).
  apply shifted_by_nothing in same.
  assert (computed f (needs f n0 p) = first_values (value_in f) (needs f n0 p)) as right.
  { destruct f; [apply values_are_first | apply subtraction_values_are_right | apply all_but_values_are_right]. }
  split.
  - destruct f as [c | T | E]; cbn [value_in needs computed check_repeats may_have_saltus] in *.
    + rewrite orb_false_r in zero. apply N.eqb_eq in zero. subst s. apply check_code_sound.
      unfold check_code. now rewrite again, least.
    + rewrite orb_false_r in zero. apply N.eqb_eq in zero. subst s. apply check_subtraction_sound.
      unfold check_subtraction. now rewrite again, least.
    + apply check_all_but_sound. unfold check_all_but. now rewrite again, least.
  - rewrite same, right. rewrite part_is; [reflexivity |].
    destruct f; cbn [needs]; unfold code_needs, seen_to, subtraction_needs, all_but_needs, all_but_end; try lia.
    assert (2 <= most_of c) by (unfold most_of; destruct existsb; lia). nia.
Qed.

(** ** Matrix games *)

Record matrix_certificate := {
  payments : matrix;
  game_value : Q;
  row_strategy : list Q;
  column_strategy : list Q
}.

Definition matrix_is_true (c : matrix_certificate) : Prop :=
  solution (payments c) (length (column_strategy c)) (game_value c) (row_strategy c) (column_strategy c).

Definition judge_matrix (c : matrix_certificate) : verdict :=
  let A := payments c in
  let v := game_value c in
  let x := row_strategy c in
  let y := column_strategy c in
  demand check_rectangle A (length y) or Not_a_rectangle then
  demand check_strategy (length A) x or The_row_strategy_is_none then
  demand check_strategy (length y) y or The_column_strategy_is_none then
  demand forallb (Qle_bool v) (mixture (length y) x A) or The_row_strategy_wins_less then
  demand forallb (fun row => Qle_bool (quick_dot row y) v) A or The_column_strategy_pays_more then
  accepted.

Theorem accepted_matrices_are_true c : judge_matrix c = accepted -> matrix_is_true c.
Proof.
  unfold judge_matrix, matrix_is_true. destruct c as [A v x y]. cbn [payments game_value row_strategy column_strategy]. intros judged.
  apply check_matrix_sound. unfold check_matrix.
  destruct (check_rectangle A (length y)); [| discriminate].
  destruct (check_strategy (length A) x); [| discriminate].
  destruct (check_strategy (length y) y); [| discriminate].
  destruct (forallb (Qle_bool v) _); [| discriminate].
  now destruct (forallb _ A).
Qed.
