(* Reads a certificate and passes it to the proved judge. Nothing in this file is proved, so it must
   be reviewed.

   `--lines FILE` reads many certificates: each line is a JSON string that contains one, and each
   has a line of output. None takes more than [most_seconds].

   Exit status 0: accepted. 1: rejected, and the line gives the reason. 2: not checked, since the
   file is no certificate of a known kind or exceeds a limit of this program. *)

module C = Checker

exception Refused of string
exception Not_checked of string

let refuse text = raise (Refused text)
let not_checked text = raise (Not_checked text)

(* ** Limits: a certificate beyond them is not checked. *)

let most_bytes = 64 * 1024 * 1024
let most_nested = 4
let most_values = 100_000 (* values of heaps, hence also the largest heap *)
let most_digits = 2_000 (* digits of a number in a matrix *)
let most_positions = 1_000_000 (* positions of a labelled graph *)
let most_heaps = 2_000 (* heaps with listed elements in a quotient *)
let most_seconds = 5. (* CPU time for one certificate of many *)

(* ** JSON: no duplicate keys, and every number is an integer from 0 to 2^64 - 1. *)

(* The numerical order of numbers given by their digits, without leading zeros. *)
let by_size one other = compare (String.length one, one) (String.length other, other)
let is_below_2_to_64 digits = by_size digits "18446744073709551615" <= 0

type json =
  | Object of (string * json) list
  | Array of json list
  | Text of string
  | Whole of string (* the digits *)
  | Other of string (* true, false, null, and other numbers *)

(* Formats a text on one line. *)
let on_a_line text = String.concat "\"" (List.map String.escaped (String.split_on_char '"' text))

let shown text =
  let text = on_a_line text in
  if String.length text <= 60 then text else String.sub text 0 60 ^ "..."

(* Only the shortest encoding of each character is valid. *)
let is_utf_8 text =
  let length = String.length text in
  let rec characters at =
    if at = length then true
    else
      match Char.code text.[at] with
      | first when first < 0x80 -> characters (at + 1)
      | first when first land 0xe0 = 0xc0 -> more (at + 1) 1 0x80 (first land 0x1f)
      | first when first land 0xf0 = 0xe0 -> more (at + 1) 2 0x800 (first land 0x0f)
      | first when first land 0xf8 = 0xf0 -> more (at + 1) 3 0x10000 (first land 0x07)
      | _ -> false
  and more at bytes least point =
    if bytes = 0 then point >= least && Uchar.is_valid point && characters at
    else
      at < length && Char.code text.[at] land 0xc0 = 0x80
      && more (at + 1) (bytes - 1) least (point lsl 6 lor (Char.code text.[at] land 0x3f))
  in
  characters 0

