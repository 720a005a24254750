(** * Matrix games

    Two players choose a row and a column of a matrix simultaneously. The entry is the payoff from
    the column player to the row player. A strategy is a probability distribution, with rational
    probabilities here. *)

From Coq Require Import List Bool Arith QArith Lia Lqa.
Import ListNotations.
Local Open Scope Q_scope.

Definition matrix := list (list Q).

(** ** Strategies *)

Definition total (x : list Q) : Q := fold_right Qplus 0 x.

(** Probabilities of n choices. *)
Definition strategy (n : nat) (x : list Q) : Prop :=
  length x = n /\ (forall a, In a x -> 0 <= a) /\ total x == 1.

(** x1 y1 + x2 y2 + ... *)
Fixpoint dot (x y : list Q) : Q :=
  match x, y with
  | a :: x', b :: y' => a * b + dot x' y'
  | _, _ => 0
  end.

(** The expected payoff to the row player. *)
Definition payoff (A : matrix) (x y : list Q) : Q := dot x (map (fun row => dot row y) A).

Definition rectangle (A : matrix) (columns : nat) : Prop := forall row, In row A -> length row = columns.

(** With x the row player gets at least v against every strategy; *)
Definition guarantees (A : matrix) (columns : nat) (x : list Q) (v : Q) : Prop :=
  strategy (length A) x /\ forall y, strategy columns y -> v <= payoff A x y.

(** with y the column player pays at most v against every strategy. *)
Definition concedes (A : matrix) (columns : nat) (y : list Q) (v : Q) : Prop :=
  strategy columns y /\ forall x, strategy (length A) x -> payoff A x y <= v.

(** ** Weak duality *)

Theorem weak_duality A columns x y v w : guarantees A columns x v -> concedes A columns y w -> v <= w.
Proof.
  intros [x_is low] [y_is high]. apply Qle_trans with (payoff A x y); auto.
Qed.

(** The claim about a matrix game: it is a rectangle, and each player has a strategy that guarantees
    the value. *)
Definition solution (A : matrix) (columns : nat) (v : Q) (x y : list Q) : Prop :=
  rectangle A columns /\ guarantees A columns x v /\ concedes A columns y v.

(** Then v is the largest payoff that the row player can guarantee, and the smallest one that the
    column player can. *)
Theorem value_is_max_min A columns v x y :
  solution A columns v x y ->
  guarantees A columns x v /\ forall x' w, guarantees A columns x' w -> w <= v.
Proof. intros [_ [row column]]. split; [exact row |]. intros x' w more. exact (weak_duality _ _ _ _ _ _ more column). Qed.

Theorem value_is_min_max A columns v x y :
  solution A columns v x y ->
  concedes A columns y v /\ forall y' w, concedes A columns y' w -> v <= w.
Proof. intros [_ [row column]]. split; [exact column |]. intros y' w less. exact (weak_duality _ _ _ _ _ _ row less). Qed.

(** The value of a game is unique. *)
Theorem value_unique A columns v x y v' x' y' :
  solution A columns v x y -> solution A columns v' x' y' -> v == v'.
