package scrub

import "slices"

// trie is an Aho-Corasick automaton over bytes with ASCII letters folded. It is a plain
// table: one load a byte. Accepting states have the highest numbers, so that the loop
// compares once.
type trie struct {
	class  [256]uint8 // column of a byte
	shift  uint       // a row has 1<<shift columns
	next   []uint16
	accept uint16     // the first accepting state
	out    [][]uint16 // words that end in accepting state accept+i, longest first
}

// hit is a word of the trie and where it ends.
type hit struct {
	end  int32
	word uint16
	part bool // it stands inside a longer word; set by the scan
}

// maxStates is what a row number can hold.
const maxStates = 1<<16 - 1

// trieNode is a state while the trie is built.
type trieNode struct {
	kids  map[byte]int
	fail  int
	words []uint16
}

// newTrie builds the automaton. Words that are empty or no longer fit are left out and
// returned by index.
func newTrie(words []string) (t *trie, left []int) {
	nodes := []trieNode{{}}
	for i, w := range words {
		if w == "" || len(nodes)+len(w) > maxStates || i > maxStates {
			left = append(left, i)
			continue
		}
		at := 0
		for _, b := range []byte(w) {
			b = lowerTable[b]
			kid, ok := nodes[at].kids[b]
			if !ok {
				kid = len(nodes)
				nodes = append(nodes, trieNode{})
				if nodes[at].kids == nil {
					nodes[at].kids = map[byte]int{}
				}
				nodes[at].kids[b] = kid
			}
			at = kid
		}
		nodes[at].words = append(nodes[at].words, uint16(i))
	}
	return layTrie(nodes), left
}

// layTrie sets the fail links breadth first and writes the table.
func layTrie(nodes []trieNode) *trie {
	t := &trie{}
	columns := t.columns(nodes)
	t.shift = 1
	for 1<<t.shift < columns {
		t.shift++
	}
	order := []int{0}
	rows := make([]uint16, len(nodes)<<t.shift)
	for q := 0; q < len(order); q++ {
		n := order[q]
		if fail := nodes[n].fail; n != 0 {
			copy(rows[n<<t.shift:(n+1)<<t.shift], rows[fail<<t.shift:(fail+1)<<t.shift])
			nodes[n].words = append(nodes[n].words, nodes[fail].words...)
		}
		for b, kid := range nodes[n].kids {
			if n != 0 {
				nodes[kid].fail = int(rows[nodes[n].fail<<t.shift|int(t.class[b])])
			}
			rows[n<<t.shift|int(t.class[b])] = uint16(kid)
			order = append(order, kid)
		}
	}
	t.number(nodes, rows)
	return t
}

// columns gives each byte that occurs in a word its own column; the rest share column 0.
func (t *trie) columns(nodes []trieNode) int {
	var used [256]bool
	for _, n := range nodes {
		for b := range n.kids {
			used[b] = true
		}
	}
	columns := 1
	for b := range used {
		if used[b] && columns < 256 {
			t.class[b] = uint8(columns)
			columns++
		}
	}
	for b := byte('A'); b <= 'Z'; b++ {
		t.class[b] = t.class[lowerTable[b]]
	}
	return columns
}

// number renames the states so that the accepting ones come last.
func (t *trie) number(nodes []trieNode, rows []uint16) {
	name := make([]uint16, len(nodes))
	var plain uint16
	for i := range nodes {
		if len(nodes[i].words) == 0 {
			name[i] = plain
			plain++
		}
	}
	t.accept = plain
	for i := range nodes {
		if len(nodes[i].words) > 0 {
			name[i] = plain
			plain++
			t.out = append(t.out, nodes[i].words)
		}
	}
	t.next = make([]uint16, len(rows))
	for i := range nodes {
		from, to := i<<t.shift, int(name[i])<<t.shift
		for c := range 1 << t.shift {
			t.next[to+c] = name[rows[from+c]]
		}
	}
}

// walk appends the hits in text to hits, by end; at one end the longest word first.
func (t *trie) walk(text []byte, hits []hit) []hit {
	state, shift, accept := 0, t.shift&15, int(t.accept)
	next := t.next
	for i, b := range text {
		state = int(next[state<<shift|int(t.class[b])])
		if state >= accept {
			for _, w := range t.out[state-accept] {
				hits = append(hits, hit{end: int32(i + 1), word: w})
			}
		}
	}
	return slices.Clip(hits)
}