let parse text =
  if not (is_utf_8 text) then not_checked "the file is not UTF-8";
  let length = String.length text in
  let at = ref 0 in
  let wrong () = not_checked (Printf.sprintf "the file is not JSON: byte %d" !at) in
  let here () = if !at < length then text.[!at] else '\000' in
  let rec space () =
    match here () with
    | ' ' | '\t' | '\n' | '\r' when !at < length -> incr at; space ()
    | _ -> ()
  in
  let expect c = if !at < length && here () = c then incr at else wrong () in
  let unicode buffer =
    if !at + 4 > length then wrong ();
    let digits = String.sub text !at 4 in
    let hexadecimal = function '0' .. '9' | 'a' .. 'f' | 'A' .. 'F' -> true | _ -> false in
    if not (String.for_all hexadecimal digits) then wrong ();
    at := !at + 4;
    let point = int_of_string ("0x" ^ digits) in
    (* Unpaired surrogates are rejected; no certificate contains any. *)
    if Uchar.is_valid point then Buffer.add_utf_8_uchar buffer (Uchar.of_int point) else wrong ()
  in
  let quoted () =
    expect '"';
    let buffer = Buffer.create 16 in
    let rec next () =
      if !at >= length then wrong ();
      let c = here () in
      incr at;
      match c with
      | '"' -> ()
      | '\\' ->
        let escaped = here () in
        incr at;
        (match escaped with
         | '"' | '\\' | '/' -> Buffer.add_char buffer escaped
         | 'b' -> Buffer.add_char buffer '\b'
         | 'f' -> Buffer.add_char buffer '\012'
         | 'n' -> Buffer.add_char buffer '\n'
         | 'r' -> Buffer.add_char buffer '\r'
         | 't' -> Buffer.add_char buffer '\t'
         | 'u' -> unicode buffer
         | _ -> wrong ());
        next ()
      | '\000' .. '\031' -> wrong ()
      | _ -> Buffer.add_char buffer c; next ()
    in
    next ();
    Buffer.contents buffer
  in
  let word () =
    let start = !at in
    let rec next () =
      match here () with
      | '0' .. '9' | 'a' .. 'z' | 'A' .. 'Z' | '+' | '-' | '.' -> incr at; next ()
      | _ -> ()
    in
    next ();
    let word = String.sub text start (!at - start) in
    let digit c = '0' <= c && c <= '9' in
    if word = "" then wrong ()
    else if String.for_all digit word then
      if String.length word > 1 && word.[0] = '0' then wrong ()
      else if is_below_2_to_64 word then Whole word
      else Other word
    else Other word
  in
  (* The recursion is as deep as the nesting of brackets, hence at most [most_nested]. *)
  let rec value depth =
    space ();
    match here () with
    | ('{' | '[') when depth = 0 -> not_checked "brackets are nested deeper than in any certificate"
    | '{' -> incr at; Object (members depth)
    | '[' -> incr at; Array (items depth)
    | '"' -> Text (quoted ())
    | _ -> word ()
  and items depth =
    space ();
    if here () = ']' then (incr at; [])
    else begin
      let found = ref [] in
      let rec next () =
        found := value (depth - 1) :: !found;
        space ();
        match here () with
        | ',' -> incr at; next ()
        | _ -> expect ']'
      in
      next ();
      List.rev !found
    end
  and members depth =
    space ();
    if here () = '}' then (incr at; [])
    else begin
      let found = ref [] in
      let keys = Hashtbl.create 16 in
      let rec next () =
        space ();
        let key = quoted () in
        if Hashtbl.mem keys key then refuse (Printf.sprintf "the key `%s` is given twice" (shown key));
        Hashtbl.add keys key ();
        space ();
        expect ':';
        found := (key, value (depth - 1)) :: !found;
        space ();
        match here () with
        | ',' -> incr at; next ()
        | _ -> expect '}'
      in
      next ();
      List.rev !found
    end
  in
  let whole = value most_nested in
  space ();
  if !at < length then wrong ();
  whole

(* ** Fields *)

let field claim key =
  match List.assoc_opt key claim with
  | Some value -> value
  | None -> refuse (Printf.sprintf "`%s` is missing" key)

let only keys claim =
  List.iter (fun (key, _) ->
    if not (List.mem key keys) then refuse (Printf.sprintf "`%s` is no key of a certificate of this kind" (shown key))) claim

let text claim key = match field claim key with Text text -> text | _ -> refuse (Printf.sprintf "`%s` is no text" key)
let list claim key = match field claim key with Array items -> items | _ -> refuse (Printf.sprintf "`%s` is no list" key)

let given claim key = match List.assoc_opt key claim with None | Some (Other "null") -> false | Some _ -> true

(* A number in the representation of the proofs. *)
let nat number =
  let rec up n number = if number = 0 then n else up (C.S n) (number - 1) in
  up C.O number

let rec positive number =
  if number = 1 then C.XH
  else if number land 1 = 1 then C.XI (positive (number lsr 1))
  else C.XO (positive (number lsr 1))

let natural number = if number = 0 then C.N0 else C.Npos (positive number)

