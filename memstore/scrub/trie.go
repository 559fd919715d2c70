package scrub

import (
	"memcurator/memstore/scrub/ascii"
)

// wordTrie is an Aho-Corasick automaton over bytes with ASCII letters folded. It is a plain
// table: one load a byte, and one beside it that says whether a word ends.
type wordTrie struct {
	class [256]uint8 // column of a byte
	width int        // columns of a row
	next  []uint16   // rows of states
	ends  []uint16   // by state: 1 + the place in out, 0 where no word ends
	out   [][]uint16 // words that end in a state, longest first
}

// wordHit is a word of the trie and where it ends.
type wordHit struct {
	End  int32
	Word uint16
	Part bool // it is inside a longer word; set by the scan
}

// maxStates is what a row number can hold.
const maxStates = 1<<16 - 1

// trieNode is a state while the trie is built. Children are a list through next.
type trieNode struct {
	b           byte
	child, next int32 // 0 for none: the root is not a child
	fail        int32
	words       []uint16
}

// newWordTrie builds the automaton. Words that are empty or no longer fit are dropped and
// returned by index.
func newWordTrie(words []string) (t *wordTrie, left []int) {
	nodes := make([]trieNode, 1, 16<<10)
	var roots [256]int32 // the children of the root by byte: they are many
	for i, w := range words {
		if w == "" || len(nodes)+len(w) > maxStates || i > maxStates {
			left = append(left, i)
			continue
		}
		at := int32(0)
		for j := range len(w) {
			b := ascii.Lower[w[j]]
			kid := roots[b]
			if at != 0 {
				kid = kidOf(nodes, at, b)
			}
			if kid == 0 {
				kid = int32(len(nodes))
				nodes = append(nodes, trieNode{b: b, next: nodes[at].child})
				nodes[at].child = kid
				if at == 0 {
					roots[b] = kid
				}
			}
			at = kid
		}
		nodes[at].words = append(nodes[at].words, uint16(i))
	}
	return layTrie(nodes), left
}

// kidOf is the child of a state by byte, 0 for none.
func kidOf(nodes []trieNode, at int32, b byte) int32 {
	kid := nodes[at].child
	for kid != 0 && nodes[kid].b != b {
		kid = nodes[kid].next
	}
	return kid
}

// layTrie fills the table in the order of depth. The row of a state is that of the state to
// fall back to, which is complete by then, with its own children instead; what that row
// says of the byte of a child is where the child falls back to.
func layTrie(nodes []trieNode) *wordTrie {
	t := &wordTrie{ends: make([]uint16, len(nodes))}
	t.width = t.columns(nodes)
	t.next = make([]uint16, len(nodes)*t.width)
	order := make([]int32, 1, len(nodes))
	for q := 0; q < len(order); q++ {
		n := order[q]
		row := t.next[int(n)*t.width:][:t.width]
		if n != 0 {
			copy(row, t.next[int(nodes[n].fail)*t.width:][:t.width])
		}
		for kid := nodes[n].child; kid != 0; kid = nodes[kid].next {
			order = append(order, kid)
			class := t.class[nodes[kid].b]
			nodes[kid].fail = int32(row[class])
			row[class] = uint16(kid)
			switch behind := nodes[nodes[kid].fail].words; {
			case len(nodes[kid].words) == 0 && len(behind) == 0:
				continue
			case len(nodes[kid].words) == 0:
				nodes[kid].words, t.ends[kid] = behind, t.ends[nodes[kid].fail]
				continue
			case len(behind) > 0:
				nodes[kid].words = append(nodes[kid].words, behind...)
			}
			t.out = append(t.out, nodes[kid].words)
			t.ends[kid] = uint16(len(t.out))
		}
	}
	return t
}

// columns assigns each byte that occurs in a word its own column; the rest share column 0.
func (t *wordTrie) columns(nodes []trieNode) int {
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
		t.class[b] = t.class[ascii.Lower[b]]
	}
	return columns
}

// Walk appends the hits in text to hits, by end; at one end the longest word first.
func (t *wordTrie) Walk(text []byte, hits []wordHit) []wordHit {
	state, width := 0, t.width
	next, ends := t.next, t.ends
	for i, b := range text {
		state = int(next[state*width+int(t.class[b])])
		if n := ends[state]; n != 0 {
			for _, w := range t.out[n-1] {
				hits = append(hits, wordHit{End: int32(i + 1), Word: w})
			}
		}
	}
	return hits
}
