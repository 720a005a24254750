(** * Certificates

    The certificates of the program as data, the claim of each, and a checker that names the error
    in a wrong one. The theorems at the end of each part state that the checker accepts only true
    claims. Nothing else about the checker has to be trusted. *)

From Coq Require Import List Bool Arith NArith PArith QArith Lia.
From Proofs Require Import Games Heaps TakingAndBreaking Values Repetition Periods Subtraction AllBut MatrixGames.
From Proofs Require Import Labels SmithFraenkel Graphs Misere Closures Quotients.
Import ListNotations.
Local Open Scope nat_scope.

(** The reason for the rejection of a certificate. *)
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
| The_column_strategy_pays_more
| Not_a_table
| Not_a_monoid
| Two_elements_are_alike
| An_element_does_not_occur
| A_transition_does_not_hold
| A_transition_is_missing
| A_transition_is_superfluous
| The_elements_do_not_repeat
| They_repeat_sooner
| Not_a_graph
| A_label_is_wrong
| Values_are_for_normal_play
| A_value_of_a_position_is_wrong.

Definition verdict := option reason.
Definition accepted : verdict := None.

Local Notation "'demand' condition 'or' why 'then' rest" := (if condition then rest else Some why)
  (at level 200, condition at level 100, why at level 100, rest at level 200).

(** ** Periods *)

(** A family of heaps: given by a code, by the numbers that may be taken, or by those that may
    not. *)
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

(** The theorem named in a certificate. *)
Inductive theorem := Guy_Smith | Splitting | Window | All_but.

Record period_certificate := {
  game_of : family;
  by_theorem : theorem;
  preperiod : nat;
  period : nat;
  saltus : N;
  listed : list N (** values of the heaps below preperiod + period *)
}.

(** The claim of the certificate. *)
Definition period_is_true (c : period_certificate) : Prop :=
  least_repetition (value_in (game_of c)) (preperiod c) (period c) (saltus c) /\
  listed c = first_values (value_in (game_of c)) (preperiod c + period c).

(** The theorem of Guy and Smith is for moves that leave two heaps. For one or three heaps the
    program uses the name [Splitting]. *)
Definition is_about (t : theorem) (f : family) : bool :=
  match f, t with
  | By_code c, Guy_Smith => existsb (fun d => N.testbit d 2) c && negb (existsb (fun d => N.testbit d 3) c)
  | By_code c, Splitting => negb (existsb (fun d => N.testbit d 2) c) || existsb (fun d => N.testbit d 3) c
  | Taking _, Window => true
  | Taking_all_but _, All_but => true
  | _, _ => false
  end.

(** The number of values that are computed, *)
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

(** and checked for periodicity. *)
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

(** ** Misère quotients *)

Record quotient_certificate := {
  quotient_of : family;
  products : list (list positive) (** for each element a row of its products with 1, 2, 3, ... *);
  losing_elements : list positive;
  elements_of_heaps : list positive (** elements of the heaps of 1, 2, 3, ... chips *);
  all_transitions : list (positive * list positive);
  repeat_from : option (nat * nat) (** preperiod and period of the elements *)
}.

Definition moves_in (f : family) : nat -> list (list nat) :=
  match f with
  | By_code c => moves c
  | Taking T => subtraction_moves T
  | Taking_all_but E => all_but_moves E
  end.

Lemma moves_in_make_smaller f n piles : In piles (moves_in f n) -> forall m, In m piles -> m < n.
Proof. destruct f; [apply moves_make_smaller | apply subtraction_makes_smaller | apply all_but_makes_smaller]. Qed.

Definition quotient_is_true (c : quotient_certificate) : Prop :=
  quotient_claim (moves_in (quotient_of c)) (products c) (losing_elements c) (elements_of_heaps c) (all_transitions c) (repeat_from c).

(** The largest number of heaps that a move leaves. *)
Definition parts_in (c : code) : nat :=
  if existsb (fun d => N.testbit d 3) c then 3 else if existsb (fun d => N.testbit d 2) c then 2 else 1.