(* The number with the given decimal digits, converted eighteen at a time. *)
let of_digits digits =
  if String.length digits > most_digits then
    not_checked (Printf.sprintf "a number has more than %d digits" most_digits);
  let length = String.length digits in
  let rec from start number =
    if start >= length then number
    else
      let count = min 18 (length - start) in
      let rec power n = if n = 0 then 1 else 10 * power (n - 1) in
      (* The prefix 0u makes OCaml read an unsigned number; the text contains digits only. *)
      let group = natural (int_of_string ("0u" ^ String.sub digits start count)) in
      from (start + count) (C.N.add (C.N.mul number (natural (power count))) group)
  in
  from 0 C.N0

let small key digits =
  if String.length digits > 6 || int_of_string digits > most_values then
    not_checked (Printf.sprintf "`%s` has %s, and no number above %d is checked here" key (shown digits) most_values);
  int_of_string digits

let digits claim key =
  match field claim key with Whole digits -> digits | _ -> refuse (Printf.sprintf "`%s` is no whole number" key)

(* ** Families *)

let is_letter c = ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || c = '_'
let is_digit c = '0' <= c && c <= '9'

(* Words that are no variable names in Python or Starlark. *)
let reserved =
  [ "False"; "None"; "True"; "and"; "as"; "assert"; "async"; "await"; "break"; "class"; "continue"; "def"; "del"; "elif";
    "else"; "except"; "finally"; "for"; "from"; "global"; "if"; "import"; "in"; "is"; "lambda"; "load"; "nonlocal"; "not";
    "or"; "pass"; "raise"; "return"; "try"; "while"; "with"; "yield" ]

let is_name word =
  word <> "" && is_letter word.[0] && String.for_all (fun c -> is_letter c || is_digit c) word && not (List.mem word reserved)

(* Digits without leading zeros. *)
let is_natural word = word = "0" || (word <> "" && word.[0] <> '0' && String.for_all is_digit word)

(* Trims spaces, but no other white space, from both ends. *)
let spaced text =
  let length = String.length text in
  let rec first at = if at < length && text.[at] = ' ' then first (at + 1) else at in
  let rec last at = if at > 0 && text.[at - 1] = ' ' then last (at - 1) else at in
  let from = first 0 in
  String.sub text from (max 0 (last length - from))

(* A trailing comma is permitted. *)
let without_last_comma text =
  let length = String.length text in
  if length > 0 && text.[length - 1] = ',' then String.sub text 0 (length - 1) else text

let named = [ "kayles", "0.77"; "dawsons_kayles", "0.07"; "dawsons_chess", "0.137"; "treblecross", "0.007"; "officers", "0.6" ]

(* The digits after the point are for one chip, two, ...; that before it is for none, where a move
   can only split the heap. *)
let code written =
  let no_code () = refuse (Printf.sprintf "`family` has no code: %s" (shown written)) in
  let before, after =
    match String.index_opt written '.' with
    | None -> written, ""
    | Some point -> String.sub written 0 point, String.sub written (point + 1) (String.length written - point - 1)
  in
  if before = "" && after = "" then no_code ();
  let digit c =
    match c with
    | '0' .. '9' -> Char.code c - 48
    | 'a' .. 'f' -> Char.code c - 87
    | 'A' .. 'F' -> Char.code c - 55
    | _ -> no_code ()
  in
  if String.length after > 1_000 then not_checked "a code has more than 1000 digits";
  let first = match before with "" -> 0 | "0" | "4" | "8" | "c" | "C" -> digit before.[0] | _ -> no_code () in
  let rec without_zeros = function 0 :: rest -> without_zeros rest | digits -> List.rev digits in
  let after = without_zeros (List.rev_map digit (List.of_seq (String.to_seq after))) in
  C.By_code (List.map natural (first :: after))

