FIRST_ROW, FIRST_COLUMN = @ROW@, @COLUMN@
@LIST@ = [
@CELLS@
]

for line in sys.stdin:
    if line.split():
        row, column = map(int, line.split())
        row, column = row - FIRST_ROW, column - FIRST_COLUMN
        if not (0 <= row < len(@LIST@) and 0 <= column < len(@LIST@[row])):
            sys.exit(f"the position {line.strip()} is not in the table")
        @WHAT@ = @LIST@[row][column]
        if @WHAT@ is None:
            sys.exit(f"there is no position {line.strip()}")
        print(@PRINT@)
