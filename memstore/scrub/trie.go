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

// trieNode is a state while the trie is built. Children are a list through next.
type trieNode struct {
	b           byte
	child, next int32 // 0 where there is none: the root is nobody's child
	fail        int32
	words       []uint16
}

// newTrie builds the automaton. Words that are empty or no longer fit are left out and
// returned by index.
func newTrie(words []string) (t *trie, left []int) {
	nodes := make([]trieNode, 1, 1024)
	for i, w := range words {
		if w == "" || len(nodes)+len(w) > maxStates || i > maxStates {
			left = append(left, i)
			continue
		}
		at := int32(0)
		for _, b := range []byte(w) {
			b = lowerTable[b]
			kid := kidOf(nodes, at, b)
			if kid == 0 {
				kid = int32(len(nodes))
				nodes = append(nodes, trieNode{b: b, next: nodes[at].child})
				nodes[at].child = kid
			}
			at = kid
		}
		nodes[at].words = append(nodes[at].words, uint16(i))
	}
	return layTrie(nodes), left
}

// kidOf is the child of a state by byte, 0 where there is none.
func kidOf(nodes []trieNode, at int32, b byte) int32 {
	kid := nodes[at].child
	for kid != 0 && nodes[kid].b != b {
		kid = nodes[kid].next
	}
	return kid
}

// layTrie sets the fail links breadth first, numbers the states and fills the table.
func layTrie(nodes []trieNode) *trie {
	t := &trie{}
	order := make([]int32, 1, len(nodes))
	for q := 0; q < len(order); q++ {
		n := order[q]
		for kid := nodes[n].child; kid != 0; kid = nodes[kid].next {
			order = append(order, kid)
			if n == 0 {
				continue
			}
			fail := nodes[n].fail
			for fail != 0 && kidOf(nodes, fail, nodes[kid].b) == 0 {
				fail = nodes[fail].fail
			}
			nodes[kid].fail = kidOf(nodes, fail, nodes[kid].b)
			nodes[kid].words = append(nodes[kid].words, nodes[nodes[kid].fail].words...)
		}
	}
	columns := t.columns(nodes)
	t.shift = 1
	for 1<<t.shift < columns {
		t.shift++
	}
	name := t.number(nodes)
	t.next = make([]uint16, len(nodes)<<t.shift)
	for _, n := range order {
		row := t.next[int(name[n])<<t.shift:][:1<<t.shift]
		if n != 0 {
			copy(row, t.next[int(name[nodes[n].fail])<<t.shift:][:1<<t.shift])
		}
		for kid := nodes[n].child; kid != 0; kid = nodes[kid].next {
			row[t.class[nodes[kid].b]] = name[kid]
		}
	}
	return t
}

// columns gives each byte that occurs in a word its own column; the rest share column 0.
func (t *trie) columns(nodes []trieNode) int {
	var used [256]bool
	for _, n := range nodes[1:] {
		used[n.b] = true
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

// number names the states so that the accepting ones come last.
func (t *trie) number(nodes []trieNode) []uint16 {
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
	return name
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