let numbers written =
  let length = String.length written in
  if length > 0 && (written.[0] = '"' || written.[0] = '\'') then
    not_checked (Printf.sprintf "nothing is proved here about the numbers %s" (shown written));
  if length < 2 || written.[0] <> '[' || written.[length - 1] <> ']' then
    refuse (Printf.sprintf "`family` has no list: %s" (shown written));
  let inside = spaced (String.sub written 1 (length - 2)) in
  if inside = "" then []
  else
    List.map (fun part ->
      let part = spaced part in
      if part = "0" || not (is_natural part) then
        refuse (Printf.sprintf "`family` has `%s` where a number from 1 on is expected" (shown part));
      nat (small "family" part)) (String.split_on_char ',' (without_last_comma inside))

let family written =
  let unknown () = not_checked (Printf.sprintf "no theorem that is proved here is about the family %s" (shown written)) in
  let written = spaced written in
  let length = String.length written in
  let opening = match String.index_opt written '(' with Some at -> at | None -> unknown () in
  if length = 0 || written.[length - 1] <> ')' then unknown ();
  let name = spaced (String.sub written 0 opening) in
  let inside = without_last_comma (spaced (String.sub written (opening + 1) (length - opening - 2))) in
  let first, variable =
    match String.rindex_opt inside ',' with
    | None -> None, spaced inside
    | Some comma ->
      Some (spaced (String.sub inside 0 comma)), spaced (String.sub inside (comma + 1) (String.length inside - comma - 1))
  in
  if not (is_name variable) then unknown ();
  match List.assoc_opt name named, first, name with
  | Some digits, None, _ -> code digits
  | None, Some first, "take_and_break" ->
    let length = String.length first in
    let quote = if length < 2 then ' ' else first.[0] in
    if (quote <> '"' && quote <> '\'') || first.[length - 1] <> quote then unknown ();
    code (String.sub first 1 (length - 2))
  | None, Some first, "subtraction" ->
    (match numbers first with [] -> refuse "`family` takes nothing" | list -> C.Taking list)
  | None, Some first, "all_but" -> C.Taking_all_but (numbers first)
  | _ -> unknown ()

(* ** The kinds *)

let reason = function
  | C.The_theorem_is_about_other_games -> "the theorem named is about other games"
  | C.The_saltus_is_not_0 -> "no theorem that is proved here gives these games a saltus"
  | C.A_value_is_wrong -> "`values` are not those of the heaps below preperiod + period"
  | C.The_values_do_not_repeat -> "the values do not repeat as claimed"
  | C.A_smaller_number_would_do -> "the preperiod or the period could be smaller, or the period is 0"
  | C.Not_a_rectangle -> "`matrix` is no rectangle with as many columns as `col_strategy` has probabilities"
  | C.The_row_strategy_is_none -> "`row_strategy` is no list of probabilities, one for each row"
  | C.The_column_strategy_is_none -> "`col_strategy` is no list of probabilities, one for each column"
  | C.The_row_strategy_wins_less -> "with `row_strategy` some column pays less than `value`"
  | C.The_column_strategy_pays_more -> "against `col_strategy` some row wins more than `value`"
  | C.Not_a_table -> "`products` is not square, a list is not in order, or an element is named that does not exist"
  | C.Not_a_monoid -> "`products` is not the table of a commutative monoid with 0 as identity"
  | C.Two_elements_are_alike -> "nothing tells two elements apart"
  | C.An_element_does_not_occur -> "an element is no product of those of heaps"
  | C.A_transition_does_not_hold -> "a transition occurs that does not hold"
  | C.A_transition_is_missing -> "a transition occurs that is not listed"
  | C.A_transition_is_superfluous -> "the transitions listed are not those that occur, each once"
  | C.The_elements_do_not_repeat -> "the elements do not repeat as claimed, or not so far that they do for ever"
  | C.Not_a_graph -> "the lists are not one for each position, or an option is named that does not exist"
  | C.A_label_is_wrong -> "a label is not what follows from those of the options"
  | C.Values_are_for_normal_play -> "`values` are for normal play"
  | C.A_value_of_a_position_is_wrong -> "a value is not what follows from those of the options"
  | C.They_repeat_sooner -> "the preperiod or the period could be smaller, or the period is 0"

