(** * Finite graphs

    The positions are the numbers 0, ..., n - 1, with a list of options for each. On such a graph
    the conditions of the two previous chapters can be checked for every vertex. *)

From Coq Require Import List Bool Arith Lia.
From Proofs Require Import Games Labels SmithFraenkel.
Import ListNotations.

(** Row v lists the options of v. *)
Definition graph := list (list nat).

Definition options_in (rows : graph) (v : nat) : list nat := nth v rows [].

Definition vertices (rows : graph) : list nat := seq 0 (length rows).

(** Every option is a vertex of the graph. *)
Definition check_closed (rows : graph) : bool :=
  forallb (fun v => forallb (fun o => o <? length rows) (options_in rows v)) (vertices rows).

Lemma check_closed_sound rows : check_closed rows = true ->
  forall v o, v < length rows -> In o (options_in rows v) -> o < length rows.
Proof.
  intros closed v o here there. unfold check_closed in closed. rewrite forallb_forall in closed.
  assert (In v (vertices rows)) as I by (apply in_seq; lia).
  specialize (closed v I). rewrite forallb_forall in closed. now apply Nat.ltb_lt, closed.
Qed.

(** A property holds for every vertex if it was checked for each. *)
Lemma every_vertex rows (looked : nat -> bool) :
  forallb looked (vertices rows) = true -> forall v, v < length rows -> looked v = true.
Proof. intros all v here. rewrite forallb_forall in all. apply all, in_seq. lia. Qed.

(** ** Labels *)

(** A player who cannot move loses in normal play and wins in misère play. *)
Inductive play := Normal | Misere.

Definition end_of {A} (p : play) : A -> outcome := match p with Normal => fun _ => Lose | Misere => fun _ => Win end.

Definition is_N_in (s : nat) (l : label) : bool := match l with N_in t => t =? s | _ => false end.
Definition is_P_in (s : nat) (l : label) : bool := match l with P_in t => t =? s | _ => false end.
Definition is_D (l : label) : bool := match l with D => true | _ => false end.

(** Returns whether the label of a position is consistent with those of its options. Positions may
    be of any type here. *)
Definition check_label {A} (options : list A) (ending : outcome) (claimed : A -> label) (v : A) : bool :=
  match options with
  | [] =>
    match ending, claimed v with
    | Win, N_in 0 | Lose, P_in 0 | Draw, D => true
    | _, _ => false
    end
  | _ =>
    match claimed v with
    | N_in (S s) => existsb (fun o => is_P_in s (claimed o)) options
                    && forallb (fun o => match claimed o with P_in t => s <=? t | _ => true end) options
    | P_in (S s) => existsb (fun o => is_N_in s (claimed o)) options
                    && forallb (fun o => match claimed o with N_in t => t <=? s | _ => false end) options
    | D => existsb (fun o => is_D (claimed o)) options
           && forallb (fun o => match claimed o with P_in _ => false | _ => true end) options
    | _ => false
    end
  end.

Lemma check_label_sound {A} options ending claimed (v : A) :
  check_label (options v) (ending v) claimed v = true -> consistent A options ending claimed v.