Proof.
  intros [_ [row column]] [_ [row' column']]. apply Qle_antisym.
  - exact (weak_duality _ _ _ _ _ _ row column').
  - exact (weak_duality _ _ _ _ _ _ row' column).
Qed.

(** ** Single rows and columns suffice *)

Definition plus (x y : list Q) : list Q := map (fun ab => Qred (fst ab + snd ab)) (combine x y).
Definition times (a : Q) (x : list Q) : list Q := map (fun b => Qred (a * b)) x.

(** The expected payoff of each column against x: the sum of the rows, weighted by their
    probabilities. *)
Fixpoint mixture (columns : nat) (x : list Q) (A : matrix) : list Q :=
  match x, A with
  | a :: x', row :: A' => plus (times a row) (mixture columns x' A')
  | _, _ => repeat 0 columns
  end.

Lemma plus_length x y : length x = length y -> length (plus x y) = length x.
Proof. intros same. unfold plus. rewrite map_length, combine_length, same. apply Nat.min_id. Qed.

Lemma mixture_length columns : forall x A, rectangle A columns -> length (mixture columns x A) = columns.
Proof.
  induction x as [| a x IH]; intros [| row A] wide; simpl; try apply repeat_length.
  assert (length row = columns) as L by (apply wide; now left).
  rewrite plus_length; unfold times; rewrite map_length; [exact L |].
  rewrite IH; [exact L |]. intros r there. apply wide. now right.
Qed.

Lemma dot_plus : forall x x' y, length x = length x' -> dot (plus x x') y == dot x y + dot x' y.
Proof.
  induction x as [| a x IH]; intros [| a' x'] y L; try discriminate; [simpl; ring |].
  destruct y as [| b y]; [simpl; ring |]. injection L as L.
  change (Qred (a + a') * b + dot (plus x x') y == a * b + dot x y + (a' * b + dot x' y)).
  rewrite (Qred_correct (a + a')), (IH x' y L). ring.
Qed.

Lemma dot_times a : forall x y, dot (times a x) y == a * dot x y.
Proof.
  induction x as [| b x IH]; intros [| c y]; try (simpl; ring).
  change (Qred (a * b) * c + dot (times a x) y == a * (b * c + dot x y)).
  rewrite (Qred_correct (a * b)), IH. ring.
Qed.

Lemma dot_zeros : forall n y, dot (repeat 0 n) y == 0.
Proof. induction n as [| n IH]; intros [| b y]; simpl; try ring. rewrite IH. ring. Qed.

Lemma payoff_by_columns columns : forall x A y, rectangle A columns ->
  payoff A x y == dot (mixture columns x A) y.
Proof.
  unfold payoff. induction x as [| a x IH]; intros [| row A] y wide; simpl; try (now rewrite dot_zeros).
  assert (rectangle A columns) as wide' by (intros r there; apply wide; now right).
  rewrite dot_plus.
  - rewrite dot_times, <- IH by exact wide'. ring.
  - unfold times. rewrite map_length, mixture_length by exact wide'. apply wide. now left.
Qed.

(** An average is at least every lower bound of its terms, *)
Lemma average_at_least v : forall z y, length z = length y ->
  (forall a, In a z -> v <= a) -> (forall b, In b y -> 0 <= b) -> v * total y <= dot z y.
Proof.
  induction z as [| a z IH]; intros [| b y] L low pos; try discriminate; unfold total in *; simpl; [lra |].
  injection L as L.
  assert (v <= a) by (apply low; now left). assert (0 <= b) by (apply pos; now left).
  assert (v * fold_right Qplus 0 y <= dot z y) by (apply IH; auto using in_cons).
  assert (v * b <= a * b) by (now apply Qmult_le_compat_r). lra.
Qed.

(** and at most every upper bound. *)
Lemma average_at_most v : forall x z, length x = length z ->
  (forall a, In a z -> a <= v) -> (forall b, In b x -> 0 <= b) -> dot x z <= v * total x.
Proof.
  induction x as [| b x IH]; intros [| a z] L high pos; try discriminate; unfold total in *; simpl; [lra |].
  injection L as L.
  assert (a <= v) by (apply high; now left). assert (0 <= b) by (apply pos; now left).
  assert (dot x z <= v * fold_right Qplus 0 x) by (apply IH; auto using in_cons).
  assert (a * b <= v * b) by (now apply Qmult_le_compat_r). lra.
Qed.

(** ** The check *)

Fixpoint quick_dot (x y : list Q) : Q :=
  match x, y with
  | a :: x', b :: y' => Qred (a * b + quick_dot x' y')
  | _, _ => 0
  end.

Lemma quick_dot_is_dot : forall x y, quick_dot x y == dot x y.
Proof. induction x as [| a x IH]; intros [| b y]; try reflexivity.
  change (Qred (a * b + quick_dot x y) == a * b + dot x y). now rewrite (Qred_correct (a * b + quick_dot x y)), IH.
Qed.

Definition quick_total (x : list Q) : Q := fold_right (fun a rest => Qred (a + rest)) 0 x.

Lemma quick_total_is_total x : quick_total x == total x.
Proof. induction x as [| a x IH]; [reflexivity |].
  change (Qred (a + quick_total x) == a + total x). now rewrite (Qred_correct (a + quick_total x)), IH.
Qed.

Definition check_strategy (n : nat) (x : list Q) : bool :=
  (length x =? n)%nat && forallb (Qle_bool 0) x && Qeq_bool (quick_total x) 1.

Lemma check_strategy_sound n x : check_strategy n x = true -> strategy n x.
Proof.
  unfold check_strategy. rewrite !andb_true_iff. intros [[L P] T].
  apply Nat.eqb_eq in L. apply Qeq_bool_iff in T. rewrite quick_total_is_total in T. rewrite forallb_forall in P.
  split; [exact L |]. split; [| exact T]. intros a there. now apply Qle_bool_iff, P.
Qed.

Definition check_rectangle (A : matrix) (columns : nat) : bool :=
  forallb (fun row => (length row =? columns)%nat) A.

(** The column player's strategy has a probability for each column. *)
Definition check_matrix (A : matrix) (v : Q) (x y : list Q) : bool :=
  let columns := length y in
  check_rectangle A columns && check_strategy (length A) x && check_strategy columns y
  && forallb (Qle_bool v) (mixture columns x A)
  && forallb (fun row => Qle_bool (quick_dot row y) v) A.

Theorem check_matrix_sound A v x y : check_matrix A v x y = true -> solution A (length y) v x y.
Proof.
  unfold check_matrix. rewrite !andb_true_iff. intros [[[[wide X] Y] low] high].
  apply check_strategy_sound in X, Y.
  assert (rectangle A (length y)) as wide'.
  { intros row there. unfold check_rectangle in wide. rewrite forallb_forall in wide. now apply Nat.eqb_eq, wide. }
  clear wide. rewrite forallb_forall in low, high. split; [exact wide' |]. split.
  - split; [exact X |]. intros y' [L [pos one]]. rewrite (payoff_by_columns (length y)) by exact wide'.
    rewrite <- (Qmult_1_r v), <- one. apply average_at_least; [| | exact pos].
    + now rewrite mixture_length by exact wide'.
    + intros a there. now apply Qle_bool_iff, low.
  - split; [exact Y |]. intros x' [L [pos one]]. unfold payoff. rewrite <- (Qmult_1_r v), <- one.
    apply average_at_most; [now rewrite map_length | | exact pos].
    intros a there. apply in_map_iff in there. destruct there as [row [<- there]].
    rewrite <- quick_dot_is_dot. now apply Qle_bool_iff, high.
Qed.

(** ** An example

    Each player shows one or two fingers, and the matrix is 3 1; 1 2. The value is 5/3, and both
    optimal strategies have odds 1 to 2. *)
Example one_finger_or_two :
  solution [[3; 1]; [1; 2]] 2 (5 # 3) [1 # 3; 2 # 3] [1 # 3; 2 # 3].
Proof. exact (check_matrix_sound [[3; 1]; [1; 2]] (5 # 3) [1 # 3; 2 # 3] [1 # 3; 2 # 3] eq_refl). Qed.
