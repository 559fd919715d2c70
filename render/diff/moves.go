package diff

// Limits of the search for moved lines. A block counts as moved if it has movedLetters letters and digits, the rule of git diff
// --color-moved, so that brackets and blank lines don't count. Above movedLines changed lines there is no search; it tries at most
// movedTries equal places for each line.
const (
	movedLetters = 20
	movedLines   = 100_000
	movedTries   = 32
)

// findMoves finds the lines that were removed in one place and added, unchanged, in another: for each line of a its line in b, and the
// reverse.
func findMoves(r *Result, a, b Text) (to, from map[int]int) {
	to, from = map[int]int{}, map[int]int{}
	if r.Added == 0 || r.Removed == 0 || r.Added+r.Removed > movedLines {
		return to, from
	}
	places := map[string][]int{} // of the removed lines
	ends := map[int]int{}        // of the block that each is in
	for _, op := range r.Ops {
		for i := op.AStart; op.Kind == Delete && i < op.AEnd; i++ {
			s := string(a.Line(i))
			if letters(s) > 0 && len(places[s]) < movedTries {
				places[s] = append(places[s], i)
			}
			ends[i] = op.AEnd
		}
	}
	for _, op := range r.Ops {
		for j := op.BStart; op.Kind == Insert && j < op.BEnd; {
			place, most, weight := 0, 1, 0
			for _, i := range places[string(b.Line(j))] {
				n, w := 0, 0
				for ; i+n < ends[i] && j+n < op.BEnd; n++ {
					s := string(a.Line(i + n))
					if _, taken := to[i+n]; taken || s != string(b.Line(j+n)) {
						break
					}
					w += letters(s)
				}
				if n > most || weight == 0 {
					place, most, weight = i, max(n, 1), w
				}
			}
			for n := 0; weight >= movedLetters && n < most; n++ {
				to[place+n], from[j+n] = j+n, place+n
			}
			j += most
		}
	}
	return to, from
}

// letters counts letters and digits, bytes of other scripts included, up to the number that matters.
func letters(line string) int {
	n := 0
	for i := 0; i < len(line) && n < movedLetters; i++ {
		c := line[i]
		if c >= 0x80 || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' {
			n++
		}
	}
	return n
}