Lemma parts_in_spec c : parts_at_most c (parts_in c).
Proof.
  intros k j A less.
  assert (forall i, j = i -> existsb (fun d => N.testbit d (N.of_nat i)) c = true) as there.
  { intros i <-. apply existsb_exists. exists (nth k c 0%N). unfold allows in A. apply andb_true_iff in A. destruct A as [A _].
    split; [| exact A]. apply nth_In. destruct (le_lt_dec (length c) k) as [out |]; [| trivial].
    rewrite nth_overflow in A by trivial. discriminate. }
  unfold parts_in, most_parts in *. pose proof (there 3) as three. pose proof (there 2) as two. simpl in three, two.
  destruct (existsb (fun d => N.testbit d 3) c); [exact less |]. destruct (existsb (fun d => N.testbit d 2) c).
  - destruct (Nat.eq_dec j 3) as [it |]; [discriminate (three it) | lia].
  - destruct (Nat.eq_dec j 3) as [it |]; [discriminate (three it) |]. destruct (Nat.eq_dec j 2) as [it |]; [discriminate (two it) | lia].
Qed.

(** From this heap on, a heap has the same moves as the heap with p more chips. *)
Definition like_from (f : family) (n0 p : nat) : option nat :=
  match f with
  | By_code c => if existsb (N.ltb 0) c then let t := parts_in c in Some (t * n0 + (t - 1) * p + length c) else None
  | Taking T => Some (n0 + largest T + 1)
  | Taking_all_but _ => None
  end.

Definition in_order (l : list positive) : bool :=
  match l with
  | [] => true
  | x :: l' => snd (fold_left (fun '(x, so_far) y => (y, (x <? y)%positive && so_far)) l' (x, true))
  end.

Definition check_elements_repeat (f : family) (images : list positive) (n0 p : nat) : bool :=
  let most := length images in
  (1 <=? n0) && (p <=? most) && check_seen (map Npos images) (n0 - 1) p (most - p) 0
  && match like_from f n0 p with Some far => far + p <=? S most | None => false end.

(** The elements of the heaps 1, 2, 3, ..., as numbers. *)
Definition elements_in_turn (images : list positive) (n0 p : nat) (i : nat) : N := Npos (Phi_of images (Some (n0, p)) (S i)).

Definition check_elements_least (images : list positive) (n0 p : nat) : bool :=
  check_least (first_values (elements_in_turn images n0 p) (n0 - 1 + 2 * p)) (n0 - 1) p 0.

Lemma elements_repeat_sound f images n0 p :
  check_elements_repeat f images n0 p = true -> check_elements_least images n0 p = true ->
  1 <= n0 /\ least_repetition (elements_in_turn images n0 p) (n0 - 1) p 0 /\
  forall mul n, exists m, m <= length images /\ Phi_of images (Some (n0, p)) n = Phi_of images (Some (n0, p)) m /\
    forall y, elements_of_moves (moves_in f) positive 1%positive mul (Phi_of images (Some (n0, p))) n y <->
              elements_of_moves (moves_in f) positive 1%positive mul (Phi_of images (Some (n0, p))) m y.
