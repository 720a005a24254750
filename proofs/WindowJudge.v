(** * The judge of long games

    A certificate that it accepts is true, by the theorem of the sparse window. *)

From Coq Require Import Uint63 PArray List Bool Arith NArith ZArith Lia.
From Proofs Require Import Games Nimbers SpragueGrundy Heaps TakingAndBreaking Repetition Periods SparseWindow Words Machine LongGames.
Import ListNotations.

(** ** The judge *)

Definition last_of (l : list int) : int := last l 0%uint63.

(** The list starts at 1 or above and is strictly ascending. *)
Fixpoint ascending_from (i : int) (l : list int) : bool :=
  match l with
  | [] => true
  | j :: l' => (i <? j)%uint63 && ascending_from j l'
  end.

Definition larger (i j : int) : int := if (i <? j)%uint63 then j else i.

(** An error in a certificate that is found before any value is computed. *)
Inductive objection :=
| Not_an_octal_game
| The_numbers_do_not_fit
| Beyond_the_machine
| Fault (why : fault).

Section Judge.

Variable w : window_certificate.

Let c := window_code w.
Let n0 := window_preperiod w.
Let p := window_period w.
Let n1 := window_start w.
Let A := window_reach w.
Let rares := window_rares w.
Let position := window_position w.

Definition digits : int := int_of (length c).

(** The largest small heap whose values are stored in addition to the last ones. *)
Definition farthest : int := (ring_length - digits)%uint63.

Definition large_number : int := 576460752303423488%uint63.

(** Returns whether the breaks take odd numbers of chips, provided that all of them have one
    parity. *)
Definition breaks_parity : bool := match chips_with c 2 with k :: _ => negb (is_even k) | [] => false end.

Definition check_game : bool :=
  negb (existsb (fun d => N.testbit d 3) c) && match chips_with c 2 with [] => false | _ => true end.

Definition window_width : int := (larger (last_of rares) A + (digits - 1))%uint63.

Definition check_numbers : bool :=
  (1 <=? p)%uint63
  && (negb position || is_even p && forallb (fun k => Bool.eqb (negb (is_even k)) breaks_parity) (chips_with c 2))
  && ascending_from 0 rares
  && (window_width + last_of rares <? n1)%uint63
  && (n0 + window_width <=? n1)%uint63.

(** The limits of the machine. *)
Definition check_size : bool :=
  (1 <=? length c) && (length c <? 1024) && (p <? large_number)%uint63 && (n1 <? large_number)%uint63 && (n0 <? large_number)%uint63
  && forallb (fun i => (i <=? farthest)%uint63) rares && (A <=? farthest)%uint63.

Definition stepping (tables : list int * list int * list int * array bool) : machine -> state :=
  let '(takes, wholes, breaks, classes) := tables in
  step takes wholes breaks classes position breaks_parity n1 A farthest ring_size.

Definition tables : list int * list int * list int * array bool := (chips_with c 1, chips_with c 0, chips_with c 2, classes_of (window_mask w)).

Definition beginning : machine := {|
  heap := 0;
  ring := make ring_length 0%uint63;
  low := make ring_length 0%uint63;
  seen := make values_bound 0%uint63;
  known := [];
  ahead := rares |}.

Definition judge_window : option objection :=
  if negb check_game then Some Not_an_octal_game
  else if negb check_size then Some Beyond_the_machine
  else if negb check_numbers then Some The_numbers_do_not_fit
  else
    let go := stepping tables in
    let lo := if (n0 =? 0)%uint63 then 0%uint63 else (n0 - 1)%uint63 in
    match run go lo beginning with
    | Stopped why => Some (Fault (The_machine_stopped why))
    | Going back =>
      match run go p (copied back) with
      | Stopped why => Some (Fault (The_machine_stopped why))
      | Going front =>
        match run_both go n0 (n1 - lo)%uint63 back front with
        | Broken why => Some (Fault why)
        | Both back front =>
          match ahead front with
          | _ :: _ => Some (Fault (The_machine_stopped The_rare_heaps_are_others))
          | [] => option_map Fault (exclude_divisors go (divisors_of p) back)
          end
        end
      end
    end.

(** *** Correctness *)

Local Notation g := (G c).
Local Notation r := (number (last_of rares)).

Lemma stands_number i : stands i (number i).
Proof. apply stands_its_number. Qed.

Lemma number_of i n : stands i n -> number i = n.
Proof. unfold stands, number. intros ->. apply Nat2Z.id. Qed.

Lemma number_ltb i j : (i <? j)%uint63 = (number i <? number j).
Proof. apply stands_ltb; apply stands_number. Qed.

Lemma number_leb i j : (i <=? j)%uint63 = (number i <=? number j).
Proof. apply stands_leb; apply stands_number. Qed.

