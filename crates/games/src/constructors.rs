//! The table of constructors: one entry for each game, from which the registry and the typed
//! functions of the library are generated.

/// Calls the macro `$generate` with the table of constructors.
///
/// An entry consists of the documentation, the name and the parameters with their kinds. Then it
/// says whether the arguments can be invalid (`fallible`) or always describe a position
/// (`position`). The signature and an example in the notation follow, and the path of the function
/// that creates a term. The kinds of parameters are:
///
/// | kind | arguments of the notation |
/// |---|---|
/// | `number`, `text` | one integer or string |
/// | `option`, `flag` | an integer or Boolean that can be omitted |
/// | `player`, `mark` | the player to move, `left` or `right`, or `X` or `O`; can be omitted |
/// | `numbers` | any number of integers, one argument for each |
/// | `list`, `pairs` | a list of integers, or of pairs of integers |
/// | `set` | a list of integers, or the name of a set |
/// | `board`, `edges` | a board, or the edges of a picture |
/// | `moves`, `ends` | the moves from each position, or the result at each end |
/// | `game` | a position |
#[macro_export]
macro_rules! constructors {
    ($generate:ident) => {
        $generate! {
        /// Returns a position of Nim: take any number of chips from one heap.
        ///
        /// The game is played with heaps of chips, matches, coins or beans. On your turn, take one
        /// or more chips from a single heap; you may take the whole heap. The player who takes the
        /// last chip wins.
        ///
        /// **Bouton's theorem.** A Nim position is a P-position if and only if the nim-sum of its
        /// heaps is 0. Source: C. L. Bouton, Nim, a game with a complete mathematical theory,
        /// Annals of Mathematics 3 (1901), 35-39.
        ///
        /// # Arguments
        ///
        /// - `heaps`: the sizes of the heaps. Any number of heaps is allowed, and a heap may be 0.
        ///
        /// # Complexity
        /// A theorem gives the value: O(1) for each part, and O(1) for each winning move.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::nim([3, 4, 5]);
        /// assert_eq!(position.solve()?.grundy(), Some(2));
        /// # Ok::<(), Error>(())
        /// ```
        fn nim(heaps: numbers) -> position, "nim(n, ...)", "nim(3, 4, 5)", heaps::nim::construct;

        /// Returns a position of a subtraction game: take k chips from one heap, where k is in a
        /// given set.
        ///
        /// The game is played with heaps of chips and a set of positive integers. On your turn,
        /// take k chips from one heap, where k is a number in the set. A player who cannot move
        /// loses.
        ///
        /// **Periodicity theorem for finite subtraction sets.** If the set is finite, the values
        /// are eventually periodic. Each value depends only on a fixed number of preceding values,
        /// which have finitely many combinations. Source: S. W. Golomb, A mathematical
        /// investigation of games of "take-away", J. Combin. Theory 1 (1966), 443-458.
        ///
        /// # Arguments
        ///
        /// - `take`: a list of positive integers, or the name of a set: `"squares"`, `"cubes"`,
        ///   `"triangular"`, `"primes"`, `"primes_and_1"`, `"powers_of_2"`, `"fibonacci"`,
        ///   `"factorials"`, `"odd"` or `"even"`. Three sets depend on the size n of the heap:
        ///   `"divisors"`, `"proper_divisors"` (the divisors less than n) and `"coprime"` (the
        ///   numbers coprime to n).
        /// - `heaps`: the sizes of the heaps.
        ///
        /// # Errors
        /// If the arguments do not describe a position. The error names the argument.
        ///
        /// # Complexity
        /// The values of the heaps are computed in order until a theorem proves their period. For a
        /// heap of n and k allowed takes this is O(k n) at most, and O(1) for each value after the
        /// proof.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::subtraction([1, 3, 4], [100])?;
        /// assert_eq!(position.solve()?.grundy(), Some(0));
        /// # Ok::<(), Error>(())
        /// ```
        fn subtraction(take: set, heaps: numbers) -> fallible, "subtraction(take, n, ...)",
            "subtraction([1, 3, 4], 100)", heaps::subtraction::construct;

        /// Returns a position of an all-but game: take any number of chips from one heap, except
        /// for a few forbidden numbers.
        ///
        /// The game is played with heaps of chips and a list of forbidden numbers. On your turn,
        /// take one or more chips from one heap, but not a forbidden number. A player who cannot
        /// move loses.
        ///
        /// **Arithmetic periodicity theorem for all-but games.** Let g(n) be the value of a heap of
        /// n. There are a period p > 0 and a number s with `g(n + p) = g(n) + s` for all
        /// sufficiently large n. Source: docs/theory.md, All-but games.
        ///
        /// # Arguments
        ///
        /// - `exclude`: the list of forbidden numbers.
        /// - `heaps`: the sizes of the heaps.
        ///
        /// # Errors
        /// If the arguments do not describe a position. The error names the argument.
        ///
        /// # Complexity
        /// The values of the heaps are computed in order until a theorem proves their period. For a
        /// heap of n and k allowed takes this is O(k n) at most, and O(1) for each value after the
        /// proof.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::all_but([2, 4], [30])?;
        /// assert_eq!(position.solve()?.grundy(), Some(10));
        /// # Ok::<(), Error>(())
        /// ```
        fn all_but(exclude: list, heaps: numbers) -> fallible, "all_but(exclude, n, ...)",
            "all_but([2, 4], 30)", heaps::all_but::construct;

        /// Returns a position of At-Least-Half: take at least half of one heap.
        ///
        /// The game is played with heaps of chips. On your turn, take at least half of the chips of
        /// one heap. A heap of one chip may be taken. A player who cannot move loses.
        ///
        /// **The values of At-Least-Half.** The value of a heap of n is the least k with `2^k > n`,
        /// that is, the number of binary digits of n. Source: T. S. Ferguson, Game Theory, I.3.3,
        /// example 3.
        ///
        /// # Arguments
        ///
        /// - `heaps`: the sizes of the heaps.
        ///
        /// # Complexity
        /// A theorem gives the value: O(1) for each part, and O(1) for each winning move.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::at_least_half([12, 5]);
        /// assert_eq!(position.solve()?.grundy(), Some(7));
        /// # Ok::<(), Error>(())
        /// ```
        fn at_least_half(heaps: numbers) -> position, "at_least_half(n, ...)",
            "at_least_half(12, 5)", heaps::halves::at_least_half;

        /// Returns a position of At-Most-Half: take at least one chip from one heap, and at most
        /// half of it.
        ///
        /// The game is played with heaps of chips. On your turn, take at least one chip from one
        /// heap, but at most half of it. A heap of one chip cannot be reduced. A player who cannot
        /// move loses.
        ///
        /// **The values of At-Most-Half.** Let g(n) be the value of a heap of n. Then `g(2m) = m`
        /// and `g(2m + 1) = g(m)`. Source: L. Levine, Fractal sequences and restricted Nim, Ars
        /// Combinatoria 80 (2006), 113-127.
        ///
        /// # Arguments
        ///
        /// - `heaps`: the sizes of the heaps.
        ///
        /// # Complexity
        /// A theorem gives the value: O(1) for each part, and O(1) for each winning move.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::at_most_half([12, 5]);
        /// assert_eq!(position.solve()?.grundy(), Some(7));
        /// # Ok::<(), Error>(())
        /// ```
        fn at_most_half(heaps: numbers) -> position, "at_most_half(n, ...)", "at_most_half(12, 5)",
            heaps::halves::at_most_half;

        /// Returns a position of At-Most: take at least one chip from one heap, and at most the
        /// fraction p/q of it.
        ///
        /// The game is played with heaps of chips. On your turn, take at least one chip from one
        /// heap of n, but at most floor(p n / q). A player who cannot move loses. If p >= q, the
        /// game is Nim.
        ///
        /// **The values of At-Most.** Let f(n) be floor(p n / q), and g(n) the value of a heap of
        /// n, with p < q. If `f(n) > f(n - 1)`, then `g(n) = f(n)`. Otherwise
        /// `g(n) = g(n - 1 - f(n))`. Source: L. Levine, Fractal sequences and restricted Nim, Ars
        /// Combinatoria 80 (2006), 113-127, for p = 1; docs/theory.md.
        ///
        /// # Arguments
        ///
        /// - `p`, `q`: the numerator and the denominator of the fraction, both positive.
        /// - `heaps`: the sizes of the heaps.
        ///
        /// # Errors
        /// If the arguments do not describe a position. The error names the argument.
        ///
        /// # Complexity
        /// A theorem gives the value and the winning move of a heap of n: O(q/p log n).
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::at_most(1, 3, [10, 5])?;
        /// assert_eq!(position.solve()?.grundy(), Some(3));
        /// # Ok::<(), Error>(())
        /// ```
        fn at_most(p: number, q: number, heaps: numbers) -> fallible, "at_most(p, q, n, ...)",
            "at_most(1, 3, 12, 5)", heaps::at_most::construct;

        /// Returns a position of Nim with forbidden moves: take any number of chips from one heap,
        /// unless the list forbids it.
        ///
        /// The game is played with heaps of chips and a list of pairs of a heap and an amount. On
        /// your turn, take one or more chips from one heap. If the list contains the size of the
        /// heap with an amount, you must not take this amount from it. A player who cannot move
        /// loses.
        ///
        /// **The values of Nim with forbidden moves.** The value of a heap of n is the least v such
        /// that a forbidden move leads from n to each smaller heap of value v. Source:
        /// docs/theory.md.
        ///
        /// # Arguments
        ///
        /// - `forbidden`: the pairs of the size of a heap and the amount that must not be taken
        ///   from it.
        /// - `heaps`: the sizes of the heaps.
        ///
        /// # Errors
        /// If the arguments do not describe a position. The error names the argument.
        ///
        /// # Complexity
        /// O(k log k) once for k forbidden pairs, and then O(log k) for the value of each heap.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::nim_except([(2, 1), (3, 3), (3, 1), (1, 1)], [1, 2, 4])?;
        /// assert_eq!(position.solve()?.grundy(), Some(3));
        /// # Ok::<(), Error>(())
        /// ```
        fn nim_except(forbidden: pairs, heaps: numbers) -> fallible,
            "nim_except(forbidden, n, ...)", "nim_except([[2, 1], [3, 3]], 3, 5)",
            heaps::nim_except::construct;

        /// Returns a position of an octal or hexadecimal game: take chips and split the rest as a
        /// code specifies.
        ///
        /// The game is played with heaps of chips and a code `d0.d1d2d3...`. On your turn, take i
        /// chips from one heap and leave the rest as exactly k non-empty heaps. The move is legal
        /// if bit k of the digit d_i is set, that is, if 2^k occurs in its binary expansion. A
        /// player who cannot move loses.
        ///
        /// **Guy-Smith periodicity theorem.** Consider an octal game whose last digit is d_k. If
        /// its values have period p from n0 to `2 n0 + p + k`, they have period p from n0 onwards.
        /// Source: R. K. Guy and C. A. B. Smith, The G-values of various games, Proc. Camb. Phil.
        /// Soc. 52 (1956), 514-526.
        ///
        /// # Arguments
        ///
        /// - `code`: the code, such as `"0.137"`, `"4.007"` or `".77"`. Octal games have digits up
        ///   to 7 and leave at most two heaps. Hexadecimal games have digits up to f and leave at
        ///   most three heaps. Digits go on to z, and a digit can be a set of numbers of heaps,
        ///   such as `{2,3}` or `{2+}`. A group such as `(7)*20` repeats digits, and `[3]` at the
        ///   end repeats them forever. The digit before the point may only allow splits.
        /// - `heaps`: the sizes of the heaps.
        ///
        /// # Errors
        /// If the arguments do not describe a position. The error names the argument.
        ///
        /// # Complexity
        /// The values of the heaps up to n are computed in order. If moves leave at most two heaps,
        /// this takes O(n²) at most, and close to O(n) if few heaps are rare. A run of equal digits
        /// costs as much as one digit. Values beyond a proved period take O(1).
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::take_and_break("0.137", [20])?;
        /// assert_eq!(position.solve()?.grundy(), Some(0));
        /// # Ok::<(), Error>(())
        /// ```
        fn take_and_break(code: text, heaps: numbers) -> fallible, "take_and_break(code, n, ...)",
            "take_and_break(\"0.137\", 20)", heaps::take_and_break::construct;

        /// Returns a position of Kayles (octal game 0.77): take one or two chips, then split the
        /// rest of the heap if you like.
        ///
        /// The game is played with heaps of chips; a heap is a row of pins without gaps. On your
        /// turn, take one or two chips from one heap. You may then split the rest of that heap into
        /// two heaps. A player who cannot move loses.
        ///
        /// [`kayles_row`] is the same game for a row of pins with gaps.
        ///
        /// **The values of Kayles.** Runs of 0, 1, 2, ..., 11 pins have the values 0, 1, 2, 3, 1,
        /// 4, 3, 2, 1, 4, 2, 6. From 71 pins onwards the values have period 12. Source: R. K. Guy
        /// and C. A. B. Smith, The G-values of various games, Proc. Camb. Phil. Soc. 52 (1956),
        /// 514-526.
        ///
        /// # Arguments
        ///
        /// - `heaps`: the sizes of the heaps.
        ///
        /// # Complexity
        /// The period is proved from a few hundred values. Later values take O(1).
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::kayles([7]);
        /// assert_eq!(position.solve()?.grundy(), Some(2));
        /// # Ok::<(), Error>(())
        /// ```
        fn kayles(heaps: numbers) -> position, "kayles(n, ...)", "kayles(7)",
            heaps::take_and_break::kayles;

        /// Returns a position of Dawson's Chess (octal game 0.137): take a heap of one chip, or two
        /// or three chips from any heap.
        ///
        /// The game is played with heaps of chips. On your turn, take a heap of one chip, or two or
        /// three chips from any heap. After taking three chips, you may split the rest of that heap
        /// into two heaps. A player who cannot move loses.
        ///
        /// A heap of n represents Dawson's Chess on n files: two rows of pawns face each other, and
        /// the player who moves last wins.
        ///
        /// **Guy-Smith periodicity theorem.** Consider an octal game whose last digit is d_k. If
        /// its values have period p from n0 to `2 n0 + p + k`, they have period p from n0 onwards.
        /// Source: R. K. Guy and C. A. B. Smith, The G-values of various games, Proc. Camb. Phil.
        /// Soc. 52 (1956), 514-526.
        ///
        /// # Arguments
        ///
        /// - `heaps`: the sizes of the heaps, that is, the numbers of files.
        ///
        /// # Complexity
        /// The period is proved from a few hundred values. Later values take O(1).
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::dawsons_chess([15]);
        /// assert_eq!(position.solve()?.grundy(), Some(5));
        /// # Ok::<(), Error>(())
        /// ```
        fn dawsons_chess(heaps: numbers) -> position, "dawsons_chess(n, ...)", "dawsons_chess(15)",
            heaps::take_and_break::dawsons_chess;

        /// Returns a position of Dawson's Kayles (octal game 0.07): take two chips, then split the
        /// rest of the heap if you like.
        ///
        /// The game is played with heaps of chips; a heap is a row of pins without gaps. On your
        /// turn, take exactly two chips, that is, two adjacent pins, from one heap. You may then
        /// split the rest of that heap into two heaps. A player who cannot move loses.
        ///
        /// **Guy-Smith periodicity theorem.** Consider an octal game whose last digit is d_k. If
        /// its values have period p from n0 to `2 n0 + p + k`, they have period p from n0 onwards.
        /// Source: R. K. Guy and C. A. B. Smith, The G-values of various games, Proc. Camb. Phil.
        /// Soc. 52 (1956), 514-526.
        ///
        /// # Arguments
        ///
        /// - `heaps`: the sizes of the heaps.
        ///
        /// # Complexity
        /// The period is proved from a few hundred values. Later values take O(1).
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::dawsons_kayles([16]);
        /// assert_eq!(position.solve()?.grundy(), Some(5));
        /// # Ok::<(), Error>(())
        /// ```
        fn dawsons_kayles(heaps: numbers) -> position, "dawsons_kayles(n, ...)",
            "dawsons_kayles(16)", heaps::take_and_break::dawsons_kayles;

        /// Returns a position of Treblecross, played with heaps (octal game 0.007): take three
        /// chips, then split the rest of the heap if you like.
        ///
        /// The game is played with heaps of chips. On your turn, take exactly three chips from one
        /// heap. You may then split the rest of that heap into two heaps. A player who cannot move
        /// loses.
        ///
        /// These heaps determine who wins on a row without crosses. A row of n squares, where n is
        /// at least 3, corresponds to a heap of n + 2. [`treblecross_row`] is the game on a row. In
        /// sums its values are different.
        ///
        /// Source: E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways (1982), ch. 4.
        ///
        /// # Arguments
        ///
        /// - `heaps`: the sizes of the heaps of the octal game 0.007, not the numbers of squares of
        ///   rows.
        ///
        /// # Complexity
        /// The values of the heaps up to n are computed in order. This takes O(n²) at most. If few
        /// heaps are rare, it takes close to O(n). Values beyond a proved period take O(1).
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::treblecross([9]);
        /// assert_eq!(position.solve()?.grundy(), Some(3));
        /// # Ok::<(), Error>(())
        /// ```
        fn treblecross(heaps: numbers) -> position, "treblecross(n, ...)", "treblecross(9)",
            heaps::take_and_break::treblecross;

        /// Returns a position of Officers (octal game 0.6): take one chip and leave the rest in one
        /// or two heaps, never in none.
        ///
        /// The game is played with heaps of chips. On your turn, take one chip from one heap and
        /// leave the rest as one heap or as two. A heap of one chip cannot be taken. A player who
        /// cannot move loses. It is not known whether the values are eventually periodic.
        ///
        /// Source: E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways (1982), ch. 4.
        ///
        /// # Arguments
        ///
        /// - `heaps`: the sizes of the heaps.
        ///
        /// # Complexity
        /// The values of the heaps up to n are computed in order. This takes O(n²) at most. If few
        /// heaps are rare, it takes close to O(n). Values beyond a proved period take O(1).
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::officers([12]);
        /// assert_eq!(position.solve()?.grundy(), Some(0));
        /// # Ok::<(), Error>(())
        /// ```
        fn officers(heaps: numbers) -> position, "officers(n, ...)", "officers(12)",
            heaps::take_and_break::officers;

        /// Returns a position of Grundy's Game: split one heap into two of different sizes.
        ///
        /// The game is played with heaps of chips. On your turn, split one heap into two heaps of
        /// different sizes. Heaps of 1 or 2 chips cannot be split. A player who cannot move loses.
        /// No closed form of the values is known, and no period has been found.
        ///
        /// Source: P. M. Grundy, Mathematics and games, Eureka 2 (1939), 6-8.
        ///
        /// # Arguments
        ///
        /// - `heaps`: the sizes of the heaps.
        ///
        /// # Complexity
        /// The values of the heaps up to n are computed in order. This takes O(n²) at most. If few
        /// heaps are rare, it takes close to O(n). Values beyond a proved period take O(1).
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::grundys_game([20]);
        /// assert_eq!(position.solve()?.grundy(), Some(0));
        /// # Ok::<(), Error>(())
        /// ```
        fn grundys_game(heaps: numbers) -> position, "grundys_game(n, ...)", "grundys_game(20)",
            heaps::grundys_game::construct;

        /// Returns a position of Lasker's Nim: take any number of chips from one heap, or split a
        /// heap into two.
        ///
        /// The game is played with heaps of chips. On your turn, take one or more chips from one
        /// heap, or split one heap into two non-empty heaps without taking any chips. The player
        /// who takes the last chip wins.
        ///
        /// **The values of Lasker's Nim.** Let g(n) be the value of a heap of n. For all k >= 0,
        /// `g(4k+1) = 4k+1`, `g(4k+2) = 4k+2`, `g(4k+3) = 4k+4` and `g(4k+4) = 4k+3`. Source: E. R.
        /// Berlekamp, J. H. Conway, R. K. Guy, Winning Ways (1982), ch. 4.
        ///
        /// # Arguments
        ///
        /// - `heaps`: the sizes of the heaps.
        ///
        /// # Complexity
        /// A theorem gives the value: O(1) for each part, and O(1) for each winning move.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::laskers_nim([2, 5, 7]);
        /// assert_eq!(position.solve()?.grundy(), Some(15));
        /// # Ok::<(), Error>(())
        /// ```
        fn laskers_nim(heaps: numbers) -> position, "laskers_nim(n, ...)", "laskers_nim(2, 5, 7)",
            heaps::laskers_nim::construct;

        /// Returns a position of Fibonacci Nim, played with one heap: take at most twice as many
        /// chips as the previous move.
        ///
        /// The game is played with one heap of chips. The first move takes at least one chip, but
        /// not all of them. Every later move takes at least one chip and at most twice as many as
        /// the previous move. The player who takes the last chip wins.
        ///
        /// **Whinihan's theorem.** Write the heap size as a sum of non-consecutive Fibonacci
        /// numbers. The position is P if and only if the smallest term may not be taken. Source: M.
        /// J. Whinihan, Fibonacci Nim, Fibonacci Quarterly 1 (1963), 9-13.
        ///
        /// # Arguments
        ///
        /// - `heap`: the size of the heap.
        /// - `most`: the largest number of chips that the next move may take. `None` means all but
        ///   one.
        ///
        /// # Complexity
        /// O(log n) for the outcome, by the Zeckendorf representation.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::fibonacci_nim(20, None);
        /// assert_eq!(position.solve()?.grundy(), Some(7));
        /// # Ok::<(), Error>(())
        /// ```
        fn fibonacci_nim(heap: number, most: option) -> position, "fibonacci_nim(n, most=n-1)",
            "fibonacci_nim(20)", heaps::fibonacci_nim::construct;

        /// Returns a position of Nimble: move one coin on a strip to the left, past other coins if
        /// you like.
        ///
        /// Coins lie on the squares 0, 1, 2, ... of a strip; a square may hold several coins. On
        /// your turn, move one coin any distance to the left; it may pass other coins. A player who
        /// cannot move, because all coins are on square 0, loses.
        ///
        /// In the game [`strip_coins`], each square holds at most one coin and coins cannot pass
        /// each other.
        ///
        /// **Bouton's theorem.** A coin on square n is equal to a Nim heap of size n. So the
        /// position is P if and only if the nim-sum of the squares is 0. Source: C. L. Bouton, Nim,
        /// a game with a complete mathematical theory, Annals of Mathematics 3 (1901), 35-39.
        ///
        /// # Arguments
        ///
        /// - `coins`: the squares of the coins, counted from 0.
        ///
        /// # Complexity
        /// A theorem gives the value: O(1) for each part, and O(1) for each winning move.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::nimble([3, 4, 4]);
        /// assert_eq!(position.solve()?.grundy(), Some(3));
        /// # Ok::<(), Error>(())
        /// ```
        fn nimble(coins: numbers) -> position, "nimble(c, ...)", "nimble(3, 4, 4)",
            coins::nimble::construct;

        /// Returns a position of the game of coins on a strip: move one coin to the left, without
        /// passing another or landing on it.
        ///
        /// Coins lie on different squares 0, 1, 2, ... of a strip. On your turn, move one coin any
        /// distance to the left, but neither past another coin nor onto it. A player who cannot
        /// move loses. The game is also known as Georgia and Bob.
        ///
        /// **The theorem of the gaps.** Pair the coins from the right. If one coin remains, pair it
        /// with the left end of the strip. The value is the nim-sum of the numbers of free squares
        /// inside the pairs. Source: J. H. Conway, On Numbers and Games, 1976, chapter 11.
        ///
        /// # Arguments
        ///
        /// - `coins`: the squares of the coins, all different, counted from 0.
        ///
        /// # Errors
        /// If the arguments do not describe a position. The error names the argument.
        ///
        /// # Complexity
        /// O(n log n) for n coins, by a theorem.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::strip_coins([1, 3, 7, 8])?;
        /// assert_eq!(position.solve()?.grundy(), Some(1));
        /// # Ok::<(), Error>(())
        /// ```
        fn strip_coins(coins: numbers) -> fallible, "strip_coins(c, ...)",
            "strip_coins(1, 3, 7, 8)", coins::strip_coins::construct;

        /// Returns a position of Staircase Nim: move coins from one step of a staircase down to the
        /// next.
        ///
        /// Coins lie on the steps of a staircase. On your turn, move one or more coins from one
        /// step to the step below. Coins moved down from step 1 reach the floor and are out of
        /// play. A player who cannot move loses.
        ///
        /// **The theorem of Staircase Nim.** The value is the nim-sum of the numbers of coins on
        /// the odd steps. Source: T. S. Ferguson, Game Theory, I.2.6, exercise 6.
        ///
        /// # Arguments
        ///
        /// - `steps`: the numbers of coins on the steps 1, 2, ..., from the floor up.
        ///
        /// # Complexity
        /// A theorem gives the value: O(1) for each part, and O(1) for each winning move.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::staircase_nim([3, 1, 4]);
        /// assert_eq!(position.solve()?.grundy(), Some(7));
        /// # Ok::<(), Error>(())
        /// ```
        fn staircase_nim(steps: numbers) -> position, "staircase_nim(c1, c2, ...)",
            "staircase_nim(3, 1, 4)", heaps::staircase_nim::construct;

        /// Returns a position of Northcott's Game: move one of your counters along its row, without
        /// jumping.
        ///
        /// Each row of the board contains one counter of Left and one of Right. On your turn, move
        /// one of your counters any distance along its row, forward or back. It may not jump over
        /// the other counter. A player who cannot move loses.
        ///
        /// **The theorem of Northcott's Game.** The gap of a row is the number of squares between
        /// its counters. The position is P if and only if the nim-sum of the gaps is 0. If the
        /// opponent retreats, advance by the same number of squares. Source: E. R. Berlekamp, J. H.
        /// Conway, R. K. Guy, Winning Ways (1982), ch. 3.
        ///
        /// # Arguments
        ///
        /// - `width`: the number of columns.
        /// - `rows`: for each row, the column of the counter of Left and that of Right, counted
        ///   from 0.
        /// - `to_move`: the player to move, by default Left.
        ///
        /// # Errors
        /// If the arguments do not describe a position. The error names the argument.
        ///
        /// # Complexity
        /// A theorem gives the value: O(1) for each part, and O(1) for each winning move.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::northcott(8, [(0, 3), (2, 7)], Player::Left)?;
        /// assert_eq!(position.solve()?.verdict().to_string(), "N");
        /// # Ok::<(), Error>(())
        /// ```
        fn northcott(width: number, rows: pairs, to_move: player) -> fallible,
            "northcott(width, [[l, r], ...], to_move=\"left\")", "northcott(8, [[0, 3], [2, 7]])",
            coins::northcott::construct;

        /// Returns a position of the game "Rook to the corner": move a rook any distance left or
        /// down, towards the corner.
        ///
        /// A rook is on square (x, y) of an unbounded board with corner (0, 0). On your turn, move
        /// it any distance left or down. A player who cannot move, because the rook is in the
        /// corner, loses. The game is equivalent to Nim with two heaps.
        ///
        /// **Bouton's theorem.** A Nim position is a P-position if and only if the nim-sum of its
        /// heaps is 0. Source: C. L. Bouton, Nim, a game with a complete mathematical theory,
        /// Annals of Mathematics 3 (1901), 35-39.
        ///
        /// # Arguments
        ///
        /// - `x`: the column of the rook, counted from 0 at the left edge.
        /// - `y`: the row of the rook, counted from 0 at the bottom edge.
        ///
        /// # Complexity
        /// A theorem gives the value in O(1).
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::rook(3, 5);
        /// assert_eq!(position.solve()?.grundy(), Some(6));
        /// # Ok::<(), Error>(())
        /// ```
        fn rook(x: number, y: number) -> position, "rook(x, y)", "rook(3, 5)",
            boards::corner_piece::rook;

        /// Returns a position of the game "Queen to the corner": move a queen any distance left,
        /// down or diagonally, towards the corner.
        ///
        /// A queen is on square (x, y) of an unbounded board with corner (0, 0). On your turn, move
        /// it any distance left, down, or diagonally left and down. A player who cannot move,
        /// because the queen is in the corner, loses. The game is equivalent to Wythoff's Game.
        ///
        /// **Wythoff's theorem.** The P-positions are `(floor(k phi), floor(k phi^2))` for k = 0,
        /// 1, 2, ... and their mirror images, where phi is the golden ratio. Source: W. A. Wythoff,
        /// A modification of the game of Nim, Nieuw Archief voor Wiskunde 7 (1907), 199-202.
        ///
        /// # Arguments
        ///
        /// - `x`: the column of the queen, counted from 0 at the left edge.
        /// - `y`: the row of the queen, counted from 0 at the bottom edge.
        ///
        /// # Complexity
        /// O(1) for the outcome. The value of the square (x, y) takes O(x y).
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::queen(3, 6);
        /// assert_eq!(position.solve()?.grundy(), Some(1));
        /// # Ok::<(), Error>(())
        /// ```
        fn queen(x: number, y: number) -> position, "queen(x, y)", "queen(3, 6)",
            boards::corner_piece::queen;

        /// Returns a position of the game "King to the corner": move a king one step left, down or
        /// diagonally, towards the corner.
        ///
        /// A king is on square (x, y) of an unbounded board with corner (0, 0). On your turn, move
        /// it one step left, down, or diagonally left and down. A player who cannot move, because
        /// the king is in the corner, loses.
        ///
        /// **The values of the king.** The value of the square (x, y) is
        /// `2 (min(x, y) mod 2) + ((x + y) mod 2)`. The proof is by induction over the four cases
        /// of the parities, see docs/theory.md.
        ///
        /// # Arguments
        ///
        /// - `x`: the column of the king, counted from 0 at the left edge.
        /// - `y`: the row of the king, counted from 0 at the bottom edge.
        ///
        /// # Complexity
        /// A theorem gives the value in O(1).
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::king(5, 4);
        /// assert_eq!(position.solve()?.grundy(), Some(1));
        /// # Ok::<(), Error>(())
        /// ```
        fn king(x: number, y: number) -> position, "king(x, y)", "king(5, 4)",
            boards::corner_piece::king;

        /// Returns a position of the game "Knight to the corner": make one of the four moves of a
        /// knight that lead towards the corner.
        ///
        /// A knight is on square (x, y) of an unbounded board with corner (0, 0). On your turn,
        /// move it by (-2, +1), (-2, -1), (+1, -2) or (-1, -2) without leaving the board. A player
        /// who cannot move loses.
        ///
        /// **The P-positions of the knight.** The position is P if and only if `x mod 4` and
        /// `y mod 4` are both 0 or 1. The proof is by induction on the residues modulo 4, see
        /// docs/theory.md.
        ///
        /// # Arguments
        ///
        /// - `x`: the column of the knight, counted from 0 at the left edge.
        /// - `y`: the row of the knight, counted from 0 at the bottom edge.
        ///
        /// # Complexity
        /// O(1) for the outcome. The value takes O(x y).
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::knight(6, 7);
        /// assert_eq!(position.solve()?.grundy(), Some(2));
        /// # Ok::<(), Error>(())
        /// ```
        fn knight(x: number, y: number) -> position, "knight(x, y)", "knight(6, 7)",
            boards::corner_piece::knight;

        /// Returns a position of Wythoff's Game, played with two heaps: take from one, or the same
        /// number from both.
        ///
        /// The game is played with two heaps of chips. On your turn, take one or more chips from
        /// one heap, or the same number from both. The player who takes the last chip wins. The
        /// game is equivalent to moving a queen to the corner of a board.
        ///
        /// **Wythoff's theorem.** The P-positions are `(floor(k phi), floor(k phi^2))` for k = 0,
        /// 1, 2, ... and their mirror images, where phi is the golden ratio. Source: W. A. Wythoff,
        /// A modification of the game of Nim, Nieuw Archief voor Wiskunde 7 (1907), 199-202.
        ///
        /// # Arguments
        ///
        /// - `a`: the size of the first heap.
        /// - `b`: the size of the second heap.
        ///
        /// # Complexity
        /// O(1) for the outcome. The value of the square (x, y) takes O(x y).
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::wythoff(5, 8);
        /// assert_eq!(position.solve()?.grundy(), Some(2));
        /// # Ok::<(), Error>(())
        /// ```
        fn wythoff(a: number, b: number) -> position, "wythoff(a, b)", "wythoff(5, 8)",
            boards::corner_piece::wythoff;

        /// Returns a position of Euclid's Game, played with two numbers: subtract a multiple of the
        /// smaller from the larger.
        ///
        /// The game is played with two positive integers. On your turn, subtract a positive
        /// multiple of the smaller number from the larger one; the result must not be negative. The
        /// player who reaches 0 wins. If one of the numbers is 0, the game is over.
        ///
        /// **The theorem of Euclid's Game.** Let `b = q a + r` with `0 <= r < a <= b`, and let h be
        /// the value of (r, a). Then the value of (a, b) is q - 1 if `q - 1 < h`, and q otherwise.
        /// A pair that contains 0 has value 0. Source: after A. J. Cole and A. J. T. Davie, A game
        /// based on the Euclidean algorithm, Mathematical Gazette 53 (1969), 354-357.
        ///
        /// # Arguments
        ///
        /// - `a`: the first number.
        /// - `b`: the second number.
        ///
        /// # Errors
        /// If the arguments do not describe a position. The error names the argument.
        ///
        /// # Complexity
        /// O(log n), by the Euclidean algorithm.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::euclid(25, 7)?;
        /// assert_eq!(position.solve()?.grundy(), Some(3));
        /// # Ok::<(), Error>(())
        /// ```
        fn euclid(a: number, b: number) -> fallible, "euclid(a, b)", "euclid(25, 7)",
            heaps::euclid::construct;

        /// Returns a position of Moore's Nim: reduce at least one and at most k heaps.
        ///
        /// The game is played with heaps of chips and a number k. On your turn, choose at least one
        /// and at most k heaps and take one or more chips from each. The numbers of chips may
        /// differ. A player who cannot move loses.
        ///
        /// **Moore's theorem.** A position is P if and only if the number of 1s in every binary
        /// column is a multiple of k + 1. Source: E. H. Moore, A generalization of the game called
        /// Nim, Annals of Mathematics 11 (1910), 93-94.
        ///
        /// # Arguments
        ///
        /// - `most`: the number k, which is the largest number of heaps that a move may reduce.
        /// - `heaps`: the sizes of the heaps.
        ///
        /// # Errors
        /// If the arguments do not describe a position. The error names the argument.
        ///
        /// # Complexity
        /// O(n) for the outcome of n heaps. The value takes one visit to each position with smaller
        /// heaps.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::moore_nim(2, [3, 4, 5])?;
        /// assert_eq!(position.solve()?.grundy(), Some(12));
        /// # Ok::<(), Error>(())
        /// ```
        fn moore_nim(most: number, heaps: numbers) -> fallible, "moore_nim(k, n, ...)",
            "moore_nim(2, 3, 4, 5)", heaps::moore_nim::construct;

        /// Returns a position of Chomp: bite off the lower right part of a chocolate bar whose top
        /// left square is poisoned.
        ///
        /// The board is a chocolate bar made of squares. On your turn, choose a square and eat it,
        /// together with all squares below it, to its right, or both. The top left square is
        /// poisoned: the player who has to eat it loses.
        ///
        /// A move is written as the row and the column of the chosen square, counted from 0.
        ///
        /// **Strategy stealing.** A rectangle of more than one square is N. Indeed, a winning
        /// answer to the bite of the far corner could have been played at once. Source: D. Gale, A
        /// curious Nim-type game, American Mathematical Monthly 81 (1974), 876-879.
        ///
        /// # Arguments
        ///
        /// - `rows`: the lengths of the rows from top to bottom. No row may be longer than the row
        ///   above it.
        ///
        /// # Errors
        /// If the arguments do not describe a position. The error names the argument.
        ///
        /// # Complexity
        /// O(1) for at most two rows. Otherwise one visit to each of the bars that are contained in
        /// the bar, which are exponentially many in the number of rows.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::chomp([4, 3, 1])?;
        /// assert_eq!(position.solve()?.grundy(), Some(4));
        /// # Ok::<(), Error>(())
        /// ```
        fn chomp(rows: numbers) -> fallible, "chomp(rows...)", "chomp(4, 3, 1)",
            boards::chomp::construct;

        /// Returns a position of Turning Turtles: turn a coin from heads to tails and, if you like,
        /// another coin to its left.
        ///
        /// A row of coins shows heads and tails. On your turn, turn one coin from heads to tails.
        /// You may also turn one coin to its left, from heads to tails or from tails to heads. A
        /// player who cannot move, because no coin shows heads, loses.
        ///
        /// **The theorem of coin turning.** The value is the nim-sum of the values of the heads,
        /// each taken alone. Source: H. W. Lenstra, Nim multiplication (1978); T. S. Ferguson, Game
        /// Theory, I.5.1.
        ///
        /// # Arguments
        ///
        /// - `heads`: the positions of the heads, counted from 1.
        ///
        /// # Errors
        /// If the arguments do not describe a position. The error names the argument.
        ///
        /// # Complexity
        /// A theorem gives the value: O(1) for each part, and O(1) for each winning move.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::turning_turtles([2, 5, 6])?;
        /// assert_eq!(position.solve()?.grundy(), Some(1));
        /// # Ok::<(), Error>(())
        /// ```
        fn turning_turtles(heads: numbers) -> fallible, "turning_turtles(head, ...)",
            "turning_turtles(2, 5, 6)", coins::coin_turning::turning_turtles;

        /// Returns a position of Mock Turtles: turn one, two or three coins, the rightmost from
        /// heads to tails.
        ///
        /// A row of coins shows heads and tails. On your turn, turn one, two or three coins; the
        /// rightmost of them must go from heads to tails. A player who cannot move, because no coin
        /// shows heads, loses.
        ///
        /// **The theorem of coin turning.** The value is the nim-sum of the values of the heads,
        /// each taken alone. Source: H. W. Lenstra, Nim multiplication (1978); T. S. Ferguson, Game
        /// Theory, I.5.1.
        ///
        /// # Arguments
        ///
        /// - `heads`: the positions of the heads, counted from 1.
        ///
        /// # Errors
        /// If the arguments do not describe a position. The error names the argument.
        ///
        /// # Complexity
        /// A theorem gives the value: O(1) for each part, and O(1) for each winning move.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::mock_turtles([2, 5, 6])?;
        /// assert_eq!(position.solve()?.grundy(), Some(1));
        /// # Ok::<(), Error>(())
        /// ```
        fn mock_turtles(heads: numbers) -> fallible, "mock_turtles(head, ...)",
            "mock_turtles(2, 5, 6)", coins::coin_turning::mock_turtles;

        /// Returns a position of Ruler: turn consecutive coins, the rightmost from heads to tails.
        ///
        /// A row of coins shows heads and tails. On your turn, turn any number of consecutive
        /// coins; the rightmost of them must go from heads to tails. A player who cannot move,
        /// because no coin shows heads, loses.
        ///
        /// **The theorem of coin turning.** The value is the nim-sum of the values of the heads,
        /// each taken alone. Source: H. W. Lenstra, Nim multiplication (1978); T. S. Ferguson, Game
        /// Theory, I.5.1.
        ///
        /// # Arguments
        ///
        /// - `heads`: the positions of the heads, counted from 1.
        ///
        /// # Errors
        /// If the arguments do not describe a position. The error names the argument.
        ///
        /// # Complexity
        /// A theorem gives the value: O(1) for each part, and O(1) for each winning move.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::ruler([3, 8])?;
        /// assert_eq!(position.solve()?.grundy(), Some(9));
        /// # Ok::<(), Error>(())
        /// ```
        fn ruler(heads: numbers) -> fallible, "ruler(head, ...)", "ruler(3, 8)",
            coins::coin_turning::ruler;

        /// Returns a position of Twins: turn exactly two coins, the right one from heads to tails.
        ///
        /// A row of coins shows heads and tails. On your turn, turn exactly two coins; the right
        /// one must go from heads to tails. A player who cannot move loses. A single head at
        /// position 1 cannot be turned.
        ///
        /// **The theorem of coin turning.** The value is the nim-sum of the values of the heads,
        /// each taken alone. Source: H. W. Lenstra, Nim multiplication (1978); T. S. Ferguson, Game
        /// Theory, I.5.1.
        ///
        /// # Arguments
        ///
        /// - `heads`: the positions of the heads, counted from 1.
        ///
        /// # Errors
        /// If the arguments do not describe a position. The error names the argument.
        ///
        /// # Complexity
        /// A theorem gives the value: O(1) for each part, and O(1) for each winning move.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::twins([2, 5])?;
        /// assert_eq!(position.solve()?.grundy(), Some(5));
        /// # Ok::<(), Error>(())
        /// ```
        fn twins(heads: numbers) -> fallible, "twins(head, ...)", "twins(2, 5)",
            coins::coin_turning::twins;

        /// Returns a position of Hackenbush: cut an edge of a picture; everything that loses its
        /// connection to the ground falls away.
        ///
        /// A picture consists of edges, joined at their ends to each other and to the ground. On
        /// your turn, cut one edge; everything that is no longer connected to the ground falls
        /// away. Either player may cut green edges. Only Left may cut blue edges, and only Right
        /// may cut red edges. A player who cannot move loses.
        ///
        /// **The colon principle.** Green branches that meet at a vertex may be replaced by a
        /// single green stalk. Its length is the nim-sum of their values. Source: E. R. Berlekamp,
        /// J. H. Conway, R. K. Guy, Winning Ways for your Mathematical Plays, 1982, chapter 7.
        ///
        /// # Arguments
        ///
        /// - `edges`: the edges of the picture, see [`Edges`].
        ///
        /// # Errors
        /// If the arguments do not describe a position. The error names the argument.
        ///
        /// # Complexity
        /// Polynomial for green pictures and for trees. Otherwise exponential in the number of
        /// edges of the largest block without a cut vertex.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::hackenbush("0-1 1-2 1-3 3-4")?;
        /// assert_eq!(position.solve()?.grundy(), Some(4));
        /// # Ok::<(), Error>(())
        /// ```
        fn hackenbush(edges: edges) -> fallible, "hackenbush(edges, ground=0)",
            "hackenbush(\"0-1 1-2 1-3 3-4\")", graphs::hackenbush::construct;

        /// Returns a position of a game on a graph: move a counter along the arrows of a directed
        /// graph, which may have cycles.
        ///
        /// A counter is on a vertex of a directed graph. On your turn, move it along an arrow. A
        /// player who cannot move loses. If the graph has cycles, the game may go on for ever,
        /// which is a draw.
        ///
        /// **The theorem of Smith and Fraenkel.** An infinite value is written `inf{K}`, where K is
        /// the set of the finite values of the options. Finite values add by nim-sum. Adding n to
        /// `inf{K}` replaces each k in K by `n xor k`. The sum of two infinite values is `inf{}`. A
        /// position is P if its value is 0. It is a draw if its value is `inf{K}` with 0 not in K.
        /// In all other cases it is N. Source: C. A. B. Smith, Graphs and composite games, J.
        /// Combin. Theory 1 (1966), 51-81; A. S. Fraenkel and Y. Perl, Constructions in
        /// combinatorial games with cycles, Colloq. Math. Soc. J. Bolyai 10 (1975), 667-699.
        ///
        /// # Arguments
        ///
        /// - `moves`: each vertex with the list of its successors.
        /// - `start`: the vertex with the counter.
        ///
        /// # Errors
        /// If the arguments do not describe a position. The error names the argument.
        ///
        /// # Complexity
        /// O(n + m) for n positions and m moves.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::graph(
        ///     [("a", vec!["b", "c"]), ("b", vec!["a", "c"]), ("c", vec![])],
        ///     "a",
        ///     None,
        /// )?;
        /// assert_eq!(position.solve()?.verdict().to_string(), "N");
        /// # Ok::<(), Error>(())
        /// ```
        fn graph(moves: moves, start: text, endless: endless) -> fallible,
            "graph(edges, start, endless=\"draw\")",
            "graph({\"a\": [\"b\", \"c\"], \"b\": [\"a\", \"c\"], \"c\": []}, \"a\")",
            graphs::graph::construct;

        /// Returns a position of Cram: place dominoes on a board, vertically or horizontally.
        ///
        /// The board consists of squares, some of which may be blocked. On your turn, place a
        /// domino on two adjacent free squares, vertically or horizontally. A player who cannot
        /// move loses.
        ///
        /// **Point symmetry.** A board with half-turn symmetry is P if no domino overlaps its image
        /// under the half-turn. It is N if only the domino in the middle overlaps its image.
        /// Source: M. Gardner, Mathematical Games, Scientific American, February 1974.
        ///
        /// # Arguments
        ///
        /// - `board`: the rows of the [`Board`], one string for each, with `.` for a free square
        ///   and `#` for a blocked square.
        ///
        /// # Errors
        /// If the arguments do not describe a position. The error names the argument.
        ///
        /// # Complexity
        /// Exponential in the number of free squares. Regions that are separated are solved
        /// independently.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::cram(["...", "...", "..#"])?;
        /// assert_eq!(position.solve()?.grundy(), Some(2));
        /// # Ok::<(), Error>(())
        /// ```
        fn cram(board: board) -> fallible, "cram(board)", "cram([\"...\", \"...\", \"..#\"])",
            boards::cram::construct;

        /// Returns a position of Node Kayles: take a vertex of a graph and all its neighbours.
        ///
        /// The game is played on a graph. On your turn, take a vertex and all its neighbours. A
        /// player who cannot move, because no vertex is left, loses.
        ///
        /// Source: T. J. Schaefer, On the complexity of some two-person perfect-information games,
        /// J. Comput. System Sci. 16 (1978), 185-225.
        ///
        /// # Arguments
        ///
        /// - `edges`: a string with `a-b` for each edge between the vertices a and b, and a single
        ///   number for each vertex without edges. Lines `1 2` and `1: 2 3` are read, too.
        ///
        /// # Errors
        /// If the arguments do not describe a position. The error names the argument.
        ///
        /// # Complexity
        /// Exponential in the number of vertices of the largest connected component.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::node_kayles("0-1 1-2 2-3 4")?;
        /// assert_eq!(position.solve()?.grundy(), Some(1));
        /// # Ok::<(), Error>(())
        /// ```
        fn node_kayles(edges: edges) -> fallible, "node_kayles(edges)",
            "node_kayles(\"0-1 1-2 2-3 4\")", graphs::node_kayles::construct;

        /// Returns a position of Arc Kayles: take an edge of a graph and all edges that touch it.
        ///
        /// The game is played on a graph, which may have loops. On your turn, take an edge and all
        /// edges that share an endpoint with it. A player who cannot move, because no edge is left,
        /// loses.
        ///
        /// A move names an edge by its index in the string of edges, counted from 0.
        ///
        /// Source: T. J. Schaefer, On the complexity of some two-person perfect-information games,
        /// J. Comput. System Sci. 16 (1978), 185-225.
        ///
        /// # Arguments
        ///
        /// - `edges`: a string with `a-b` for each edge between the vertices a and b.
        ///
        /// # Errors
        /// If the arguments do not describe a position. The error names the argument.
        ///
        /// # Complexity
        /// Exponential in the number of edges of the largest connected component.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::arc_kayles("0-1 1-2 2-3 2-2")?;
        /// assert_eq!(position.solve()?.grundy(), Some(2));
        /// # Ok::<(), Error>(())
        /// ```
        fn arc_kayles(edges: edges) -> fallible, "arc_kayles(edges)",
            "arc_kayles(\"0-1 1-2 2-3 2-2\")", graphs::arc_kayles::construct;

        /// Returns a position of Geography: move the token along an edge to a vertex that it has
        /// not visited before.
        ///
        /// The game is played on a graph with a token on one of its vertices. On your turn, move
        /// the token along an edge to a vertex that it has not visited before. If edges are taken,
        /// the token may return to a vertex, but not use an edge twice. A player who cannot move
        /// loses.
        ///
        /// **The theorem of Fraenkel, Scheinerman and Ullman.** Let the graph be undirected, and
        /// let vertices be visited once. The player to move wins if and only if every maximum
        /// matching covers the vertex of the token. Source: A. S. Fraenkel, E. R. Scheinerman, D.
        /// Ullman, Undirected edge geography, Theoret. Comput. Sci. 112 (1993), 371-381.
        ///
        /// # Arguments
        ///
        /// - `edges`: a string with `a-b` for each edge between the vertices a and b, and a single
        ///   number for each vertex without edges.
        /// - `start`: the vertex of the token.
        /// - `directed`: `true` if an edge `a-b` leads from a to b only. The default is `false`.
        ///
        /// # Errors
        /// If the arguments do not describe a position. The error names the argument.
        ///
        /// # Complexity
        /// In an undirected graph, a maximum matching gives the outcome and the winning moves. It
        /// usually takes a time close to linear in the number of edges. Grundy values, and the
        /// outcomes of directed graphs, take a time exponential in the size of the graph.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::geography("0-1 1-2 2-3 1-4", 1, false)?;
        /// assert_eq!(position.solve()?.outcome(), Outcome::N);
        /// # Ok::<(), Error>(())
        /// ```
        fn geography(edges: edges, start: number, directed: flag) -> fallible,
            "geography(edges, start, directed=False, taken=\"vertices\", visited=[])",
            "geography(\"0-1 1-2 2-3 3-0 1-4\", 0)", graphs::geography::construct;

        /// Returns a position of Kayles on a row of pins: knock down one pin, or two adjacent pins.
        ///
        /// The game is played with a row of pins, possibly with gaps. On your turn, knock down one
        /// pin or two adjacent pins. A player who cannot move loses.
        ///
        /// [`kayles`] is the same game for rows without gaps, which are given by their lengths.
        ///
        /// **The values of Kayles.** Runs of 0, 1, 2, ..., 11 pins have the values 0, 1, 2, 3, 1,
        /// 4, 3, 2, 1, 4, 2, 6. From 71 pins onwards the values have period 12. Source: R. K. Guy
        /// and C. A. B. Smith, The G-values of various games, Proc. Camb. Phil. Soc. 52 (1956),
        /// 514-526.
        ///
        /// # Arguments
        ///
        /// - `row`: a string with `1` for a pin and `0` for a gap.
        ///
        /// # Errors
        /// If the arguments do not describe a position. The error names the argument.
        ///
        /// # Complexity
        /// Linear in the length of the row: each block of pins is a heap of Kayles.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::kayles_row("1101111")?;
        /// assert_eq!(position.solve()?.grundy(), Some(3));
        /// # Ok::<(), Error>(())
        /// ```
        fn kayles_row(row: text) -> fallible, "kayles_row(row)", "kayles_row(\"1101111\")",
            strips::rows::kayles_row;

        /// Returns a position of Treblecross: put a cross on a square of a row; three adjacent
        /// crosses win.
        ///
        /// The board is a row of squares. On your turn, put a cross on an empty square. The player
        /// who completes three adjacent crosses wins, and the game ends. If the row is full without
        /// three adjacent crosses, the player to move loses.
        ///
        /// [`treblecross`] is the corresponding game with heaps, the octal game 0.007.
        ///
        /// **The theorem of Treblecross.** Consider a row of at least three squares, without three
        /// adjacent crosses. If two crosses are adjacent or one square apart, the player to move
        /// wins. Otherwise the row is P if and only if the nim-sum of its heaps in the octal game
        /// 0.007 is 0. Source: E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways (1982),
        /// ch. 4.
        ///
        /// # Arguments
        ///
        /// - `row`: a string with `.` for an empty square and `X` for a cross.
        ///
        /// # Errors
        /// If the arguments do not describe a position. The error names the argument.
        ///
        /// # Complexity
        /// Exponential in the number of free squares. Regions that are separated are solved
        /// independently.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::treblecross_row(".......")?;
        /// assert_eq!(position.solve()?.grundy(), Some(2));
        /// # Ok::<(), Error>(())
        /// ```
        fn treblecross_row(row: text) -> fallible, "treblecross_row(row)",
            "treblecross_row(\".......\")", strips::rows::treblecross_row;

        /// Returns a position of Domineering: place dominoes on a board, Left vertically and Right
        /// horizontally.
        ///
        /// The board consists of squares, some of which may be blocked. On your turn, place a
        /// domino on two adjacent free squares. Left places dominoes vertically, Right
        /// horizontally. A player who cannot move loses.
        ///
        /// Source: D. M. Breuker, J. W. H. M. Uiterwijk, H. J. van den Herik, Solving 8 x 8
        /// Domineering, Theoretical Computer Science 230 (2000), 195-206.
        ///
        /// # Arguments
        ///
        /// - `board`: the rows of the [`Board`], one string for each, with `.` for a free square
        ///   and `#` for a blocked square.
        ///
        /// # Errors
        /// If the arguments do not describe a position. The error names the argument.
        ///
        /// # Complexity
        /// Exponential in the number of free squares. Regions that are separated are solved
        /// independently.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::domineering(["...", "..#"])?;
        /// assert_eq!(position.value()?.to_string(), "+-1");
        /// # Ok::<(), Error>(())
        /// ```
        fn domineering(board: board) -> fallible, "domineering(board)",
            "domineering([\"...\", \"..#\"])", boards::domineering::construct;

        /// Returns a position of Toads and Frogs: Left's toads move right and Right's frogs move
        /// left, by one step or by a jump.
        ///
        /// Toads and frogs are placed on a strip of squares. Left moves a toad to the right, and
        /// Right moves a frog to the left. A move is one step onto an empty square, or a jump over
        /// one opposing piece onto the empty square directly behind it. A player who cannot move
        /// loses.
        ///
        /// **Free moves.** Suppose that no frog is to the right of a toad, so that the pieces
        /// cannot meet. Then each piece has as many moves as there are empty squares ahead of it.
        /// The value is the number of Left's moves minus the number of Right's moves. Source: E. R.
        /// Berlekamp, J. H. Conway, R. K. Guy, Winning Ways for your Mathematical Plays, 1982,
        /// chapter 1.
        ///
        /// # Arguments
        ///
        /// - `strip`: a string with `T` for a toad, `F` for a frog and `.` for an empty square.
        ///
        /// # Errors
        /// If the arguments do not describe a position. The error names the argument.
        ///
        /// # Complexity
        /// Exponential in the number of pieces in the worst case. Pieces that cannot meet are
        /// solved independently.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::toads_and_frogs("TT..FF")?;
        /// assert_eq!(position.value()?.to_string(), "*");
        /// # Ok::<(), Error>(())
        /// ```
        fn toads_and_frogs(strip: text) -> fallible, "toads_and_frogs(strip)",
            "toads_and_frogs(\"TT..FF\")", strips::toads_and_frogs::construct;

        /// Returns a position of the impartial version of a partizan game: both players have all
        /// moves of Left and of Right.
        ///
        /// G is a partizan game, in which Left and Right have different moves. Here both players
        /// may make every move of Left and every move of Right. The result depends on the form of
        /// G, not on its value, since dominated moves also count. A player who cannot move loses.
        ///
        /// Source: E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways, 1982, chapter 3.
        ///
        /// # Arguments
        ///
        /// - `game`: a position of a partizan game, such as [`toads_and_frogs`].
        ///
        /// # Errors
        /// If the arguments do not describe a position. The error names the argument.
        ///
        /// # Complexity
        /// That of the games that it contains. The values of both are computed first.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::impartial(&games::toads_and_frogs("TT.F.F")?)?;
        /// assert_eq!(position.solve()?.grundy(), Some(1));
        /// # Ok::<(), Error>(())
        /// ```
        fn impartial(game: game) -> fallible, "impartial(G)",
            "impartial(toads_and_frogs(\"TT.F.F\"))", composite::impartial::construct;

        /// Returns a position of an ordinal sum G:H, in which a move in G ends H.
        ///
        /// On your turn, move in G or in H. A move in G ends H, and the game continues in G alone.
        /// In Hackenbush, for example, an edge and the tree that it carries form an ordinal sum.
        /// The result depends on the form of G, but only on the value of H. Both may be sums. A
        /// player who cannot move loses.
        ///
        /// **The value of an ordinal sum.** By definition, `G:H = {G^L, G:H^L | G^R, G:H^R}`. Its
        /// value depends on the options of G and on the value of H, but not on the form of H.
        /// Source: E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways for your Mathematical
        /// Plays, 1982, chapter 7.
        ///
        /// # Arguments
        ///
        /// - `base`: the game G. The last move must decide it, as in [`nim`], [`domineering`] and
        ///   sums of such games.
        /// - `top`: the game H, of the same kind.
        ///
        /// # Errors
        /// If the arguments do not describe a position. The error names the argument.
        ///
        /// # Complexity
        /// That of the games that it contains. The values of both are computed first.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::ordinal_sum(
        ///     &games::nim([2]),
        ///     &games::domineering(["..", ".."])?,
        /// )?;
        /// assert_eq!(position.value()?.to_string(), "+-{0,*,{0,*,*2|0,*}}");
        /// # Ok::<(), Error>(())
        /// ```
        fn ordinal_sum(base: game, top: game) -> fallible, "ordinal_sum(G, H)",
            "ordinal_sum(nim(2), domineering([\"..\", \"..\"]))", composite::ordinal_sum::construct;

        /// Returns a position of a game that is written in the notation for values, such as
        /// `{2|-1/2}`, `3/4v[3]*` or `Tiny(2)`.
        ///
        /// The string denotes a game: Left's options before the bar and Right's options after it,
        /// each of which is again a game. Longer bars separate before shorter ones. Left moves to
        /// one of the options before the bar, Right to one of those after it. A player who cannot
        /// move loses.
        ///
        /// Numbers, ups (`^`), stars (`*`), `^[n]`, `^<n>`, `Tiny(G)` and `Miny(G)` denote their
        /// canonical forms. An explicit `+` denotes the sum of two games. In the game `*[a,b]`,
        /// both players may move to a or b. Canonical forms in misère play are written in this way.
        ///
        /// **Addition of numbers, ups and nimbers.** Sums of numbers, ups and nimbers have closed
        /// forms. If x is a number and n >= 1, then
        /// `{x | x + (n - 1)·↑ + *(m xor 1)} = x + n·↑ + *m`, except that `↑* = {0, * | 0}`.
        /// Source: E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways for your Mathematical
        /// Plays, 1982, chapters 2 and 3.
        ///
        /// # Arguments
        ///
        /// - `text`: the game, such as `"{2|-1/2}"`, `"{7|5||4|1}"`, `"^*"`, `"+-{3|2}"` or
        ///   `"*[*3,*2]"`.
        ///
        /// # Errors
        /// If the arguments do not describe a position. The error names the argument.
        ///
        /// # Complexity
        /// That of computing the canonical form, which is polynomial in the number of different
        /// positions of the text.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::literal("{2|-1/2}")?;
        /// assert_eq!(position.value()?.to_string(), "{2|-1/2}");
        /// # Ok::<(), Error>(())
        /// ```
        fn literal(text: text) -> fallible, "literal(text)", "literal(\"{2|-1/2}\")",
            composite::literal::construct;

        /// Returns a position of Toppling Dominoes: topple one of your dominoes, together with all
        /// dominoes on one side of it.
        ///
        /// Dominoes stand in a row. Each belongs to Left, to Right or to either player. On your
        /// turn, topple one of your dominoes to the left or to the right; all dominoes on that side
        /// fall with it. A player who cannot move loses.
        ///
        /// Source: A. Fink, R. J. Nowakowski, A. N. Siegel, D. Wolfe, Toppling conjectures, Games
        /// of No Chance 4, 2015.
        ///
        /// # Arguments
        ///
        /// - `row`: a string with `L` for a domino of Left, `R` for a domino of Right and `E` for a
        ///   domino of either player.
        ///
        /// # Errors
        /// If the arguments do not describe a position. The error names the argument.
        ///
        /// # Complexity
        /// O(n³) positions are visited for a row of n dominoes.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::toppling_dominoes("LREL")?;
        /// assert_eq!(position.value()?.to_string(), "{1|*}");
        /// # Ok::<(), Error>(())
        /// ```
        fn toppling_dominoes(row: text) -> fallible, "toppling_dominoes(row)",
            "toppling_dominoes(\"LREL\")", strips::toppling_dominoes::construct;

        /// Returns a position of Elephants and Rhinos: Left's elephants step right, Right's rhinos
        /// step left, and there are no jumps.
        ///
        /// Elephants and rhinos are placed on a strip of squares. Left moves an elephant one square
        /// to the right, and Right moves a rhino one square to the left. The destination must be
        /// free. A player who cannot move loses.
        ///
        /// **Free moves and even gaps.** Suppose that p adjacent elephants face q adjacent rhinos
        /// across an even gap of d free squares. Their value is `d/2 (p - q)`. Free squares among
        /// the elephants, or among the rhinos, give free moves in addition. Each animal has one
        /// free move for every free square between it and the foremost animal of its kind in its
        /// group. The proof is by induction on the gap: the second player answers every step into
        /// it.
        ///
        /// # Arguments
        ///
        /// - `strip`: a string with `E` for an elephant, `R` for a rhino and `.` for a free square.
        ///
        /// # Errors
        /// If the arguments do not describe a position. The error names the argument.
        ///
        /// # Complexity
        /// Exponential in the number of pieces in the worst case. Pieces that cannot meet are
        /// solved independently.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::elephants("E.E...R.R")?;
        /// assert_eq!(position.value()?.to_string(), "+-1");
        /// # Ok::<(), Error>(())
        /// ```
        fn elephants(strip: text) -> fallible, "elephants(strip)", "elephants(\"E.E...R.R\")",
            strips::elephants::construct;

        /// Returns a position of Push: push one of your pieces one square to the left, together
        /// with those in front of it.
        ///
        /// Pieces of both players are placed on a strip. On your turn, move one of your pieces one
        /// square to the left. It pushes the pieces in front of it, up to the first free square,
        /// one square to the left as well. If no square in front of it is free, the leftmost piece
        /// falls off the strip. A player who cannot move loses.
        ///
        /// Source: M. H. Albert, R. J. Nowakowski, D. Wolfe, Lessons in Play, 2nd edition 2019.
        ///
        /// # Arguments
        ///
        /// - `strip`: a string with `L` for a piece of Left, `R` for a piece of Right and `.` for a
        ///   free square.
        ///
        /// # Errors
        /// If the arguments do not describe a position. The error names the argument.
        ///
        /// # Complexity
        /// Exponential in the number of pieces in the worst case. Pieces that cannot meet are
        /// solved independently.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::push("..RL.L")?;
        /// assert_eq!(position.value()?.to_string(), "63/8");
        /// # Ok::<(), Error>(())
        /// ```
        fn push(strip: text) -> fallible, "push(strip)", "push(\"..RL.L\")",
            strips::push::construct;

        /// Returns a position of Ski Jumps: Left's skiers move right, Right's move left, and
        /// jumpers jump over opponents below them.
        ///
        /// Skiers are on a slope. Left moves a skier any number of free squares to the right, or
        /// off the slope; Right does the same to the left. A jumper may also jump over an opposing
        /// skier on the square directly below, onto the next square below if it is free. A skier
        /// who has been jumped over can no longer jump. A player who cannot move loses.
        ///
        /// Source: E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways for your Mathematical
        /// Plays, 1982, chapter 1.
        ///
        /// # Arguments
        ///
        /// - `slope`: the rows of the [`Board`], one string for each. The letters `L` and `R` are
        ///   jumpers of Left and Right, `l` and `r` are skiers who cannot jump, and `.` is a free
        ///   square.
        ///
        /// # Errors
        /// If the arguments do not describe a position. The error names the argument.
        ///
        /// # Complexity
        /// Exponential in the number of free squares. Regions that are separated are solved
        /// independently.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::ski_jumps(["L....", "....R", "....."])?;
        /// assert_eq!(position.value()?.to_string(), "1/2");
        /// # Ok::<(), Error>(())
        /// ```
        fn ski_jumps(slope: board) -> fallible, "ski_jumps(slope)",
            "ski_jumps([\"L....\", \"....R\", \".....\"])", boards::ski_jumps::construct;

        /// Returns a position of Clobber: capture an adjacent stone of the opponent by moving onto
        /// it.
        ///
        /// Stones of Left and Right are placed on a board. On your turn, move one of your stones
        /// onto an adjacent stone of the opponent, horizontally or vertically. The opponent's stone
        /// is removed. A player who cannot move loses.
        ///
        /// Source: M. H. Albert, J. P. Grossman, R. J. Nowakowski, D. Wolfe, An introduction to
        /// Clobber, INTEGERS 5(2) (2005), A1.
        ///
        /// # Arguments
        ///
        /// - `board`: the rows of the [`Board`], one string for each, with `x` for a stone of Left
        ///   and `o` for a stone of Right. A square without a stone is `.` or `#`.
        ///
        /// # Errors
        /// If the arguments do not describe a position. The error names the argument.
        ///
        /// # Complexity
        /// Exponential in the number of free squares. Regions that are separated are solved
        /// independently.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::clobber(["xox", "oxo"])?;
        /// assert_eq!(position.value()?.to_string(), "0");
        /// # Ok::<(), Error>(())
        /// ```
        fn clobber(board: board) -> fallible, "clobber(board)", "clobber([\"xox\", \"oxo\"])",
            boards::clobber::construct;

        /// Returns a position of Cannibal Clobber: Clobber in which a stone may also capture a
        /// stone of the same colour.
        ///
        /// Stones of Left and Right are placed on a board. On your turn, move one of your stones
        /// onto an adjacent stone of either colour, horizontally or vertically. That stone is
        /// removed. A player who cannot move loses.
        ///
        /// **Groups of one colour.** A connected group that consists of s stones of one colour has
        /// value s - 1 for its owner. In each of the s - 1 moves, a leaf of a spanning tree
        /// captures its parent. The proof is by induction on the stones.
        ///
        /// # Arguments
        ///
        /// - `board`: the rows of the [`Board`], one string for each, with `x` for a stone of Left
        ///   and `o` for a stone of Right. A square without a stone is `.` or `#`.
        ///
        /// # Errors
        /// If the arguments do not describe a position. The error names the argument.
        ///
        /// # Complexity
        /// Exponential in the number of free squares. Regions that are separated are solved
        /// independently.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::cannibal_clobber(["xxo", "xo."])?;
        /// assert_eq!(position.value()?.to_string(), "{2|0}");
        /// # Ok::<(), Error>(())
        /// ```
        fn cannibal_clobber(board: board) -> fallible, "cannibal_clobber(board)",
            "cannibal_clobber([\"xxo\", \"xo.\"])", boards::clobber::cannibal_clobber;

        /// Returns a position of NoGo: place stones so that every block of either colour keeps a
        /// free point.
        ///
        /// On your turn, place a stone of your colour on a free point of the board. After the move,
        /// every block of connected stones of one colour must be adjacent to a free point. This
        /// holds for the blocks of both players. Stones are never captured. A player who cannot
        /// move loses.
        ///
        /// Source: C.-W. Chou, O. Teytaud, S.-J. Yen, Revisiting Monte-Carlo tree search on a
        /// normal form game: NoGo, EvoApplications 2011; first described as Anti Atari Go, 2005.
        ///
        /// # Arguments
        ///
        /// - `board`: the rows of the [`Board`], one string for each, with `x` for a stone of Left
        ///   and `o` for a stone of Right. A free point is `.`, and a point that is not on the
        ///   board is `#`.
        ///
        /// # Errors
        /// If the arguments do not describe a position. The error names the argument.
        ///
        /// # Complexity
        /// Exponential in the number of free squares. Regions that are separated are solved
        /// independently.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::nogo(["...", "..o"])?;
        /// assert_eq!(position.value()?.to_string(), "{0|-1}");
        /// # Ok::<(), Error>(())
        /// ```
        fn nogo(board: board) -> fallible, "nogo(board)", "nogo([\"...\", \"..o\"])",
            boards::nogo::construct;

        /// Returns a position of Fission: split a stone in two, Left vertically and Right
        /// horizontally.
        ///
        /// Stones that belong to neither player are placed on a board. Left removes a stone and
        /// places one on the square above and one on the square below; both must be free. Right
        /// does the same with the squares to the left and to the right. A player who cannot move
        /// loses.
        ///
        /// Source: A. N. Siegel, CGSuite 2.0: ruleset Fission.
        ///
        /// # Arguments
        ///
        /// - `board`: the rows of the [`Board`], one string for each, with `x` for a stone, `.` for
        ///   a free square and `#` for a wall.
        ///
        /// # Errors
        /// If the arguments do not describe a position. The error names the argument.
        ///
        /// # Complexity
        /// Exponential in the number of free squares. Regions that are separated are solved
        /// independently.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::fission(["....", ".x..", "...."])?;
        /// assert_eq!(position.value()?.to_string(), "0");
        /// # Ok::<(), Error>(())
        /// ```
        fn fission(board: board) -> fallible, "fission(board)",
            "fission([\"....\", \".x..\", \"....\"])", boards::fission::construct;

        /// Returns a position of Konane: jump over the opponent's stones in a straight line and
        /// capture them.
        ///
        /// Stones of Left and Right are placed on a board. On your turn, jump with one of your
        /// stones over an adjacent opposing stone, horizontally or vertically, onto the free square
        /// directly behind it. The stone jumped over is captured. You may continue jumping in the
        /// same direction and stop after any jump. A player who cannot move loses.
        ///
        /// Source: M. D. Ernst, Playing Konane mathematically, The UMAP Journal 16 (1995), 95-121.
        ///
        /// # Arguments
        ///
        /// - `board`: the rows of the [`Board`], one string for each, with `x` for a stone of Left
        ///   and `o` for a stone of Right. A free square is `.`, and a square that is out of play
        ///   is `#`.
        ///
        /// # Errors
        /// If the arguments do not describe a position. The error names the argument.
        ///
        /// # Complexity
        /// Exponential in the number of free squares. Regions that are separated are solved
        /// independently.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::konane(["xoxo", "o.ox", "x.xo"])?;
        /// assert_eq!(position.value()?.to_string(), "0");
        /// # Ok::<(), Error>(())
        /// ```
        fn konane(board: board) -> fallible, "konane(board)",
            "konane([\"xoxo\", \"o.ox\", \"x.xo\"])", boards::konane::construct;

        /// Returns a position of Amazons: move like a chess queen, then burn a square with an
        /// arrow.
        ///
        /// Each player has amazons on a board. On your turn, move one of your amazons like a chess
        /// queen over free squares. From the new square the amazon then shoots an arrow, which
        /// flies like a queen. The square that the arrow hits is burnt: nothing can move onto it or
        /// over it. A player who cannot move loses.
        ///
        /// Source: E. R. Berlekamp, Sums of N x 2 Amazons, Game Theory, Optimal Stopping,
        /// Probability and Statistics, 2000, 1-34.
        ///
        /// # Arguments
        ///
        /// - `board`: the rows of the [`Board`], one string for each, with `x` for an amazon of
        ///   Left and `o` for an amazon of Right. A free square is `.`, and a burnt square is `#`.
        ///
        /// # Errors
        /// If the arguments do not describe a position. The error names the argument.
        ///
        /// # Complexity
        /// Exponential in the number of free squares. Regions that are separated are solved
        /// independently.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::amazons(["x..", "..o"])?;
        /// assert_eq!(position.value()?.to_string(), "+-{1,{2|0}}");
        /// # Ok::<(), Error>(())
        /// ```
        fn amazons(board: board) -> fallible, "amazons(board)", "amazons([\"x..\", \"..o\"])",
            boards::amazons::construct;

        /// Returns a position of Cutcake: cut a cake along its grid lines, Left between columns and
        /// Right between rows.
        ///
        /// A rectangular cake is divided by grid lines into rows and columns. On your turn, cut one
        /// piece in two along a whole grid line: Left between two columns, Right between two rows.
        /// A player who cannot move loses.
        ///
        /// **The values of Cutcake.** Let 2^i be the largest power of 2 that is at most the shorter
        /// side, and let m be `floor(longer side / 2^i) - 1`. The value is m if there are more
        /// columns, and -m if there are more rows. A square cake has value 0. Source: E. R.
        /// Berlekamp, J. H. Conway, R. K. Guy, Winning Ways for your Mathematical Plays, 1982,
        /// chapter 2.
        ///
        /// # Arguments
        ///
        /// - `rows`: the number of rows of the cake, at least 1.
        /// - `columns`: the number of columns, at least 1.
        ///
        /// # Errors
        /// If the arguments do not describe a position. The error names the argument.
        ///
        /// # Complexity
        /// A theorem gives the value in O(1).
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::cutcake(3, 9)?;
        /// assert_eq!(position.value()?.to_string(), "3");
        /// # Ok::<(), Error>(())
        /// ```
        fn cutcake(rows: number, columns: number) -> fallible, "cutcake(rows, columns)",
            "cutcake(3, 9)", cakes::cutcake::construct;

        /// Returns a position of Maundy Cake: cut a piece into equal parts, Left between columns
        /// and Right between rows.
        ///
        /// A rectangular cake is divided by grid lines into rows and columns. On your turn, cut one
        /// piece into two or more equal parts: Left between columns, Right between rows. A player
        /// who cannot move loses.
        ///
        /// **The values of Maundy Cake.** Divide both sides by their least prime factors, again and
        /// again, until one of them is 1. Then divide the other side in the same way until it is 1,
        /// and let m be the sum of the quotients of this second stage. The value of one cake is m
        /// if columns remain, and -m if rows remain. It is 0 if there is no second stage. Source:
        /// E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways for your Mathematical Plays,
        /// 1982, chapter 2.
        ///
        /// # Arguments
        ///
        /// - `rows`: the number of rows of the cake, at least 1.
        /// - `columns`: the number of columns, at least 1.
        /// - `copies`: the number of such cakes, by default 1.
        ///
        /// # Errors
        /// If the arguments do not describe a position. The error names the argument.
        ///
        /// # Complexity
        /// That of factoring the sides by trial division, O(√n).
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::maundy_cake(2, 12, None)?;
        /// assert_eq!(position.value()?.to_string(), "4");
        /// # Ok::<(), Error>(())
        /// ```
        fn maundy_cake(rows: number, columns: number, copies: option) -> fallible,
            "maundy_cake(rows, columns, copies=1)", "maundy_cake(2, 12)",
            cakes::maundy_cake::construct;

        /// Returns a position of a partizan subtraction game: take chips from a heap, where Left
        /// and Right have different sets of allowed numbers.
        ///
        /// The game is played with heaps of chips. On your turn, take from one heap a number of
        /// chips that is in your set. Left and Right have different sets. A player who cannot move
        /// loses.
        ///
        /// Source: A. S. Fraenkel, A. Kotzig, Partizan octal games: partizan subtraction games,
        /// Internat. J. Game Theory 16 (1987), 145-154.
        ///
        /// # Arguments
        ///
        /// - `left`: the set of Left, which is a list of positive integers or the name of a set as
        ///   in [`subtraction`].
        /// - `right`: the set of Right, in the same form.
        /// - `heaps`: the sizes of the heaps.
        ///
        /// # Errors
        /// If the arguments do not describe a position. The error names the argument.
        ///
        /// # Complexity
        /// One value for each smaller heap. The canonical forms can grow with the heap.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::partizan_subtraction([1, 4], [2, 3], [9])?;
        /// assert_eq!(position.value()?.to_string(), "{1|0,{1|0}||0}");
        /// # Ok::<(), Error>(())
        /// ```
        fn partizan_subtraction(left: set, right: set, heaps: numbers) -> fallible,
            "partizan_subtraction(left, right, n, ...)", "partizan_subtraction([1, 4], [2, 3], 9)",
            heaps::partizan_subtraction::construct;

        /// Returns a position of Col: colour the vertices of a graph; adjacent vertices may not
        /// have the same colour.
        ///
        /// The game is played on a graph. On your turn, colour one uncoloured vertex with your
        /// colour. Adjacent vertices may not have the same colour. A player who cannot move loses.
        ///
        /// Source: E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways (1982), ch. 2.
        ///
        /// # Arguments
        ///
        /// - `edges`: a string with `a-b` for each edge between the vertices a and b, which are
        ///   numbered from 0.
        /// - `colors`: a string with one letter for each vertex: `.` for uncoloured, `L` and `R`
        ///   for the colours of Left and Right.
        ///
        /// # Errors
        /// If the arguments do not describe a position. The error names the argument.
        ///
        /// # Complexity
        /// Exponential in the number of vertices of the largest connected component.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::col("0-1 1-2 2-3", "....")?;
        /// assert_eq!(position.value()?.to_string(), "0");
        /// # Ok::<(), Error>(())
        /// ```
        fn col(edges: edges, colors: text) -> fallible, "col(edges, colors)",
            "col(\"0-1 1-2 2-3\", \"....\")", graphs::col::construct;

        /// Returns a position of Snort: colour the vertices of a graph; adjacent vertices may not
        /// have different colours.
        ///
        /// The game is played on a graph. On your turn, colour one uncoloured vertex with your
        /// colour. Adjacent vertices may not have different colours. A player who cannot move
        /// loses.
        ///
        /// Source: E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways (1982), ch. 6.
        ///
        /// # Arguments
        ///
        /// - `edges`: a string with `a-b` for each edge between the vertices a and b, which are
        ///   numbered from 0.
        /// - `colors`: a string with one letter for each vertex: `.` for uncoloured, `L` and `R`
        ///   for the colours of Left and Right.
        ///
        /// # Errors
        /// If the arguments do not describe a position. The error names the argument.
        ///
        /// # Complexity
        /// Exponential in the number of vertices of the largest connected component.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::snort("0-1 1-2 2-3", "...L")?;
        /// assert_eq!(position.value()?.to_string(), "{2|-1}");
        /// # Ok::<(), Error>(())
        /// ```
        fn snort(edges: edges, colors: text) -> fallible, "snort(edges, colors)",
            "snort(\"0-1 1-2 2-3\", \"...L\")", graphs::snort::construct;

        /// Returns a position of the game "k in a row": get k marks in a row on any board.
        ///
        /// X and O take turns putting a mark on an empty square of a board; X moves first. The
        /// player who gets k marks in a row wins. Rows are horizontal, vertical and, if diagonals
        /// count, diagonal. If the board is full and neither player has won, the game is a tie.
        ///
        /// Source: E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways (1982), ch. 22.
        ///
        /// # Arguments
        ///
        /// - `board`: the rows of the [`Board`], one string for each, with `.` for an empty square,
        ///   `X` and `O` for marks.
        /// - `k`: the number of marks in a row that win.
        /// - `diagonals`: whether diagonal rows count, by default `true`.
        ///
        /// # Errors
        /// If the arguments do not describe a position. The error names the argument.
        ///
        /// # Complexity
        /// Exponential in the number of free squares. Regions that are separated are solved
        /// independently.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::k_in_a_row(["X..", ".O.", "..."], 3, true)?;
        /// assert_eq!(position.solve()?.verdict().to_string(), "tie");
        /// # Ok::<(), Error>(())
        /// ```
        fn k_in_a_row(board: board, k: number, diagonals: flag) -> fallible,
            "k_in_a_row(board, k, diagonals=True)", "k_in_a_row([\"X..\", \".O.\", \"...\"], 3)",
            boards::k_in_a_row::construct;

        /// Returns the initial position of Tic-Toe: get two marks in a row on a 2 by 2 board,
        /// without diagonals.
        ///
        /// X and O take turns putting a mark on an empty square of a 2 by 2 board; X moves first.
        /// The player who gets two adjacent marks, horizontally or vertically, wins. If the board
        /// is full and neither player has won, the game is a tie.
        ///
        /// [`k_in_a_row`] takes a board with marks.
        ///
        /// Source: docs/trees.md.
        ///
        /// # Complexity
        /// A few thousand positions.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::tic_toe();
        /// assert_eq!(position.solve()?.verdict().to_string(), "win");
        /// # Ok::<(), Error>(())
        /// ```
        fn tic_toe() -> position, "tic_toe()", "tic_toe()", boards::k_in_a_row::tic_toe;

        /// Returns the initial position of Tic-Tac-Toe: get three marks in a row on a 3 by 3 board.
        ///
        /// X and O take turns putting a mark on an empty square of a 3 by 3 board; X moves first.
        /// The player who gets three marks in a row, horizontally, vertically or diagonally, wins.
        /// If the board is full and neither player has won, the game is a tie.
        ///
        /// [`k_in_a_row`] takes a board with marks.
        ///
        /// Source: E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways (1982), ch. 22.
        ///
        /// # Complexity
        /// A few thousand positions.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::tic_tac_toe();
        /// assert_eq!(position.solve()?.verdict().to_string(), "tie");
        /// # Ok::<(), Error>(())
        /// ```
        fn tic_tac_toe() -> position, "tic_tac_toe()", "tic_tac_toe()",
            boards::k_in_a_row::tic_tac_toe;

        /// Returns a position of a game tree with ties: a game that ends in a win, a tie or a loss,
        /// listed position by position.
        ///
        /// X and O move alternately; the player `to_move` begins. A move goes from a position to
        /// one of those listed for it. A position without moves ends the game; its result is a win
        /// for X, a win for O or a tie.
        ///
        /// Source: docs/trees.md.
        ///
        /// # Arguments
        ///
        /// - `moves`: each position that has moves, with the list of positions one move away. No
        ///   position may recur.
        /// - `start`: the first position.
        /// - `ends`: the result at each position without moves: `"X"`, `"O"` or `"tie"`.
        /// - `to_move`: the player who moves first, by default X. X is `Player::Left`, and O is
        ///   `Player::Right`.
        ///
        /// # Errors
        /// If the arguments do not describe a position. The error names the argument.
        ///
        /// # Complexity
        /// O(n + m) for n positions and m moves.
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::tree(
        ///     [("a", vec!["b", "c"]), ("b", vec!["d"])],
        ///     "a",
        ///     [("c", "tie"), ("d", "X")],
        ///     Player::Left,
        /// )?;
        /// assert_eq!(position.solve()?.verdict().to_string(), "win");
        /// # Ok::<(), Error>(())
        /// ```
        fn tree(moves: moves, start: text, ends: ends, to_move: mark) -> fallible,
            "tree(moves, start, ends, to_move=\"X\")",
            "tree({\"a\": [\"b\", \"c\"], \"b\": [\"d\"]}, \"a\", {\"c\": \"tie\", \"d\": \"X\"})",
            trees::tree::construct;

        /// Returns a position of the Calendar Game: go to the next day or to the same day of the
        /// next month, and reach November 4, 2001.
        ///
        /// The game starts on a given date. On your turn, go to the next day, or to the same day of
        /// the next month if that date exists. You may not go beyond November 4, 2001. The player
        /// who reaches that date wins.
        ///
        /// **The rule of the Calendar Game.** The position is N if and only if month + day is even,
        /// or the date is September 30 or November 30. Source: ACM ICPC Asia Regional, Taejon 2001,
        /// Calendar Game. The rule was checked on every date.
        ///
        /// # Arguments
        ///
        /// - `year`: the year of a date from 1900-01-01 to 2001-11-04.
        /// - `month`: the month of the date, from 1 to 12.
        /// - `day`: the day of the month.
        ///
        /// # Errors
        /// If the arguments do not describe a position. The error names the argument.
        ///
        /// # Complexity
        /// A theorem gives the value in O(1).
        ///
        /// # Examples
        /// ```
        /// use grundy::prelude::*;
        /// let position = games::calendar(2001, 11, 1)?;
        /// assert_eq!(position.solve()?.grundy(), Some(1));
        /// # Ok::<(), Error>(())
        /// ```
        fn calendar(year: number, month: number, day: number) -> fallible,
            "calendar(year, month, day)", "calendar(2001, 11, 1)", heaps::calendar::construct;
        }
    };
}
