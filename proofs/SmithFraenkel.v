(** * Values of loopy games

    C. A. B. Smith, Graphs and composite games, J. Combin. Theory 1 (1966), 51-81; A. S. Fraenkel
    and Y. Perl, Constructions in combinatorial games with cycles, Colloq. Math. Soc. János Bolyai
    10 (1975), 667-699.

    The value of a position is a number, or an infinity with a set of numbers. Three conditions on
    each position and the positions within two moves imply that such values determine every sum with
    a Nim heap. *)

From Coq Require Import List Bool Arith Lia.
From Proofs Require Import Games Labels.
Import ListNotations.

Inductive loopy_value := Number (m : nat) | Infinity (K : list nat).

Section Values.

Variable position : Type.
Variable options : position -> list position.

(** ** The sum of a position and a Nim heap: a move is made in one of them. *)
Definition beside_heap (here : position * nat) : list (position * nat) :=
  let (v, k) := here in map (fun o => (o, k)) (options v) ++ map (fun j => (v, j)) (seq 0 k).

Lemma beside_heap_spec v k w j : In (w, j) (beside_heap (v, k)) <-> (In w (options v) /\ j = k) \/ (w = v /\ j < k).
Proof.
  unfold beside_heap. rewrite in_app_iff, !in_map_iff. split.
  - intros [[o [same there]] | [i [same there]]]; injection same as <- <-; [auto |].
    apply in_seq in there. right. split; [reflexivity | lia].
  - intros [[there ->] | [-> less]]; [left; exists w; auto | right; exists j; split; trivial; apply in_seq; lia].
Qed.

(** Normal play. *)
Let normal (_ : position * nat) : outcome := Lose.

Definition sum_wins : position * nat -> Prop := wins (position * nat) beside_heap normal.
Definition sum_loses : position * nat -> Prop := loses (position * nat) beside_heap normal.
Definition sum_draws : position * nat -> Prop := draws (position * nat) beside_heap normal.

Lemma sum_wins_by x y : In y (beside_heap x) -> sum_loses y -> sum_wins x.
Proof. apply wins_by. Qed.

Lemma sum_loses_by x : (forall y, In y (beside_heap x) -> sum_wins y) -> sum_loses x.
Proof.
  intros all. apply loses_iff. destruct (beside_heap x) as [| y l] eqn:E; [now left | right].
  split; [discriminate | exact all].
Qed.

(** ** The conditions *)

Variable value : position -> loopy_value.

(** The rank of a position in an order of those of equal value. *)
Variable place : position -> nat.

(** (1) A position of value m has no option of value m, and for each k < m it has one of value k. *)
Definition mex_condition (v : position) : Prop :=
  forall m, value v = Number m ->
    (forall o, In o (options v) -> value o <> Number m) /\
    (forall k, k < m -> exists o, In o (options v) /\ value o = Number k).

(** (2) Each option that does not have a number less than m as value has itself an option of value
        m, earlier in the order. *)
Definition order_condition (v : position) : Prop :=
  forall m, value v = Number m ->
    forall o, In o (options v) -> (forall k, k < m -> value o <> Number k) ->
    exists w, In w (options o) /\ value w = Number m /\ place w < place v.

(** (3) The set of an infinity consists of the numbers among the values of its options. If m is the
        mex of this set, one option is an infinity whose set does not contain m. *)
Definition infinity_condition (v : position) : Prop :=
  forall K, value v = Infinity K ->
    (forall k, In k K <-> exists o, In o (options v) /\ value o = Number k) /\
    exists m o L, ~ In m K /\ (forall k, k < m -> In k K) /\
      In o (options v) /\ value o = Infinity L /\ ~ In m L.

Definition conditions (v : position) : Prop := mex_condition v /\ order_condition v /\ infinity_condition v.

(** The positions with values, which include their options. *)
Variable inside : position -> Prop.
Hypothesis closed : forall v o, inside v -> In o (options v) -> inside o.
Hypothesis everywhere : forall v, inside v -> conditions v.

(** ** A number and a heap of the same size is a loss *)
Theorem equal_heap_is_lost v m : inside v -> value v = Number m -> sum_loses (v, m).
Proof.
  revert v. induction m as [m IHm] using lt_wf_ind.
  intros v. remember (place v) as p eqn:P. revert v P. induction p as [p IHp] using lt_wf_ind.
  intros v -> here V. destruct (everywhere v here) as [mex [order _]].
  destruct (mex m V) as [none below]. specialize (order m V).
  apply sum_loses_by. intros [w j] there. apply beside_heap_spec in there. destruct there as [[there ->] | [-> less]].
  - assert (inside w) as here' by (now apply (closed v)).
    assert ((exists k, k < m /\ value w = Number k) \/ (forall k, k < m -> value w <> Number k)) as [[k [K W]] | not].
    { destruct (value w) as [k | K]; [| right; intros; discriminate].
      destruct (lt_dec k m) as [less | more]; [left; eauto | right; intros i I same; injection same as ->; contradiction]. }
    + (* Reduce the heap to this size. *)
      apply (sum_wins_by _ (w, k)); [apply beside_heap_spec; auto | now apply IHm].
    + (* Reply with a move back to the value m. *)
      destruct (order w there not) as [x [X [same earlier]]].
      apply (sum_wins_by _ (x, m)); [apply beside_heap_spec; auto |].
      apply (IHp (place x)); trivial. now apply (closed w).
  - destruct (below j less) as [o [O same]].
    apply (sum_wins_by _ (o, j)); [apply beside_heap_spec; auto |]. apply IHm; trivial. now apply (closed v).