let judged verdict = match verdict with None -> () | Some why -> refuse (reason why)

let rec whole_number = function C.O -> 0 | C.S n -> whole_number_from 1 n
and whole_number_from count = function C.O -> count | C.S n -> whole_number_from (count + 1) n

let trouble = function
  | C.Too_far -> not_checked "the heaps are too large"
  | C.A_value_is_too_large -> not_checked "a value is not below 2^16"
  | C.Too_many_breaks_to_look_at -> not_checked "more heaps would have to be kept in memory"
  | C.A_rare_value_is_not_reached -> refuse "a rare value is not reached as claimed"
  | C.The_rare_heaps_are_others -> refuse "the list `rares` is wrong"

let window claim =
  only [ "kind"; "family"; "preperiod"; "period"; "saltus"; "theorem"; "mask"; "position"; "rares"; "reach"; "start" ] claim;
  let written = text claim "family" in
  let window_code = match family written with C.By_code code -> code | _ -> refuse "the theorem named is about other games" in
  if digits claim "saltus" <> "0" then refuse "no theorem that is proved here gives these games a saltus";
  let whole key digits =
    if String.length digits > 17 then not_checked (Printf.sprintf "`%s` has %s, which is too large" key (shown digits));
    int_of_string digits
  in
  let number key = whole key (digits claim key) in
  let position = match field claim "position" with
    | Other "true" -> true
    | Other "false" -> false
    | _ -> refuse "`position` is neither true nor false"
  in
  let rares = List.rev (List.rev_map (function
    | Whole digits -> whole "rares" digits
    | _ -> refuse "`rares` holds something else than heaps") (list claim "rares")) in
  (match C.judge_window
    { C.window_code; window_preperiod = number "preperiod"; window_period = number "period"; window_mask = of_digits (digits claim "mask");
      window_position = position; window_rares = rares; window_reach = number "reach"; window_start = number "start" } with
   | None -> ()
   | Some C.Not_an_octal_game -> refuse "the theorem named is about other games"
   | Some C.The_numbers_do_not_fit -> refuse "the numbers do not fit together as the theorem asks"
   | Some C.Beyond_the_machine -> not_checked "the numbers are larger than the machine can take"
   | Some (C.Fault (C.The_machine_stopped why)) -> trouble why
   | Some (C.Fault C.The_values_differ) -> refuse "the values do not repeat as claimed"
   | Some (C.Fault C.They_repeat_earlier) -> refuse "the period holds from an earlier heap on"
   | Some (C.Fault C.A_smaller_period_is_not_excluded) -> refuse "a smaller period holds, or is not told from this one by a few values");
  Printf.sprintf "%s: g(n + %d) = g(n) for n >= %d, and neither number can be smaller (by the sparse window, %d rare heaps)" (on_a_line written)
    (number "period") (number "preperiod") (List.length rares)

let period claim =
  let by_theorem =
    match text claim "theorem" with
    | "guy_smith" -> C.Guy_Smith
    | "splitting" -> C.Splitting
    | "window" -> C.Window
    | "all_but" -> C.All_but
    | other -> not_checked (Printf.sprintf "the theorem `%s` is not among those proved here" (shown other))
  in
  only [ "kind"; "family"; "preperiod"; "period"; "saltus"; "theorem"; "values" ] claim;
  let written = text claim "family" in
  let game_of = family written in
  let number key = small key (digits claim key) in
  let preperiod = number "preperiod" in
  let period = number "period" in
  let saltus = digits claim "saltus" in
  let listed = List.rev (List.rev_map (function
    | Whole digits -> of_digits digits
    | _ -> refuse "`values` holds something else than whole numbers") (list claim "values")) in
  let many = whole_number (C.needs game_of (nat preperiod) (nat period)) in
  if many > most_values then
    not_checked (Printf.sprintf "%d values would have to be computed, and no more than %d are" many most_values);
  judged (C.judge_period
    { C.game_of; by_theorem; preperiod = nat preperiod; period = nat period; saltus = of_digits saltus; listed });
  let plus = if saltus = "0" then "" else " + " ^ saltus in
  Printf.sprintf "%s: g(n + %d) = g(n)%s for n >= %d, and neither number can be smaller (from %d values)" (on_a_line written) period plus
    preperiod many