Proof.
  unfold check_label, consistent. destruct (options v) as [| x l] eqn:E.
  - intros same. split; [intros _ | intros some; now elim some].
    destruct (ending v), (claimed v) as [[| r] | [| r] |]; try discriminate; reflexivity.
  - intros checked. split; [discriminate | intros _].
    destruct (claimed v) as [[| s] | [| s] |]; try discriminate;
      apply andb_true_iff in checked; destruct checked as [one all];
      apply existsb_exists in one; destruct one as [o [there is]]; rewrite forallb_forall in all.
    + exists s. split; [reflexivity |]. split.
      * exists o. split; [exact there |]. destruct (claimed o) as [t | t |]; try discriminate. apply Nat.eqb_eq in is. congruence.
      * intros o' t there' same. specialize (all o' there'). rewrite same in all. now apply Nat.leb_le.
    + exists s. split; [reflexivity |]. split.
      * exists o. split; [exact there |]. destruct (claimed o) as [t | t |]; try discriminate. apply Nat.eqb_eq in is. congruence.
      * intros o' there'. specialize (all o' there'). destruct (claimed o') as [t | t |]; try discriminate.
        exists t. split; [reflexivity | now apply Nat.leb_le].
    + split.
      * exists o. split; [exact there |]. now destruct (claimed o).
      * intros o' t there' same. specialize (all o' there'). now rewrite same in all.
Qed.

Definition check_labels (rows : graph) (p : play) (labels : list label) : bool :=
  let claimed := fun v => nth v labels D in
  check_closed rows && forallb (fun v => check_label (options_in rows v) (end_of p v) claimed v) (vertices rows).

Theorem check_labels_sound rows p labels : check_labels rows p labels = true ->
  forall v, v < length rows -> label_is_true nat (options_in rows) (end_of p) v (nth v labels D).
Proof.
  unfold check_labels. intros checked v here. apply andb_true_iff in checked. destruct checked as [closed all].
  apply (consistent_labels_are_true nat (options_in rows) (end_of p) (fun v => nth v labels D) (fun v => v < length rows)).
  - now apply check_closed_sound.
  - intros w inside. apply check_label_sound. exact (every_vertex _ _ all w inside).
  - exact here.
Qed.

(** ** Values *)

Definition is_number (m : nat) (x : loopy_value) : bool := match x with Number k => k =? m | Infinity _ => false end.

Lemma is_number_spec m x : is_number m x = true <-> x = Number m.
Proof.
  destruct x as [k | K]; simpl; [| split; discriminate]. rewrite Nat.eqb_eq. split; [congruence | intros E; now injection E].
Qed.

Definition has (k : nat) (l : list nat) : bool := existsb (Nat.eqb k) l.

Lemma has_spec k l : has k l = true <-> In k l.
Proof.
  unfold has. rewrite existsb_exists. split.
  - intros [x [there same]]. apply Nat.eqb_eq in same. now subst.
  - intros there. exists k. split; [exact there | apply Nat.eqb_refl].
Qed.

(** Some option has the value m. *)
Definition offers {A} (value : A -> loopy_value) (options : list A) (m : nat) : bool :=
  existsb (fun o => is_number m (value o)) options.

Lemma offers_spec {A} value (options : list A) m : offers value options m = true <-> exists o, In o options /\ value o = Number m.
Proof.
  unfold offers. rewrite existsb_exists. split; intros [o [there is]]; exists o; split; trivial; now apply is_number_spec.
Qed.

(** The conditions (1), (2) and (3) at a vertex. In (3) the mex is at most the length of the
    list. *)
Definition check_value {A} (options_of : A -> list A) (value : A -> loopy_value) (place : A -> nat) (v : A) : bool :=
  let options := options_of v in
  match value v with
  | Number m =>
    negb (offers value options m) && forallb (offers value options) (seq 0 m)
    && forallb (fun o =>
         match value o with Number k => k <? m | Infinity _ => false end
         || existsb (fun w => is_number m (value w) && (place w <? place v)) (options_of o)) options
  | Infinity K =>
    forallb (offers value options) K
    && forallb (fun o => match value o with Number k => has k K | Infinity _ => true end) options
    && existsb (fun m =>
         negb (has m K) && forallb (fun k => has k K) (seq 0 m)
         && existsb (fun o => match value o with Infinity L => negb (has m L) | Number _ => false end) options)
       (seq 0 (S (length K)))
  end.

Lemma check_value_sound {A} options value place (v : A) :
  check_value options value place v = true -> conditions A options value place v.
Proof.
  unfold check_value, conditions, mex_condition, order_condition, infinity_condition.
  destruct (value v) as [m | K]; rewrite !andb_true_iff.
  - intros [[none below] order]. apply negb_true_iff in none. rewrite forallb_forall in below, order.
    split; [| split; [| discriminate]]; intros m' same; injection same as <-.
    + split.
      * intros o there is. assert (offers value (options v) m = true); [| congruence]. apply offers_spec. eauto.
      * intros k less. apply offers_spec, below, in_seq. lia.
    + intros o there not. specialize (order o there). apply orb_true_iff in order. destruct order as [low | answered].
      * destruct (value o) as [k | L]; [| discriminate]. apply Nat.ltb_lt in low. elim (not k low). reflexivity.
      * apply existsb_exists in answered. destruct answered as [w [W is]]. apply andb_true_iff in is.
        destruct is as [is earlier]. exists w. split; [exact W |]. split; [now apply is_number_spec | now apply Nat.ltb_lt].
  - intros [[offered held] missing]. rewrite forallb_forall in offered, held.
    split; [discriminate |]. split; [discriminate |]. intros K' same. injection same as <-. split.
    + intros k. split.
      * intros I. now apply offers_spec, offered.
      * intros [o [there is]]. specialize (held o there). rewrite is in held. now apply has_spec.
    + apply existsb_exists in missing. destruct missing as [m [_ missing]].
      rewrite !andb_true_iff in missing. destruct missing as [[out below] infinite].
      apply existsb_exists in infinite. destruct infinite as [o [there not]].
      destruct (value o) as [k | L] eqn:E; [discriminate |]. exists m, o, L. rewrite forallb_forall in below.
      repeat split; trivial.
      * intros I. apply has_spec in I. now rewrite I in out.
      * intros k less. apply has_spec, below, in_seq. lia.
      * intros I. apply has_spec in I. now rewrite I in not.
Qed.

Definition check_values (rows : graph) (values : list loopy_value) (places : list nat) : bool :=
  let value := fun v => nth v values (Number 0) in
  let place := fun v => nth v places 0 in
  check_closed rows && forallb (check_value (options_in rows) value place) (vertices rows).

Theorem check_values_sound rows values places : check_values rows values places = true ->
  forall v, v < length rows -> value_is_true nat (options_in rows) (fun v => nth v values (Number 0)) v.
Proof.
  unfold check_values. intros checked v here. apply andb_true_iff in checked. destruct checked as [closed all].
  apply (conditions_decide_sums nat (options_in rows) _ (fun v => nth v places 0) (fun v => v < length rows)).
  - now apply check_closed_sound.
  - intros w inside. apply check_value_sound. exact (every_vertex _ _ all w inside).
  - exact here.
Qed.

(** ** Two graphs

    The edges are from 0 to 1, from 1 to 0 and 2, and from 2 to 3, where play ends. In normal play 2
    is won in one move. A move from 1 to 2 therefore loses, so 0 and 1 are draws. *)
Definition around : graph := [[1]; [0; 2]; [3]; []].

Example around_in_normal_play : forall v, v < 4 ->
  label_is_true nat (options_in around) (end_of Normal) v (nth v [D; D; N_in 1; P_in 0] D).
Proof. apply (check_labels_sound around Normal [D; D; N_in 1; P_in 0]). now vm_compute. Qed.

(** In misère play 3 is won, so 2 is lost, 1 won, and 0 lost. *)
Example around_in_misere_play : forall v, v < 4 ->
  label_is_true nat (options_in around) (end_of Misere) v (nth v [P_in 3; N_in 2; P_in 1; N_in 0] D).
Proof. apply (check_labels_sound around Misere [P_in 3; N_in 2; P_in 1; N_in 0]). now vm_compute. Qed.

(** A vertex with a loop and an edge to a vertex of value 0. Its value is an infinity, and its sum
    with a Nim heap is won only for heap 0. *)
Definition loop : graph := [[0; 1]; []].

Example values_of_the_loop : forall v, v < 2 ->
  value_is_true nat (options_in loop) (fun v => nth v [Infinity [0]; Number 0] (Number 0)) v.
Proof. apply (check_values_sound loop [Infinity [0]; Number 0] [0; 0]). now vm_compute. Qed.