Proof.
  unfold check_elements_repeat, check_elements_least. rewrite !andb_true_iff, !Nat.leb_le. intros [[[first small] seen] lasts] least.
  assert (1 <= p) as some by (unfold check_least in least; rewrite !andb_true_iff, Nat.leb_le in least; tauto).
  assert (forall n, n0 <= n -> n + p <= length images ->
    listed_element (planted images) (n + p) = listed_element (planted images) n) as again.
  { intros n above below.
    assert (map Npos images = first_values (fun i => Npos (listed_element (planted images) (S i))) (length images)) as l.
    { apply nth_ext with (d := 0%N) (d' := 0%N); [unfold first_values; now rewrite !map_length, seq_length |].
      rewrite map_length. intros i less. rewrite nth_first by exact less. rewrite listed_element_spec. simpl.
      rewrite nth_indep with (d' := Npos 1) by (now rewrite map_length). apply map_nth. }
    rewrite l in seen. pose proof (check_seen_sound _ (n0 - 1) p (length images - p) 0 (length images) ltac:(lia) seen (n - 1)) as it.
    cbv beta in it. rewrite N.add_0_r in it. replace (S (n - 1 + p)) with (n + p) in it by lia. replace (S (n - 1)) with n in it by lia.
    assert (N.pos (listed_element (planted images) (n + p)) = N.pos (listed_element (planted images) n)) as E by (apply it; lia).
    now injection E. }
  split; [exact first |]. split.
  - apply (check_least_sound _ _ _ _ _ (le_n _) least). intros i above. rewrite N.add_0_r. unfold elements_in_turn. f_equal.
    apply (Phi_repeats images n0 p some first again (S i)). lia.
  - intros mul. destruct (like_from f n0 p) as [far |] eqn:L; [| discriminate]. apply Nat.leb_le in lasts.
    apply (all_are_covered images n0 p some first again mul (moves_in f) far); [| | exact lasts]; unfold like_from, moves_in in *.
    + destruct f as [c | T | E]; [| | discriminate].
      * destruct (existsb _ c); [| discriminate]. injection L as <-. intros n high.
        apply (moves_of_codes_repeat images n0 p some first again mul c (parts_in c)); [apply parts_in_spec | | exact high].
        unfold parts_in. destruct existsb; [lia |]. destruct existsb; lia.
      * injection L as <-. intros n high. apply (moves_of_subtraction_repeat images n0 p some first again mul T (largest T)); [| lia].
        intros s I. now apply largest_spec.
    + destruct f as [c | T | E]; [| | discriminate].
      * destruct (existsb _ c); [| discriminate]. injection L as <-.
        assert (1 <= parts_in c) by (unfold parts_in; destruct existsb; [lia |]; destruct existsb; lia). nia.
      * injection L as <-. lia.
Qed.

Definition judge_quotient (c : quotient_certificate) : verdict :=
  let f := quotient_of c in
  let table := products c in
  let images := elements_of_heaps c in
  let last := top table in
  let proper l := all_up_to last l && in_order l in
  demand check_table table && all_up_to last images && proper (losing_elements c)
    && forallb (fun t => (fst t <=? last)%positive && proper (snd t)) (all_transitions c) or Not_a_table then
  let rows := rows_of table in
  let tree := planted images in
  let all := elements last in
  let lost := set_of (losing_elements c) in
  let generators := generators_of (moves_in f) rows tree (length images) in
  demand check_identity rows all && check_order rows all && check_brackets rows all (map fst generators) or Not_a_monoid then
  demand check_apart rows all lost or Two_elements_are_alike then
  match closure rows generators (length (all_transitions c)) with
  | None => Some A_transition_is_missing
  | Some found =>
    demand check_all_occur all found or An_element_does_not_occur then
    demand forallb (check_transition lost) found or A_transition_does_not_hold then
    demand check_listed found (map as_transition (all_transitions c)) or A_transition_is_superfluous then
    match repeat_from c with
    | None => accepted
    | Some (n0, p) =>
      demand check_elements_repeat f images n0 p or The_elements_do_not_repeat then
      demand check_elements_least images n0 p or They_repeat_sooner then
      accepted
    end
  end.

Theorem accepted_quotients_are_true c : judge_quotient c = accepted -> quotient_is_true c.
Proof.
  unfold judge_quotient, quotient_is_true. destruct c as [f table losing images transitions repetition].
  cbn [quotient_of products losing_elements elements_of_heaps all_transitions repeat_from].
  destruct (_ && _) eqn:shape at 1; [| discriminate]. rewrite !andb_true_iff in shape. destruct shape as [[[T I] _] _].
  destruct (_ && _) eqn:monoid at 1; [| discriminate]. rewrite !andb_true_iff in monoid. destruct monoid as [[C1 C2] C3].
  destruct (check_apart _ _ _) eqn:C4; [| discriminate].
  destruct (closure _ _ _) as [found |] eqn:C5; [| discriminate].
  destruct (check_all_occur _ _) eqn:C6; [| discriminate].
  destruct (forallb (check_transition _) _) eqn:C7; [| discriminate].
  destruct (check_listed _ _) eqn:C8; [| discriminate]. intros rest.
  assert (match repetition with
    | Some (n0, p) => check_elements_repeat f images n0 p = true /\ check_elements_least images n0 p = true
    | None => True
    end) as again.
  { destruct repetition as [[n0 p] |]; [| exact Logic.I].
    destruct (check_elements_repeat f images n0 p); [| discriminate]. now destruct (check_elements_least images n0 p). }
  apply (quotient_sound _ _ _ _ _ _ (moves_in_make_smaller f)) with (fuel := length transitions) (found := found); trivial.
  - intros n here. destruct repetition as [[n0 p] |]; [| exists n; split; [exact here |]; split; reflexivity].
    destruct again as [again least]. destruct (elements_repeat_sound f images n0 p again least) as [_ [_ covered]]. apply covered.
  - destruct repetition as [[n0 p] |]; [| exact Logic.I].
    destruct again as [again least]. destruct (elements_repeat_sound f images n0 p again least) as [first [it _]]. now split.
Qed.

(** ** Labelled graphs *)

Record label_certificate := {
  options_of_each : list (list positive) (** options of the positions 1, 2, 3, ... *);
  played : play;
  labels_of_each : list label;
  values_of_each : option (list loopy_value * list nat) (** values, and ranks among positions of equal value *)
}.

Definition options_at (c : label_certificate) (v : positive) : list positive := entry [] (plant 1 (options_of_each c)) v.

Definition is_position (c : label_certificate) (v : positive) : Prop := (Pos.to_nat v <= length (options_of_each c))%nat.

(** Every label is true, and so is every value, if values are given. *)
Definition labels_are_true (c : label_certificate) : Prop :=
  (forall v, is_position c v ->
    label_is_true positive (options_at c) (end_of (played c)) v (nth (pred (Pos.to_nat v)) (labels_of_each c) D)) /\
  match values_of_each c with
  | None => True
  | Some (values, _) => played c = Normal /\
    forall v, is_position c v -> value_is_true positive (options_at c) (fun v => nth (pred (Pos.to_nat v)) values (Number 0)) v
  end.

Definition is_normal (p : play) : bool := match p with Normal => true | Misere => false end.

Definition judge_labels (c : label_certificate) : verdict :=
  let count := length (options_of_each c) in
  let all := numbers_from 1 count in
  let options := entry [] (plant 1 (options_of_each c)) in
  let label := entry D (plant 1 (labels_of_each c)) in
  let ending := end_of (played c) in
  demand (length (labels_of_each c) =? count) && ((count =? 0) || forallb (all_up_to (Pos.of_nat count)) (options_of_each c)) or Not_a_graph then
  demand forallb (fun v => check_label (options v) (ending v) label v) all or A_label_is_wrong then
  match values_of_each c with
  | None => accepted
  | Some (values, places) =>
    let value := entry (Number 0) (plant 1 values) in
    let place := entry 0 (plant 1 places) in
    demand is_normal (played c) or Values_are_for_normal_play then
    demand (length values =? count) && (length places =? count) or Not_a_graph then
    demand forallb (check_value options value place) all or A_value_of_a_position_is_wrong then
    accepted
  end.

Theorem accepted_labels_are_true c : judge_labels c = accepted -> labels_are_true c.
Proof.
  unfold judge_labels, labels_are_true. intros judged.
  cbv zeta in judged.
  destruct (_ && _) eqn:graph in judged; [| discriminate].
  destruct (forallb _ _) eqn:labels in judged; [| discriminate].
  apply andb_true_iff in graph. destruct graph as [_ closed].
  assert (forall v, is_position c v -> In v (numbers_from 1 (length (options_of_each c)))) as listed.
  { unfold is_position. intros v here. apply in_numbers_from. lia. }
  assert (forall v o, is_position c v -> In o (options_at c v) -> is_position c o) as inside.
  { unfold is_position, options_at. intros v o here there. rewrite entry_plant in there.
    apply orb_true_iff in closed. destruct closed as [none | closed]; [apply Nat.eqb_eq in none; lia |].
    rewrite forallb_forall in closed. specialize (closed (nth (pred (Pos.to_nat v)) (options_of_each c) []) ltac:(apply nth_In; lia)).
    pose proof (all_up_to_spec _ _ closed o there). lia. }
  rewrite forallb_forall in labels. split.
  - intros v here. rewrite <- entry_plant.
    apply (consistent_labels_are_true positive (options_at c) (end_of (played c)) (entry D (plant 1 (labels_of_each c))) (is_position c) inside);
      [| exact here].
    intros w there. apply check_label_sound. apply (labels w). now apply listed.
  - destruct (values_of_each c) as [[values places] |]; [| exact Logic.I].
    destruct (played c); [| discriminate]. split; [reflexivity |]. simpl in judged.
    destruct (_ && _); [| discriminate]. destruct (forallb _ _) eqn:right in judged; [| discriminate].
    rewrite forallb_forall in right. intros v here.
    assert (forall x, entry (Number 0) (plant 1 values) x = nth (pred (Pos.to_nat x)) values (Number 0)) as same by (intros x; apply entry_plant).
    pose proof (conditions_decide_sums positive (options_at c) (entry (Number 0) (plant 1 values)) (entry 0 (plant 1 places)) (is_position c) inside) as true_.
    specialize (true_ (fun w there => check_value_sound _ _ _ _ (right w (listed w there))) v here).
    intros k. specialize (true_ k). now rewrite same in true_.
Qed.