(* "-7/3", "5" *)
let fraction key = function
  | Text written ->
    let wrong () = refuse (Printf.sprintf "`%s` has %s where a fraction in quotes is expected" key (shown written)) in
    let negative = written <> "" && written.[0] = '-' in
    let start = if negative then 1 else 0 in
    let rest = String.sub written start (String.length written - start) in
    let above, below =
      match String.split_on_char '/' rest with
      | [ above ] -> above, "1"
      | [ above; below ] -> above, below
      | _ -> wrong ()
    in
    if not (is_natural above && is_natural below) then wrong ();
    let numerator = match of_digits above with C.N0 -> C.Z0 | C.Npos p -> if negative then C.Zneg p else C.Zpos p in
    (match of_digits below with C.N0 -> wrong () | C.Npos denominator -> { C.qnum = numerator; qden = denominator })
  | _ -> refuse (Printf.sprintf "`%s` holds something else than fractions in quotes" key)

let matrix claim =
  only [ "kind"; "value"; "row_strategy"; "col_strategy"; "matrix" ] claim;
  let fractions key items = List.rev (List.rev_map (fraction key) items) in
  let row = function Array items -> fractions "matrix" items | _ -> refuse "`matrix` is no list of rows" in
  let payments = List.rev (List.rev_map row (list claim "matrix")) in
  let game_value = fraction "value" (field claim "value") in
  let row_strategy = fractions "row_strategy" (list claim "row_strategy") in
  let column_strategy = fractions "col_strategy" (list claim "col_strategy") in
  judged (C.judge_matrix { C.payments; game_value; row_strategy; column_strategy });
  Printf.sprintf "the value of the matrix game is %s, and both strategies make sure of it (%d rows, %d columns)"
    (shown (text claim "value")) (List.length payments) (List.length column_strategy)

let quotient claim =
  only [ "kind"; "family"; "preperiod"; "period"; "pieces"; "products"; "p"; "elements"; "transitions" ] claim;
  if given claim "pieces" then not_checked "`pieces` are positions, and nothing is proved here about their moves";
  let written = text claim "family" in
  let quotient_of = family written in
  let table = list claim "products" in
  (* Elements are counted from 0 in the file and from 1 in the proofs. *)
  let order = List.length table in
  let named = Array.init order (fun x -> positive (x + 1)) in
  let element key = function
    | Whole digits ->
      if String.length digits > 9 || int_of_string digits >= order then
        refuse (Printf.sprintf "`%s` names the element %s, which does not exist" key (shown digits));
      named.(int_of_string digits)
    | _ -> refuse (Printf.sprintf "`%s` holds something else than elements" key)
  in
  let elements key items = List.rev (List.rev_map (element key) items) in
  let several key make = List.rev (List.rev_map make (list claim key)) in
  let products = several "products" (function Array row -> elements "products" row | _ -> refuse "`products` is no list of rows") in
  let losing_elements = elements "p" (list claim "p") in
  let elements_of_heaps = elements "elements" (list claim "elements") in
  let heaps = List.length elements_of_heaps in
  if heaps > most_heaps then not_checked (Printf.sprintf "more than %d heaps are listed" most_heaps);
  let all_transitions = several "transitions" (function
    | Array [ x; Array options ] -> element "transitions" x, elements "transitions" options
    | _ -> refuse "`transitions` is no list of pairs of an element and a list")
  in
  let repetition =
    match given claim "preperiod", given claim "period" with
    | false, false -> None
    | _ -> let number key = small key (digits claim key) in Some (number "preperiod", number "period")
  in
  let repeat_from = Option.map (fun (from, period) -> nat from, nat period) repetition in
  judged (C.judge_quotient
    { C.quotient_of; products; losing_elements; elements_of_heaps; all_transitions; repeat_from });
  let of_all =
    match repetition with
    | None -> Printf.sprintf "heaps up to %d" heaps
    | Some (from, period) -> Printf.sprintf "heaps of every size, as the elements repeat with period %d from %d on" period from
  in
  Printf.sprintf "the misere quotient of %s, %s, has %d elements, of which %d are losing (%d transitions)" (on_a_line written) of_all order
    (List.length losing_elements) (List.length all_transitions)