Qed.

(** A number and any other heap is a win. *)
Theorem other_heap_is_won v m k : inside v -> value v = Number m -> k <> m -> sum_wins (v, k).
Proof.
  intros here V other. destruct (everywhere v here) as [mex _]. destruct (mex m V) as [_ below].
  destruct (lt_dec k m) as [less | more].
  - destruct (below k less) as [o [there same]].
    apply (sum_wins_by _ (o, k)); [apply beside_heap_spec; auto |].
    apply equal_heap_is_lost; [now apply (closed v) | exact same].
  - apply (sum_wins_by _ (v, m)); [apply beside_heap_spec; right; split; [reflexivity | lia] |].
    now apply equal_heap_is_lost.
Qed.

(** An infinity and a heap whose size is in its set is a win. *)
Theorem infinity_is_won v K k : inside v -> value v = Infinity K -> In k K -> sum_wins (v, k).
Proof.
  intros here V member. destruct (everywhere v here) as [_ [_ infinity]]. destruct (infinity K V) as [numbers _].
  apply numbers in member. destruct member as [o [there same]].
  apply (sum_wins_by _ (o, k)); [apply beside_heap_spec; auto |].
  apply equal_heap_is_lost; [now apply (closed v) | exact same].
Qed.

(** An infinity and any other heap is a draw, since the player to move can stay among these sums. *)
Theorem infinity_is_a_draw v K k : inside v -> value v = Infinity K -> ~ In k K -> sum_draws (v, k).
Proof.
  assert (forall r v K k, inside v -> value v = Infinity K -> ~ In k K ->
    ~ wins_within _ beside_heap normal r (v, k) /\ ~ loses_within _ beside_heap normal r (v, k)) as neither.
  { clear v K k. induction r as [| r IH]; intros v K k here V out;
      destruct (everywhere v here) as [_ [_ infinity]]; destruct (infinity K V) as [numbers [m [o [L [M [below [there [O N]]]]]]]];
      assert (beside_heap (v, k) <> []) as some
        by (intros none; assert (In (o, k) (beside_heap (v, k))) as I by (apply beside_heap_spec; auto); now rewrite none in I).
    - split; intros [[none _] | []]; contradiction.
    - split.
      + intros [[none _] | [[w j] [to lost]]]; [contradiction |]. apply beside_heap_spec in to.
        assert (sum_loses (w, j)) as lost' by (now exists r).
        destruct to as [[to ->] | [-> less]].
        * assert (inside w) as here' by (now apply (closed v)). destruct (value w) as [n | J] eqn:W.
          -- destruct (Nat.eq_dec k n) as [-> | other].
             ++ apply out, numbers. eauto.
             ++ apply (not_both _ beside_heap normal (w, k)); [now apply (other_heap_is_won w n) | exact lost'].
          -- destruct (in_dec Nat.eq_dec k J) as [I | I].
             ++ apply (not_both _ beside_heap normal (w, k)); [now apply (infinity_is_won w J) | exact lost'].
             ++ exact (proj2 (IH w J k here' W I) lost).
        * destruct (in_dec Nat.eq_dec j K) as [I | I].
          -- apply (not_both _ beside_heap normal (v, j)); [now apply (infinity_is_won v K) | exact lost'].
          -- exact (proj2 (IH v K j here V I) lost).
      + intros [[none _] | [_ all]]; [contradiction |].
        destruct (lt_eq_lt_dec k m) as [[less | ->] | more].
        * elim out. auto.
        * refine (proj1 (IH o L m (closed v o here there) O N) _). apply all. apply beside_heap_spec. auto.
        * refine (proj1 (IH v K m here V M) _). apply all. apply beside_heap_spec. auto. }
  intros here V out. split; intros [r H]; [exact (proj1 (neither r v K k here V out) H) | exact (proj2 (neither r v K k here V out) H)].
Qed.

(** The claim of a value about the sums of its position with heaps of size k. *)
Definition value_is_true (v : position) : Prop :=
  forall k, match value v with
            | Number m => if k =? m then sum_loses (v, k) else sum_wins (v, k)
            | Infinity K => if existsb (Nat.eqb k) K then sum_wins (v, k) else sum_draws (v, k)
            end.

Theorem conditions_decide_sums v : inside v -> value_is_true v.
Proof.
  intros here k. destruct (value v) as [m | K] eqn:V.
  - destruct (Nat.eqb_spec k m) as [-> | other]; [now apply equal_heap_is_lost | now apply (other_heap_is_won v m)].
  - destruct (existsb (Nat.eqb k) K) eqn:E.
    + apply existsb_exists in E. destruct E as [x [I same]]. apply Nat.eqb_eq in same. subst. now apply (infinity_is_won v K).
    + apply (infinity_is_a_draw v K); trivial. intros I. assert (existsb (Nat.eqb k) K = true); [| congruence].
      apply existsb_exists. exists k. split; [exact I | apply Nat.eqb_refl].
Qed.

End Values.