Lemma ascending_below l : forall i, ascending_from i l = true -> forall j, In j l -> number i < number j <= number (last l i).
Proof.
  induction l as [| x l IH]; intros i up j I; [destruct I |]. cbn [ascending_from] in up. apply andb_true_iff in up. destruct up as [less up].
  rewrite number_ltb in less. apply Nat.ltb_lt in less.
  destruct l as [| y l].
  - destruct I as [<- | []]. simpl. lia.
  - change (last (x :: y :: l) i) with (last (y :: l) i).
    assert (last (y :: l) i = last (y :: l) x) as -> by (clear; revert y; induction l as [| z l IH]; intros y; [reflexivity |]; apply (IH z)).
    destruct I as [<- | I].
    + pose proof (IH x up y (or_introl eq_refl)). lia.
    + pose proof (IH x up j I). lia.
Qed.

Theorem accepted_windows_are_true : judge_window = None -> window_is_true w.
Proof.
  unfold judge_window.
  destruct check_game eqn:game; cbn [negb]; [| discriminate].
  destruct check_size eqn:size; cbn [negb]; [| discriminate].
  destruct check_numbers eqn:numbers; cbn [negb]; [| discriminate].
  unfold check_game in game. unfold check_size in size. unfold check_numbers in numbers.
  apply andb_true_iff in game. destruct game as [octal_ some_break].
  apply andb_true_iff in size. destruct size as [size A_small]. apply andb_true_iff in size. destruct size as [size rares_small].
  apply andb_true_iff in size. destruct size as [size n0_small]. apply andb_true_iff in size. destruct size as [size n1_small].
  apply andb_true_iff in size. destruct size as [short p_small].
  apply andb_true_iff in short. destruct short as [some_digits short]. apply Nat.leb_le in some_digits.
  apply andb_true_iff in numbers. destruct numbers as [numbers early]. apply andb_true_iff in numbers. destruct numbers as [numbers far].
  apply andb_true_iff in numbers. destruct numbers as [numbers up]. apply andb_true_iff in numbers. destruct numbers as [some parities].
  rewrite number_leb in some, A_small, early. rewrite number_ltb in far.
  apply Nat.leb_le in some, A_small, early. apply Nat.ltb_lt in short, far. change (number 1%uint63) with 1 in some.
  apply ltb_spec in p_small, n1_small, n0_small. change (to_Z large_number) with 576460752303423488%Z in p_small, n1_small, n0_small.
  pose proof (stands_number p) as Np. pose proof (stands_number n0) as N0. pose proof (stands_number n1) as N1. pose proof (stands_number A) as NA.
  unfold stands in Np, N0, N1, NA. rewrite Np in p_small. rewrite N0 in n0_small. rewrite N1 in n1_small.
  pose proof ring_size_is as ring_is.
  assert (stands digits (length c)) as D by (apply int_of_spec; lia).
  assert (number digits = length c) as Dn by (unfold number, stands in *; lia).
  assert (stands ring_length ring_size) as RL by (unfold stands; now rewrite ring_is).
  assert (stands farthest (ring_size - length c)) as Fa by (apply stands_sub; [exact RL | exact D | lia]).
  assert (number farthest = ring_size - length c) as Fn by (unfold number, stands in *; lia).
  assert (parts_at_most c 2) as octal.
  { pose proof (most_of_spec c) as it. unfold most_of in it. apply negb_true_iff in octal_. now rewrite octal_ in it. }
  assert (forall i, In i rares -> number 0%uint63 < number i <= r) as rares_below by (intros i I; exact (ascending_below rares 0%uint63 up i I)).
  assert (r <= ring_size - length c) as r_small.
  { unfold last_of in *. destruct rares as [| x l] eqn:E; [cbn; unfold number; cbn; lia |]. rewrite <- E in *.
    rewrite forallb_forall in rares_small. assert (In (last rares 0%uint63) rares) as I.
    { rewrite E. destruct (@exists_last _ (x :: l) ltac:(discriminate)) as [l' [a E']]. rewrite E', last_last. apply in_or_app. right. now left. }
    specialize (rares_small _ I). rewrite number_leb in rares_small. apply Nat.leb_le in rares_small. lia. }
  assert (stands (larger (last_of rares) A) (Nat.max r (number A))) as L.
  { unfold larger. rewrite number_ltb. destruct (Nat.ltb_spec r (number A)).
    - rewrite Nat.max_r by lia. apply stands_number.
    - rewrite Nat.max_l by lia. apply stands_number. }
  assert (stands window_width (width c r (number A))) as Wd.
  { unfold window_width, width. unfold stands in *. rewrite z_add; rewrite z_sub; change (to_Z 1%uint63) with 1%Z; lia. }
  assert (stands (window_width + last_of rares)%uint63 (width c r (number A) + r)) as Wr.
  { pose proof (stands_number (last_of rares)). unfold stands in *. rewrite z_add; unfold width in *; lia. }
  assert (stands (n0 + window_width)%uint63 (number n0 + width c r (number A))) as Wn.
  { pose proof (stands_number n0). unfold stands in *. rewrite z_add; unfold width in *; lia. }
  assert (width c r (number A) + r < number n1) as far' by (unfold number, stands in *; lia).
  assert (number n0 + width c r (number A) <= number n1) as early' by (unfold number, stands in *; lia).
  assert (position = true -> Nat.odd (number p) = false) as p_even.
  { intros E. rewrite E in parities. cbn [negb orb] in parities. apply andb_true_iff in parities. destruct parities as [even _].
    rewrite <- (odd_is p (number p) (stands_number p)). now rewrite even. }
  assert (forall j k, (exists i, In i (chips_with c j) /\ stands i k) <-> allows c k j = true) as places_are by (intros j k; apply chips_with_spec; lia).
  assert (position = true -> forall k, allows c k 2 = true -> Nat.odd k = breaks_parity) as one_parity.
  { intros E k it. rewrite E in parities. cbn [negb orb] in parities. apply andb_true_iff in parities. destruct parities as [_ all].
    rewrite forallb_forall in all. apply places_are in it. destruct it as [i [I K]]. specialize (all i I). apply eqb_prop in all.
    now rewrite <- (odd_is i k K). }
  assert (forall i, In i rares -> exists m, stands i m /\ m <= r) as rares_stand
    by (intros i I; exists (number i); split; [apply stands_number | apply (rares_below i I)]).
  assert (r + length c <= ring_size) as r_fits by lia.
  assert (ring_size - length c + length c <= ring_size) as most_fits by lia.
  assert (number A + length c <= ring_size) as A_fits by lia.
  assert (length c < ring_size) as code_fits by lia.
  set (right_ := right position breaks_parity c (window_mask w) rares).
  set (good_ := good c (window_mask w) position breaks_parity r (number A)).
  set (go_ := stepping tables).
  assert (forall s n s', right_ s n -> go_ s = Going s' -> right_ s' (S n) /\ (number n1 <= n -> good_ n)) as right_step.
  { intros s n s' R E.
    exact (step_right (chips_with c 1) (chips_with c 0) (chips_with c 2) (classes_of (window_mask w)) position breaks_parity n1 A farthest
      ring_size c octal (places_are 1) (places_are 0) (places_are 2) (window_mask w) (classes_of_spec (window_mask w)) one_parity rares r
      (ring_size - length c) (number n1) (number A) rares_stand Fa (stands_number n1) (stands_number A) r_fits most_fits A_fits code_fits s n s' R E). }
  assert (forall s n, right_ s n -> stands (heap s) n) as right_heap by (intros s n R; apply R).
  assert (forall s n i m, right_ s n -> stands i m -> m < n -> n <= m + ring_size -> worth (value_at (ring s) i) (g m)) as right_value
    by (intros s n i m R; apply R).
  assert (forall s n, right_ s n -> right_ (copied s) n) as right_copied.
  { intros s n R. unfold copied. split; cbn [heap ring low Machine.seen known ahead]; rewrite ?PArray.length_copy; try apply R;
      intros; unfold value_at in *; rewrite get_copy; now apply R. }
  assert (right_ beginning 0) as start_right.
  { split; cbn [heap ring low Machine.seen known ahead beginning].
    - reflexivity.
    - apply length_make.
    - intros i m _ none. lia.
    - apply length_make.
    - intros i m _ none. lia.
    - apply length_make.
    - intros i. rewrite get_make. reflexivity.
    - intros m. split; [intros [i [[] _]] | intros [[] _]; lia].
    - intros i. split; [intros [[] | I]; exact I | auto]. }
  cbv zeta. fold go_.
  set (lo := if (n0 =? 0)%uint63 then 0%uint63 else (n0 - 1)%uint63).
  assert (number lo = number n0 - 1) as Lo.
  { unfold lo. destruct (eqbP n0 0) as [zero | not]; change (to_Z 0%uint63) with 0%Z in *; unfold number; [rewrite zero; reflexivity |].
    pose proof (bounded n0). rewrite z_sub; change (to_Z 1%uint63) with 1%Z; lia. }
  destruct (run go_ lo beginning) as [back |] eqn:E1; [| discriminate].
  destruct (run_right go_ _ (number n1) good_ right_step lo beginning 0 back start_right E1) as [B1 _].
  destruct (run go_ p (copied back)) as [front |] eqn:E2; [| discriminate].
  destruct (run_right go_ _ (number n1) good_ right_step p (copied back) _ front (right_copied _ _ B1) E2) as [F1 G1].
  rewrite Nat.add_0_l in *.
  destruct (run_both go_ n0 (n1 - lo) back front) as [back' front' |] eqn:E3; [| discriminate].
  destruct (run_both_right go_ g right_ (number n1) good_ right_step right_heap right_value n0 (number n0) (number p) (n1 - lo)%uint63
    (stands_number n0) back front (number lo) back' front' B1 F1 E3) as [B2 [F2 [S2 G2]]].
  assert (number (n1 - lo) = number n1 - number lo) as Count.
  { apply number_of, stands_sub; [apply stands_number | apply stands_number | lia]. }
  rewrite Count in *. replace (number lo + (number n1 - number lo)) with (number n1) in * by lia.
  destruct (ahead front') as [| x l] eqn:none_left; [| discriminate].
  destruct (exclude_divisors go_ (divisors_of p) back') as [why |] eqn:E4; [discriminate |]. intros _.
  destruct (divisors_of_spec p (number p) (stands_number p)) as [divisors divisors_small].
  pose proof (exclude_divisors_right go_ g right_ (number n1) good_ right_step right_heap right_value (divisors_of p) back' (number n1) B2
    ltac:(lia)) as excluded.
  assert (forall m, 1 <= m < number n1 + number p -> is_common (window_mask w) position breaks_parity m (g m) = false -> m <= r) as rare_low.
  { intros m bound rare. destruct (proj2 (known_right _ _ _ _ _ _ _ F2 m)) as [i [I M]]; [split; [exact bound | exact rare] |].
    assert (In i rares) as I' by (apply (known_listed _ _ _ _ _ _ _ F2); now left).
    pose proof (rares_below i I') as [_ it]. now rewrite (number_of i m M) in it. }
  assert (forall n, r < n -> n < number n1 + number p -> common c (window_mask w) position breaks_parity n) as commons.
  { intros n more less. unfold common. destruct (is_common _ _ _ n (g n)) eqn:E; [reflexivity |]. specialize (rare_low n ltac:(lia) E). lia. }
  assert (forall n, number n1 <= n -> n < number n1 + number p -> good_ n) as witnesses.
  { intros n above below. destruct (le_lt_dec (number lo + number p) n) as [high | low_]; [apply G2; lia | apply G1; lia]. }
  assert (forall n, number n0 <= n -> n < number n1 -> g (n + number p) = g n) as again.
  { intros n above below. specialize (S2 n ltac:(lia) below). apply Nat.leb_le in above. now rewrite above in S2. }
  pose proof (window_for_ever c octal (window_mask w) position breaks_parity one_parity r (number A) (number n1) (number p) some far' p_even
    commons witnesses (fun n high low_ => again n ltac:(lia) low_)) as for_ever.
  assert (repeats g (number n0) (number p) 0) as period_.
  { intros n above. rewrite N.add_0_r. destruct (lt_dec n (number n1)) as [low_ | high]; [now apply again | apply for_ever; lia]. }
  split.
  - fold c n0 p. apply (least_by_divisors g (number n0) (number p) some period_).
    + destruct (Nat.eq_dec (number n0) 0) as [zero | not]; [now left | right].
      specialize (S2 (number n0 - 1) ltac:(lia) ltac:(lia)).
      destruct (Nat.leb_spec (number n0) (number n0 - 1)); [lia | exact S2].
    + intros d one less divides. destruct (divisors d one less divides) as [i [I K]].
      destruct (excluded) with (i := i) as [m [above other]]; trivial.
      { intros j J. specialize (divisors_small j J). lia. }
      exists m. split; [lia |]. now rewrite (number_of i d K) in other.
  - fold position c rares. exists breaks_parity. split; [exact one_parity |]. intros n one. split.
    + intros rare. assert (n <= r) as low_.
      { destruct (le_lt_dec n r) as [yes | no]; [exact yes |].
        pose proof (no_more_rare_heaps c octal (window_mask w) position breaks_parity one_parity r (number A) (number n1) (number p) some far' p_even
          commons witnesses (fun n high low_ => again n ltac:(lia) low_) n no) as it. unfold common in it. congruence. }
      destruct (proj2 (known_right _ _ _ _ _ _ _ F2 n)) as [i [I M]]; [split; [lia | exact rare] |].
      exists i. split; [apply (known_listed _ _ _ _ _ _ _ F2); now left | exact (number_of i n M)].
    + intros [i [I <-]]. apply (known_listed _ _ _ _ _ _ _ F2) in I. rewrite none_left in I. destruct I as [I | []].
      apply (known_right _ _ _ _ _ _ _ F2). exists i. split; [exact I | apply stands_number].
Qed.

End Judge.