let labels claim =
  only [ "kind"; "play"; "positions"; "options"; "labels"; "values"; "places" ] claim;
  let played =
    match text claim "play" with
    | "normal" -> C.Normal
    | "misere" -> C.Misere
    | other -> refuse (Printf.sprintf "`play` is neither normal nor misere: %s" (shown other))
  in
  let several key make = List.rev (List.rev_map make (list claim key)) in
  let count = List.length (list claim "options") in
  if count > most_positions then not_checked (Printf.sprintf "there are more than %d positions" most_positions);
  (* The names have no meaning, but they must be distinct. *)
  if given claim "positions" then begin
    let names = several "positions" (function Text name -> name | _ -> refuse "`positions` holds something else than names") in
    if List.length names <> count || List.length (List.sort_uniq compare names) <> count then
      refuse "`positions` does not hold a name of its own for each position"
  end;
  (* Each natural number is built once, since larger ones share the smaller ones. *)
  let counted = Array.make (count + 1) C.O in
  for number = 1 to count do counted.(number) <- C.S counted.(number - 1) done;
  let below key most digits =
    if String.length digits > 9 || int_of_string digits > most then
      refuse (Printf.sprintf "`%s` has %s, which is too large for %d positions" key (shown digits) count);
    int_of_string digits
  in
  let number key digits = counted.(below key count digits) in
  let named = Array.init count (fun vertex -> positive (vertex + 1)) in
  let options_of_each = several "options" (function
    | Array row ->
      List.rev (List.rev_map (function
        | Whole digits -> named.(below "options" (count - 1) digits)
        | _ -> refuse "`options` holds something else than positions") row)
    | _ -> refuse "`options` is no list of lists")
  in
  let plain digits = digits <> "" && String.for_all is_digit digits && (digits = "0" || digits.[0] <> '0') in
  let labels_of_each = several "labels" (function
    | Text "D" -> C.D
    | Text written when written <> "" && plain (String.sub written 1 (String.length written - 1)) ->
      let moves = number "labels" (String.sub written 1 (String.length written - 1)) in
      (match written.[0] with
       | 'N' -> C.N_in moves
       | 'P' -> C.P_in moves
       | _ -> refuse (Printf.sprintf "`labels` has %s" (shown written)))
    | _ -> refuse "`labels` holds something else than labels")
  in
  let values_of_each =
    if not (given claim "values" || given claim "places") then None
    else begin
      let places = several "places" (function Whole digits -> digits | _ -> refuse "`places` holds something else than numbers") in
      (* Only their order matters, so each is replaced by its rank. *)
      let ranks = Hashtbl.create 16 in
      List.iteri (fun rank place -> Hashtbl.add ranks place counted.(min rank count)) (List.sort_uniq by_size places);
      let rec ascending = function
        | a :: (b :: _ as rest) -> below "values" count a < below "values" count b && ascending rest
        | _ -> true
      in
      let values = several "values" (function
        | Whole digits -> C.Number (number "values" digits)
        | Object [ "infinity", Array set ] ->
          let digits = List.map (function Whole digits -> digits | _ -> refuse "`values` has a set of something else than numbers") set in
          if not (ascending digits) then refuse "`values` has a set that is not in order";
          C.Infinity (List.map (number "values") digits)
        | _ -> refuse "`values` holds something else than values")
      in
      Some (values, List.rev (List.rev_map (Hashtbl.find ranks) places))
    end
  in
  judged (C.judge_labels { C.options_of_each; played; labels_of_each; values_of_each });
  Printf.sprintf "the labels of %d positions in %s play%s" count (text claim "play")
    (if values_of_each = None then "" else ", and their values")

