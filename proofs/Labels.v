(** * Loopy games

    A position is now an element of any type with a finite list of options. Positions may recur, and
    play may be infinite. Labels that are consistent with those of the options everywhere are
    true. *)

From Coq Require Import List Bool Arith Lia.
From Proofs Require Import Games.
Import ListNotations.

(** The outcome for the player to move. *)
Inductive outcome := Win | Lose | Draw.

Section Play.

Variable position : Type.
Variable options : position -> list position.

(** The outcome of a position without options for the player to move: a loss in normal play, a win
    in misère play. At the end of Tic-Tac-Toe it may be a draw. *)
Variable ending : position -> outcome.

(** ** Forced wins and their lengths *)

Fixpoint wins_within (r : nat) (v : position) : Prop :=
  (options v = [] /\ ending v = Win) \/
  match r with
  | O => False
  | S rest => exists o, In o (options v) /\ loses_within rest o
  end
with loses_within (r : nat) (v : position) : Prop :=
  (options v = [] /\ ending v = Lose) \/
  match r with
  | O => False
  | S rest => options v <> [] /\ forall o, In o (options v) -> wins_within rest o
  end.

Definition wins (v : position) : Prop := exists r, wins_within r v.
Definition loses (v : position) : Prop := exists r, loses_within r v.

(** A draw: no player can force a win. *)
Definition draws (v : position) : Prop := ~ wins v /\ ~ loses v.

(** A win in exactly r moves if the winner hurries and the loser delays, that is, within r moves but
    not within fewer. *)
Definition wins_in (r : nat) (v : position) : Prop := wins_within r v /\ forall s, wins_within s v -> r <= s.
Definition loses_in (r : nat) (v : position) : Prop := loses_within r v /\ forall s, loses_within s v -> r <= s.

(** A win within r moves is also a win within more. *)
Lemma more_time : forall r s v, r <= s ->
  (wins_within r v -> wins_within s v) /\ (loses_within r v -> loses_within s v).
Proof.
  induction r as [| r IH]; intros s v less.
  - destruct s; simpl; tauto.
  - destruct s as [| s]; [lia |]. simpl. split.
    + intros [done | [o [there lost]]]; [now left | right]. exists o. split; trivial. apply (IH s o); [lia | trivial].
    + intros [done | [some all]]; [now left | right]. split; trivial. intros o there. apply (IH s o); [lia | auto].
Qed.

(** A position cannot be both won and lost for the player to move. *)
Lemma not_both : forall v, wins v -> loses v -> False.
Proof.
  assert (forall n r s v, r + s < n -> wins_within r v -> loses_within s v -> False) as never.
  { induction n as [| n IH]; [lia |]. intros r s v less W L. destruct r as [| r], s as [| s]; simpl in W, L.
    - destruct W as [[_ won] | []], L as [[_ lost] | []]; congruence.
    - destruct W as [[none won] | []], L as [[_ lost] | [some _]]; congruence.
    - destruct L as [[none lost] | []], W as [[_ won] | [o [there _]]]; [congruence | now rewrite none in there].
    - destruct W as [[none won] | [o [there lost]]], L as [[none' lost'] | [some all]]; try congruence.
      + now rewrite none' in there.
      + apply (IH s r o); [lia | auto | exact lost]. }
  intros v [r W] [s L]. apply (never (S (r + s)) r s v); auto.
Qed.

(** The usual rules for outcomes hold here too. *)
Lemma wins_by o v : In o (options v) -> loses o -> wins v.
Proof. intros there [r lost]. exists (S r). right. eauto. Qed.

Lemma loses_by v : options v <> [] -> (forall o, In o (options v) -> wins o) -> loses v.
Proof.
  intros some all.
  assert (exists r, forall o, In o (options v) -> wins_within r o) as [r within].
  { clear some. induction (options v) as [| x l IH]; [exists 0; easy |].
    destruct IH as [r within]; [intros; apply all; now right |].
    destruct (all x) as [s W]; [now left |]. exists (Nat.max r s).
    intros o [<- | later]; [apply (more_time s) | apply (more_time r)]; auto; lia. }
  exists (S r). right. auto.
Qed.

Lemma wins_iff v :
  wins v <-> (options v = [] /\ ending v = Win) \/ exists o, In o (options v) /\ loses o.
Proof.
  split.
  - intros [[| r] [done | W]]; try (now left).
    destruct W as [o [there lost]]. right. exists o. split; trivial. now exists r.
  - intros [done | [o [there lost]]]; [exists 0; now left | now apply (wins_by o)].
Qed.

Lemma loses_iff v :
  loses v <-> (options v = [] /\ ending v = Lose) \/ (options v <> [] /\ forall o, In o (options v) -> wins o).
