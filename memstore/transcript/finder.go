package transcript

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"path"
	"slices"
)

// needle is a text that is looked for.
type needle struct {
	text []byte
	// pair: it is looked for by two of its bytes at once. In prose, which has every letter every few words, that is faster than the standard
	// library, which looks for one.
	pair bool
	next int // where the text was found next, the length of the block where it is not in it; -1: unknown
	// good reports whether the text is at a place, and meant; nil: it is wherever it stands.
	good func(block []byte, at int) bool
}

func newNeedle(text string, good func([]byte, int) bool) *needle {
	return &needle{text: []byte(text), next: -1, good: good}
}

// find is the offset of the text at or after from; len(block) where it is not.
func (n *needle) find(block []byte, from int) int {
	last := len(n.text) - 1
	for at := from; at < len(block); at++ {
		if n.pair {
			at = pairAt(block, at, last, n.text[0], n.text[last])
		} else if found := bytes.Index(block[at:], n.text); found >= 0 {
			at += found
		} else {
			return len(block)
		}
		if at < len(block) && (n.good == nil || n.good(block, at)) {
			return at
		}
	}
	return len(block)
}

// Words of eight bytes with the lowest and with the highest bit of each set.
const (
	lowBit  = 0x0101010101010101
	highBit = 0x8080808080808080
)

// pairAt is the first offset from i on at which a stands with b behind it at a distance; len(block) where there is none. It compares 32
// places in one step: a byte of z is zero where both are.
func pairAt(block []byte, i, distance int, a, b byte) int {
	x, y := uint64(a)*lowBit, uint64(b)*lowBit
	for ; i+distance+32 <= len(block); i += 32 {
		s, t := block[i:i+32:i+32], block[i+distance:i+distance+32:i+distance+32]
		z0 := (binary.LittleEndian.Uint64(s[0:8]) ^ x) | (binary.LittleEndian.Uint64(t[0:8]) ^ y)
		z1 := (binary.LittleEndian.Uint64(s[8:16]) ^ x) | (binary.LittleEndian.Uint64(t[8:16]) ^ y)
		z2 := (binary.LittleEndian.Uint64(s[16:24]) ^ x) | (binary.LittleEndian.Uint64(t[16:24]) ^ y)
		z3 := (binary.LittleEndian.Uint64(s[24:32]) ^ x) | (binary.LittleEndian.Uint64(t[24:32]) ^ y)
		if ((z0-lowBit)&^z0|(z1-lowBit)&^z1|(z2-lowBit)&^z2|(z3-lowBit)&^z3)&highBit == 0 {
			continue
		}
		for n, z := range [4]uint64{z0, z1, z2, z3} {
			if zero := (z - lowBit) &^ z & highBit; zero != 0 {
				return i + 8*n + bits.TrailingZeros64(zero)/8 // the lowest is right, whatever the bits above say
			}
		}
	}
	for ; i+distance < len(block); i++ {
		if block[i] == a && block[i+distance] == b {
			return i
		}
	}
	return len(block)
}

// finder finds the lines that are worth reading: those that name a memory, and those that hold the result of a call.
type finder struct {
	fixed   []*needle
	ids     []*needle // of calls that wait for their result
	version int       // of the calls that wait, when ids were made
	block   []byte
}

func newFinder(folders []string, head []byte) *finder {
	memory := newNeedle("memor", namesMemory)
	memory.pair = true
	f := &finder{fixed: []*needle{memory}}
	if len(folders) == 0 {
		f.fixed = append(f.fixed, newNeedle(".md", namesInstructions))
	}
	for _, folder := range folders {
		f.add(path.Base(folder))
	}
	for _, event := range []string{`"message_start"`, `"content_block_start"`} { // of streamed answers
		if bytes.Contains(head, []byte(event)) {
			f.add(event)
		}
	}
	return f
}

// add looks for another text.
func (f *finder) add(text string) {
	same := func(n *needle) bool { return string(n.text) == text }
	if !slices.ContainsFunc(f.fixed, same) {
		f.fixed = append(f.fixed, newNeedle(text, nil))
	}
}

// begin turns to another block.
func (f *finder) begin(block []byte) {
	f.block = block
	for _, n := range slices.Concat(f.fixed, f.ids) {
		n.next = -1
	}
}

// next is the first place from an offset on that is worth a look; the length of the block where there is none.
func (f *finder) next(from int, b *book) int {
	if f.version != b.version {
		f.version, f.ids = b.version, nil
		for _, id := range b.waiting {
			if id != "" {
				f.ids = append(f.ids, newNeedle(id, nil))
			}
		}
	}
	first := len(f.block)
	for _, list := range [][]*needle{f.fixed, f.ids} {
		for _, n := range list {
			if n.next < from {
				n.next = n.find(f.block, from)
			}
			first = min(first, n.next)
		}
	}
	return first
}

// namesMemory distinguishes the word in the name of a tool and in the path of a memory folder from the one in prose, of which
// conversations are full: a tool's name is "memory" or ends in "_memory" or "-memory", a part of a message is "tool-memory", a folder is
// called memory or agent-memory. Quotes and slashes may be escaped, more than once where JSON is inside a string.
func namesMemory(block []byte, at int) bool {
	end := at + len("memory")
	if at == 0 || end >= len(block) {
		return true
	}
	before := block[at-1]
	switch {
	case bytes.HasPrefix(block[at:], []byte("memories")):
		return before == '/' || before == '\\'
	case !bytes.HasPrefix(block[at:], []byte("memory")):
		return false
	case before == '/', before == '\\', bytes.HasPrefix(block[end:], []byte("-bank")):
		return true
	case before == '"':
		return block[end] != ' ' && block[end] != '_' // prose begins so
	case before == '_', before == '-', before == '0':
		return block[end] == '"' || block[end] == '\\' || bytes.HasSuffix(block[:at], []byte("agent-"))
	}
	return false
}

// namesInstructions distinguishes the name of an instruction file at the end of a path or of a word in a command from other Markdown.
func namesInstructions(block []byte, at int) bool {
	end := at + len(".md")
	if end >= len(block) || bytes.IndexByte([]byte(`"\' ;|&)`), block[end]) < 0 {
		return false
	}
	from := at
	for from > 0 && at-from < len("AGENTS.override") && bytes.IndexByte([]byte(`/\"' >`), block[from-1]) < 0 {
		from--
	}
	return instructionFiles[string(block[from:end])]
}
