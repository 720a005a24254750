(* Primitive arrays of Coq: the newest version is an OCaml array, and older versions store their
   differences. *)

type 'a t = 'a version ref
and 'a version = Newest of 'a array * 'a | Before of int * 'a * 'a t

let max_length = 4194303
let make size default = let size = if 0 <= size && size <= max_length then size else max_length in ref (Newest (Array.make size default, default))

let rec newest t =
  match !t with
  | Newest (all, default) -> all, default
  | Before (i, a, later) ->
    let all, default = newest later in
    later := Before (i, all.(i), t);
    all.(i) <- a;
    t := Newest (all, default);
    all, default

let rec get t i =
  match !t with
  | Newest (all, default) -> if 0 <= i && i < Array.length all then Array.unsafe_get all i else default
  | Before _ -> ignore (newest t); get t i

let set t i a =
  let all, default = newest t in
  if 0 <= i && i < Array.length all then begin
    let later = ref (Newest (all, default)) in
    t := Before (i, Array.unsafe_get all i, later);
    Array.unsafe_set all i a;
    later
  end
  else t

let length t = Array.length (fst (newest t))
let copy t = let all, default = newest t in ref (Newest (Array.copy all, default))
let default t = snd (newest t)