Proof.
  split.
  - intros [[| r] [done | L]]; try (now left).
    destruct L as [some all]. right. split; trivial. intros o there. exists r. auto.
  - intros [done | [some all]]; [exists 0; now left | now apply loses_by].
Qed.

(** ** Labels *)

Inductive label := N_in (r : nat) | P_in (r : nat) | D.

(** The claim of a label about the player to move. *)
Definition label_is_true (v : position) (l : label) : Prop :=
  match l with
  | N_in r => wins_in r v
  | P_in r => loses_in r v
  | D => draws v
  end.

Section Claims.

Variable claimed : position -> label.

(** The labelled positions, which include their options. *)
Variable inside : position -> Prop.
Hypothesis closed : forall v o, inside v -> In o (options v) -> inside o.

Definition end_label (e : outcome) : label := match e with Win => N_in 0 | Lose => P_in 0 | Draw => D end.

(** A label is consistent with those of the options. *)
Definition consistent (v : position) : Prop :=
  (options v = [] -> claimed v = end_label (ending v)) /\
  (options v <> [] ->
   match claimed v with
   | N_in r => exists s, r = S s /\ (exists o, In o (options v) /\ claimed o = P_in s) /\
                 forall o t, In o (options v) -> claimed o = P_in t -> s <= t
   | P_in r => exists s, r = S s /\ (exists o, In o (options v) /\ claimed o = N_in s) /\
                 forall o, In o (options v) -> exists t, claimed o = N_in t /\ t <= s
   | D => (exists o, In o (options v) /\ claimed o = D) /\
          forall o t, In o (options v) -> claimed o <> P_in t
   end).

Hypothesis everywhere : forall v, inside v -> consistent v.

(** By induction on the number of moves, the labels determine the winner within it. *)
Lemma labels_within : forall r v, inside v ->
  (wins_within r v <-> exists s, s <= r /\ claimed v = N_in s) /\
  (loses_within r v <-> exists s, s <= r /\ claimed v = P_in s).
