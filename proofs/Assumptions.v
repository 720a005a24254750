(** * The assumptions of the theorems

    Each line must print that the theorem is closed under the global context. *)

From Proofs Require Import Games Nimbers SpragueGrundy Heaps TakingAndBreaking Values Repetition Periods Subtraction AllBut
  MatrixGames SparseWindow Labels SmithFraenkel Graphs Computations Misere Closures Quotients Certificates.

Print Assumptions N_iff.
Print Assumptions P_iff.
Print Assumptions misere_N_iff.
Print Assumptions P_iff_value_0.
Print Assumptions value_of_finite_sums.
Print Assumptions sprague_grundy.
Print Assumptions sum_is_P_iff.
Print Assumptions row_is_P_iff.
Print Assumptions value_rule.
Print Assumptions moves_spec.
Print Assumptions bouton.
Print Assumptions periods.
Print Assumptions check_code_sound.
Print Assumptions kayles_has_period_12.
Print Assumptions dawsons_kayles_has_period_34.
Print Assumptions dawsons_chess_has_period_34.
Print Assumptions window.
Print Assumptions check_subtraction_sound.
Print Assumptions one_three_or_four.
Print Assumptions arithmetic_period.
Print Assumptions check_all_but_sound.
Print Assumptions all_but_two_and_five.
Print Assumptions weak_duality.
Print Assumptions value_is_max_min.
Print Assumptions value_is_min_max.
Print Assumptions value_unique.
Print Assumptions check_matrix_sound.
Print Assumptions one_finger_or_two.
Print Assumptions consistent_labels_are_true.
Print Assumptions P_positions.
Print Assumptions search_is_right.
Print Assumptions normal_play_agrees.
Print Assumptions misere_play_agrees.
Print Assumptions conditions_decide_sums.
Print Assumptions check_labels_sound.
Print Assumptions check_values_sound.
Print Assumptions around_in_normal_play.
Print Assumptions around_in_misere_play.
Print Assumptions values_of_the_loop.
Print Assumptions tic_tac_toe_is_a_tie.
Print Assumptions chomp_7_by_4.
Print Assumptions accepted_periods_are_true.
Print Assumptions accepted_matrices_are_true.
Print Assumptions next_transition.
Print Assumptions the_monoid_is_right.
Print Assumptions elements_are_classes.
Print Assumptions quotient_sound.
Print Assumptions moves_of_codes_repeat.
Print Assumptions accepted_quotients_are_true.
Print Assumptions accepted_labels_are_true.
Print Assumptions sparse_window.
Print Assumptions no_more_rare_heaps.