let read_file name =
  let channel = open_in_bin name in
  Fun.protect ~finally:(fun () -> close_in_noerr channel) (fun () ->
    let buffer = Buffer.create 65536 in
    let rec next () =
      if Buffer.length buffer > most_bytes then not_checked "the file is longer than 64 MiB";
      match Buffer.add_channel buffer channel 65536 with
      | () -> next ()
      | exception End_of_file -> ()
    in
    next ();
    if Buffer.length buffer > most_bytes then not_checked "the file is longer than 64 MiB";
    Buffer.contents buffer)

let check certificate =
  match parse certificate with
  | Object claim ->
    (match List.assoc_opt "kind" claim with
     | Some (Text "period") when List.assoc_opt "theorem" claim = Some (Text "sparse_window") -> window claim
     | Some (Text "period") -> period claim
     | Some (Text "matrix") -> matrix claim
     | Some (Text "quotient") -> quotient claim
     | Some (Text "labels") -> labels claim
     | Some (Text kind) -> not_checked (Printf.sprintf "nothing is proved here about certificates of the kind `%s`" (shown kind))
     | _ -> not_checked "the file is no certificate: `kind` is missing")
  | _ -> not_checked "the file is no certificate"

(* Stops [work] after [most_seconds]. *)
let in_time work =
  let timer seconds = ignore (Unix.setitimer Unix.ITIMER_VIRTUAL { Unix.it_interval = 0.; it_value = seconds }) in
  let stop _ = not_checked (Printf.sprintf "this takes more than %g seconds" most_seconds) in
  Sys.set_signal Sys.sigvtalrm (Sys.Signal_handle stop);
  timer most_seconds;
  Fun.protect ~finally:(fun () -> timer 0.) work

(* The exit status and the line of output for the claim of [work]. *)
let verdict work =
  match work () with
  | claim -> 0, "accepted: " ^ claim
  | exception Refused why -> 1, "refused: " ^ why
  | exception Not_checked why -> 2, "not checked: " ^ why
  | exception Stack_overflow -> 2, "not checked: this needs a larger stack"
  | exception Out_of_memory -> 2, "not checked: this needs more memory"
  | exception Sys_error why -> 2, "not checked: " ^ why

(* Prints a verdict for each line, and returns the largest exit status. *)
let check_lines name =
  let channel = open_in_bin name in
  let rec next status =
    match input_line channel with
    | exception End_of_file -> close_in channel; status
    | line ->
      let certificate () =
        match parse line with Text certificate -> check certificate | _ -> not_checked "the line is no text of JSON"
      in
      let this, said = verdict (fun () -> in_time certificate) in
      print_endline said;
      next (max status this)
  in
  next 0

let () =
  (* The numbers of the proofs are short-lived trees. A large minor heap halves the time. *)
  Gc.set { (Gc.get ()) with minor_heap_size = 8 * 1024 * 1024 };
  match Sys.argv with
  | [| _; "--lines"; name |] -> exit (check_lines name)
  | [| _; name |] ->
    let status, line = verdict (fun () -> check (read_file name)) in
    print_endline line;
    exit status
  | _ -> print_endline "usage: grundy-check FILE, or grundy-check --lines FILE"; exit 2