Proof.
  induction r as [r IH] using lt_wf_ind. intros v here.
  destruct (everywhere v here) as [at_end on_the_way].
  destruct (options v) as [| x l] eqn:E.
  - specialize (at_end eq_refl). clear on_the_way.
    assert ((wins_within r v <-> ending v = Win) /\ (loses_within r v <-> ending v = Lose)) as [W L].
    { destruct r; simpl; rewrite E; repeat split; try tauto; intros [[_ it] | other]; try exact it;
        try (now elim (proj1 other)); destruct other as [o [[] _]]. }
    rewrite W, L, at_end. destruct (ending v); simpl; split; split; intros H; try discriminate;
      try reflexivity; try (exists 0; split; [lia | reflexivity]); now destruct H as [s [_ same]].
  - assert (x :: l <> []) as some by discriminate. specialize (on_the_way some). clear at_end.
    destruct r as [| r].
    + simpl. rewrite E. split; split; try (intros [[] | []]; discriminate); intros [s [zero same]];
        assert (s = 0) as -> by lia; rewrite same in on_the_way; destruct on_the_way as [s [none _]]; discriminate.
    + assert (forall o, In o (x :: l) ->
        (wins_within r o <-> exists s, s <= r /\ claimed o = N_in s) /\
        (loses_within r o <-> exists s, s <= r /\ claimed o = P_in s)) as those.
      { intros o there. apply IH; [lia |]. apply (closed v); [exact here | now rewrite E]. }
      clear IH. cbn [wins_within loses_within]. rewrite E.
      destruct (claimed v) as [q | q |] eqn:C.
      * destruct on_the_way as [s [-> [[o [there lost]] least]]]. split; split.
        -- intros [[] | [o' [there' lost']]]; [discriminate |]. apply (those o' there') in lost'.
           destruct lost' as [t [T same]]. exists (S s). split; [| reflexivity].
           specialize (least o' t there' same). lia.
        -- intros [q [Q same]]. injection same as <-. right. exists o. split; [exact there |].
           apply (those o there). exists s. split; [lia | exact lost].
        -- intros [[] | [_ all]]; [discriminate |]. specialize (all o there). apply (those o there) in all.
           destruct all as [t [_ same]]. congruence.
        -- intros [t [_ same]]. discriminate.
      * destruct on_the_way as [s [-> [[o [there won]] most]]]. split; split.
        -- intros [[] | [o' [there' lost']]]; [discriminate |]. apply (those o' there') in lost'.
           destruct lost' as [t [_ same]]. destruct (most o' there') as [u [same' _]]. congruence.
        -- intros [t [_ same]]. discriminate.
        -- intros [[] | [_ all]]; [discriminate |]. specialize (all o there). apply (those o there) in all.
           destruct all as [t [T same]]. exists (S s). split; [| reflexivity].
           rewrite won in same. injection same as ->. lia.
        -- intros [q [Q same]]. injection same as <-. right. split; [discriminate |].
           intros o' there'. apply (those o' there'). destruct (most o' there') as [t [same T]].
           exists t. split; [lia | exact same].
      * destruct on_the_way as [[o [there drawn]] none]. split; split.
        -- intros [[] | [o' [there' lost']]]; [discriminate |]. apply (those o' there') in lost'.
           destruct lost' as [t [_ same]]. elim (none o' t there' same).
        -- intros [t [_ same]]. discriminate.
        -- intros [[] | [_ all]]; [discriminate |]. specialize (all o there). apply (those o there) in all.
           destruct all as [t [_ same]]. congruence.
        -- intros [t [_ same]]. discriminate.
Qed.

(** Labels that are consistent everywhere are true. *)
Theorem consistent_labels_are_true v : inside v -> label_is_true v (claimed v).
Proof.
  intros here. pose proof (fun r => labels_within r v here) as within.
  destruct (claimed v) as [r | r |]; simpl.
  - split; [apply within; eauto |]. intros s W. apply within in W. destruct W as [t [T same]].
    injection same as ->. exact T.
  - split; [apply within; eauto |]. intros s L. apply within in L. destruct L as [t [T same]].
    injection same as ->. exact T.
  - split; intros [r H]; apply within in H; destruct H as [t [_ same]]; discriminate.
Qed.

End Claims.

(** ** Finite games

    If each move decreases a number, it suffices to list the P-positions of normal play.
    No move leads from one of them to another, and every other position has a move to one. *)
Theorem P_positions (inside : position -> Prop) (size : position -> nat) (lost : position -> bool) :
  (forall v o, inside v -> In o (options v) -> inside o /\ size o < size v) ->
  (forall v, inside v -> ending v = Lose) ->
  (forall v, inside v -> lost v = forallb (fun o => negb (lost o)) (options v)) ->
  forall v, inside v -> if lost v then loses v else wins v.
Proof.
  intros closed ends rule v. remember (size v) as n eqn:N. revert v N.
  induction n as [n IH] using lt_wf_ind. intros v -> here. rewrite (rule v here).
  destruct (forallb (fun o => negb (lost o)) (options v)) eqn:F.
  - rewrite forallb_forall in F. apply loses_iff. destruct (options v) as [| x l] eqn:E; [left; auto |].
    right. split; [discriminate |]. rewrite <- E in *. intros o there.
    destruct (closed v o here there) as [here' less]. specialize (F o there). apply negb_true_iff in F.
    specialize (IH (size o) less o eq_refl here'). now rewrite F in IH.
  - assert (exists o, In o (options v) /\ lost o = true) as [o [there L]].
    { clear - F. induction (options v) as [| x l IH]; simpl in F; [discriminate |].
      destruct (lost x) eqn:X; [exists x; split; [now left | trivial] |].
      destruct (IH F) as [o [there L]]. exists o. split; [now right | trivial]. }
    destruct (closed v o here there) as [here' less].
    specialize (IH (size o) less o eq_refl here'). rewrite L in IH. now apply (wins_by o).
Qed.

(** The full search to a given depth; [None] if the depth does not suffice. *)
Fixpoint search (depth : nat) (v : position) : option outcome :=
  match depth with
  | O => None
  | S rest =>
    match options v with
    | [] => Some (ending v)
    | l => fold_right (fun o best =>
             match search rest o, best with
             | None, _ | _, None => None
             | Some Lose, _ | _, Some Win => Some Win
             | Some Draw, _ | _, Some Draw => Some Draw
             | Some Win, Some Lose => Some Lose
             end) (Some Lose) l
    end
  end.

Definition outcome_is (v : position) (e : outcome) : Prop :=
  match e with Win => wins v | Lose => loses v | Draw => draws v end.

Theorem search_is_right : forall depth v e, search depth v = Some e -> outcome_is v e.
Proof.
  induction depth as [| depth IH]; intros v e; cbn [search]; [discriminate |].
  destruct (options v) as [| x l] eqn:E.
  - intros same. injection same as <-. destruct (ending v) eqn:V; simpl.
    + exists 0. now left.
    + exists 0. now left.
    + split; intros H; [apply wins_iff in H | apply loses_iff in H]; rewrite E in H.
      * destruct H as [[_ H] | [o [[] _]]]; congruence.
      * destruct H as [[_ H] | [some _]]; congruence.
  - set (best := fold_right _ _ _).
    (* The result of the search for a part of the options. *)
    assert (forall l', (forall o, In o l' -> In o (options v)) -> forall e,
      fold_right (fun o best =>
             match search depth o, best with
             | None, _ | _, None => None
             | Some Lose, _ | _, Some Win => Some Win
             | Some Draw, _ | _, Some Draw => Some Draw
             | Some Win, Some Lose => Some Lose
             end) (Some Lose) l' = Some e ->
      match e with
      | Win => exists o, In o l' /\ loses o
      | Lose => forall o, In o l' -> wins o
      | Draw => (exists o, In o l' /\ draws o) /\ forall o, In o l' -> ~ loses o
      end) as some_of.
    { induction l' as [| y l' IHl]; intros sub e'; simpl.
      - intros same. injection same as <-. easy.
      - specialize (IHl (fun o there => sub o (or_intror there))).
        destruct (search depth y) as [ey |] eqn:Y; [| discriminate].
        apply IH in Y. destruct (fold_right _ _ l') as [el |]; [| destruct ey; discriminate].
        specialize (IHl el eq_refl).
        destruct ey, el; intros same; injection same as <-; simpl in Y.
        + destruct IHl as [o [there L]]. eauto.
        + intros o [<- | later]; auto.
        + destruct IHl as [[o [there L]] none]. split; [eauto |].
          intros o' [<- | later]; [| auto]. intros L'. exact (not_both _ Y L').
        + eauto.
        + eauto.
        + eauto.
        + destruct IHl as [o [there L]]. eauto.
        + split; [eauto |]. intros o [<- | later]; [exact (proj2 Y) |]. intros L. exact (not_both _ (IHl o later) L).
        + destruct IHl as [_ none]. split; [eauto |]. intros o [<- | later]; [exact (proj2 Y) | auto]. }
    intros found. subst best. specialize (some_of (x :: l)). rewrite E in some_of.
    specialize (some_of (fun o there => there) e found).
    destruct e; simpl.
    + destruct some_of as [o [there L]]. apply (wins_by o); [now rewrite E | exact L].
    + apply loses_by; rewrite E; [discriminate | exact some_of].
    + destruct some_of as [[o [there [W L]]] none]. split; intros H.
      * apply wins_iff in H. rewrite E in H. destruct H as [[] | [o' [there' L']]]; [discriminate |].
        exact (none o' there' L').
      * apply loses_iff in H. rewrite E in H. destruct H as [[] | [_ all]]; [discriminate |]. auto.
Qed.

End Play.


(** ** The games of the first chapter as a special case *)

Theorem normal_play_agrees g :
  (is_N g <-> wins game Games.options (fun _ => Lose) g) /\ (is_P g <-> loses game Games.options (fun _ => Lose) g).
Proof.
  induction g as [g IH] using play_induction. split.
  - rewrite N_iff, wins_iff. split.
    + intros [o [there lost]]. right. exists o. split; [exact there | now apply IH].
    + intros [[_ no] | [o [there lost]]]; [discriminate |]. exists o. split; [exact there | now apply IH].
  - rewrite P_iff, loses_iff. split.
    + intros all. destruct (Games.options g) as [| x l] eqn:E; [now left | right].
      split; [discriminate |]. intros o there. apply IH; [exact there | now apply all].
    + intros [[none _] | [_ all]] o there; [now rewrite none in there |]. apply IH; [exact there | now apply all].
Qed.

Theorem misere_play_agrees g :
  (next_wins_misere g = true <-> wins game Games.options (fun _ => Win) g) /\
  (next_wins_misere g = false <-> loses game Games.options (fun _ => Win) g).
Proof.
  induction g as [g IH] using play_induction.
  assert (next_wins_misere g = true <-> wins game Games.options (fun _ => Win) g) as won.
  { rewrite misere_N_iff, wins_iff. split.
    - intros [none | [o [there lost]]]; [now left | right]. exists o. split; [exact there | now apply IH].
    - intros [[none _] | [o [there lost]]]; [now left | right]. exists o. split; [exact there | now apply IH]. }
  split; [exact won |]. split.
  - intros it. apply loses_iff. destruct (Games.options g) as [| x l] eqn:E.
    + exfalso. assert (next_wins_misere g = true); [apply misere_N_iff; now left | congruence].
    + right. split; [discriminate |]. intros o there. apply IH; [exact there |].
      destruct (next_wins_misere o) eqn:O; [reflexivity |]. exfalso.
      assert (next_wins_misere g = true); [| congruence]. apply misere_N_iff. right. exists o. split; [now rewrite E | exact O].
  - intros lost. destruct (next_wins_misere g) eqn:N; [| reflexivity].
    exfalso. apply (not_both game Games.options (fun _ => Win) g); [now apply won | exact lost].
Qed.
