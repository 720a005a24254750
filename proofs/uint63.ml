(* Primitive integers of Coq: those of OCaml, with 63 bits, read as unsigned. *)

type t = int

type 'a carry = C0 of 'a | C1 of 'a

let of_int i = i
let flipped i = i lxor min_int
let equal (i : t) j = i = j
let lt (i : t) j = flipped i < flipped j
let le (i : t) j = flipped i <= flipped j
let add (i : t) j = i + j
let sub (i : t) j = i - j
let l_and (i : t) j = i land j
let l_or (i : t) j = i lor j
let l_xor (i : t) j = i lxor j
let l_sl i j = if 0 <= j && j < 63 then i lsl j else 0
let l_sr i j = if 0 <= j && j < 63 then i lsr j else 0

(* Only numbers below 2^62 are divided here. *)
let div i j = if j = 0 then 0 else if i < 0 || j < 0 then invalid_arg "division of a large number" else i / j
let rem i j = if j = 0 then i else if i < 0 || j < 0 then invalid_arg "division of a large number" else i mod j
