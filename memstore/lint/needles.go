package lint

// needles finds many words in one pass over a text (Aho and Corasick, 1975), so that the
// expensive patterns are tried only where one of their words stands.
type needles struct {
	classes int
	class   [256]uint8 // of each byte; 0: in no word
	next    []uint16   // by state and class
	found   [][]int32  // by state: the words that end here
	lengths []int
}

// newNeedles makes an automaton of words; fewer than 65,536 bytes of them in all.
func newNeedles(words []string) *needles {
	n := &needles{classes: 1, lengths: make([]int, len(words))}
	for _, w := range words {
		for i := range len(w) {
			if n.class[w[i]] == 0 {
				n.class[w[i]] = uint8(n.classes)
				n.classes++
			}
		}
	}
	n.grow()
	for i, w := range words {
		n.lengths[i] = len(w)
		state := 0
		for j := range len(w) {
			at := state*n.classes + int(n.class[w[j]])
			if n.next[at] == 0 {
				n.next[at] = uint16(len(n.found))
				n.grow()
			}
			state = int(n.next[at])
		}
		n.found[state] = append(n.found[state], int32(i))
	}
	n.link()
	return n
}

func (n *needles) grow() {
	n.next = append(n.next, make([]uint16, n.classes)...)
	n.found = append(n.found, nil)
}

// link fills in where to continue when a word breaks off, breadth first.
func (n *needles) link() {
	fails := make([]int, len(n.found))
	var queue []int
	for _, to := range n.next[:n.classes] {
		if to != 0 {
			queue = append(queue, int(to))
		}
	}
	for len(queue) > 0 {
		state := queue[0]
		queue = queue[1:]
		n.found[state] = append(n.found[state], n.found[fails[state]]...)
		for c := range n.classes {
			at := state*n.classes + c
			back := n.next[fails[state]*n.classes+c]
			if n.next[at] == 0 {
				n.next[at] = back
				continue
			}
			fails[n.next[at]] = int(back)
			queue = append(queue, int(n.next[at]))
		}
	}
}

// each calls visit for every word in the text, with the offset at which it begins, until visit returns false.
func (n *needles) each(text []byte, visit func(word, at int) bool) {
	state := 0
	for i, c := range text {
		state = int(n.next[state*n.classes+int(n.class[c])])
		for _, w := range n.found[state] {
			if !visit(int(w), i+1-n.lengths[w]) {
				return
			}
		}
	}
}
