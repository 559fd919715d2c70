package transcript

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"path"
	"slices"

	"memcurator/memstore/transcript/rawjson"
)

// needle is a text that is looked for by the two bytes in it which are rarest in what is searched, or by one
// where that is hardly ever there: the standard library's search for a byte is the fastest there is, but
// slow in a text that has the byte every few words, as prose has every letter.
type needle struct {
	text []byte
	a, b int  // offsets of the bytes that are looked for, a before b; equal where the text is one byte
	bare bool // a alone is looked for
	next int  // where the text was found next, the length of the block where it is not in it; -1: unknown
	met  bool
	// prose: the text is a word of prose, which good refuses behind a space, unless its last letter and a hyphen follow.
	prose bool
	// good reports whether a place is meant; nil: every one.
	good func(block []byte, at int) bool
}

// frequencies is how often each byte is in a sample.
type frequencies [256]uint16

// sampleStep is the distance of the samples in a block, sampleLength the bytes of each.
const (
	sampleStep   = 64 << 10
	sampleLength = 256
)

func sample(block []byte) *frequencies {
	var f frequencies
	for at := 0; at < len(block); at += sampleStep {
		for _, c := range block[at:min(len(block), at+sampleLength)] {
			if f[c]++; f[c] == 1<<15 {
				return &f // of a very long block
			}
		}
	}
	return &f
}

// tune chooses the bytes to look for.
func (n *needle) tune(f *frequencies) {
	n.next = -1
	rarest, second := 0, -1
	for i, c := range n.text {
		if f[c] < f[n.text[rarest]] {
			rarest = i
		}
	}
	for i, c := range n.text {
		if i != rarest && (second < 0 || f[c] < f[n.text[second]]) {
			second = i
		}
	}
	if n.bare = second < 0 || f[n.text[rarest]] == 0; n.bare {
		n.a, n.b = rarest, rarest
		return
	}
	n.a, n.b = min(rarest, second), max(rarest, second)
}

// denseGap is the mean distance in bytes below which a byte is not worth looking for by itself.
const denseGap = 256

// find is the offset of the text at or after from; len(block) where it is not.
func (n *needle) find(block []byte, from int) int {
	tries := 0
	for at := from + n.a; at < len(block); at++ {
		if n.bare && len(n.text) > 1 && tries >= 16 && (at-from)/tries < denseGap {
			n.bare, n.b = false, n.a+1
			if n.b == len(n.text) {
				n.a, n.b = n.a-1, n.a
				at--
			}
		}
		if n.bare {
			i := bytes.IndexByte(block[at:], n.text[n.a])
			if i < 0 {
				return len(block)
			}
			at += i
		} else if n.prose {
			at = n.wordAt(block, at)
		} else {
			at = pairAt(block, at, n.b-n.a, n.text[n.a], n.text[n.b])
		}
		if at == len(block) {
			return at
		}
		start := at - n.a
		if end := start + len(n.text); end <= len(block) && bytes.Equal(block[start:end], n.text) && (n.good == nil || n.good(block, start)) {
			return start
		}
		tries++
	}
	return len(block)
}

// Words of eight bytes with the lowest and with the highest bit of each set.
const (
	lowBit  = 0x0101010101010101
	highBit = 0x8080808080808080
)

// pairAt is the first offset from i on at which a stands with b behind it at a distance; len(block) where there
// is none. It compares 32 places in one step: a byte of z is zero where both are.
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

// wordAt is pairAt without the places where the text is a word of prose: those are passed over 32 at a time, too. It may
// return such a place.
func (n *needle) wordAt(block []byte, i int) int {
	const length = 32
	distance, a, b := n.b-n.a, n.text[n.a], n.text[n.b]
	behind := len(n.text) + 1 - n.a // where the hyphen would be
	x, y := uint64(a)*lowBit, uint64(b)*lowBit
	for i <= n.a && i < len(block) { // a space may be missing
		at := pairAt(block[:min(len(block), i+distance+1)], i, distance, a, b)
		if at == i {
			return i
		}
		i++
	}
	for ; i+behind+length <= len(block); i += length {
		s, t := block[i:i+length:i+length], block[i+distance:i+distance+length:i+distance+length]
		z0 := (binary.LittleEndian.Uint64(s[0:8]) ^ x) | (binary.LittleEndian.Uint64(t[0:8]) ^ y)
		z1 := (binary.LittleEndian.Uint64(s[8:16]) ^ x) | (binary.LittleEndian.Uint64(t[8:16]) ^ y)
		z2 := (binary.LittleEndian.Uint64(s[16:24]) ^ x) | (binary.LittleEndian.Uint64(t[16:24]) ^ y)
		z3 := (binary.LittleEndian.Uint64(s[24:32]) ^ x) | (binary.LittleEndian.Uint64(t[24:32]) ^ y)
		if ((z0-lowBit)&^z0|(z1-lowBit)&^z1|(z2-lowBit)&^z2|(z3-lowBit)&^z3)&highBit == 0 {
			continue
		}
		p, q := block[i-n.a-1:i-n.a-1+length], block[i+behind:i+behind+length]
		for k, z := range [4]uint64{z0, z1, z2, z3} {
			found := zeroes(z)
			if found == 0 {
				continue
			}
			space := binary.LittleEndian.Uint64(p[8*k:8*k+8]) ^ ' '*lowBit
			hyphen := binary.LittleEndian.Uint64(q[8*k:8*k+8]) ^ '-'*lowBit
			if found &^= zeroes(space) &^ zeroes(hyphen); found != 0 {
				return i + 8*k + bits.TrailingZeros64(found)/8
			}
		}
	}
	return pairAt(block, i, distance, a, b)
}

// zeroes has the highest bit of each byte that is zero.
func zeroes(z uint64) uint64 { return ^((z&^highBit + ^uint64(highBit)) | z) & highBit }

// longLook is how many bytes of a file are searched for what few files hold; what was not in them is
// not looked for in the rest. A writer that escapes letters, or a client that compacts conversations,
// does so from the beginning.
const longLook = 64 << 20

// needles are the texts that make a line worth parsing.
type needles struct {
	fixed   []*needle // the first is in most files, the others in few
	looked  int       // bytes searched for all of them
	ids     []*needle // of calls that wait for their result
	version int       // of the calls that wait, when ids were made
	rates   *frequencies
	block   []byte
}

func newNeedles(folders []string, instructed bool) *needles {
	n := &needles{version: -1, rates: &frequencies{}}
	n.fixed = append(n.fixed, &needle{text: []byte("memor"), good: namesMemory, prose: true})
	n.fixed = append(n.fixed, &needle{text: []byte("compact"), good: marksBoundary}, &needle{text: []byte("cleared_tool_uses")},
		&needle{text: []byte(`\u00`), good: escapesLetter}, &needle{text: []byte(`"base64"`), good: encodesBody})
	if instructed {
		for _, name := range []string{"CLAUDE.", "AGENTS.", "GEMINI.md"} {
			n.fixed = append(n.fixed, &needle{text: []byte(name), good: namesInstructions})
		}
	}
	for _, f := range folders {
		n.fixed = append(n.fixed, &needle{text: []byte(path.Base(f)), met: true})
	}
	return n
}

// marksBoundary distinguishes the word in compact_boundary, "compaction" and context_compacted from the one in prose.
func marksBoundary(block []byte, at int) bool {
	end := at + len("compact")
	return at > 0 && (block[at-1] == '"' || block[at-1] == '_') || end < len(block) && block[end] == '_'
}

// namesMemory distinguishes the word in the name of a tool and in the path of a memory folder from the one in
// prose, of which conversations are full: a tool's name is "memory" or ends in "_memory" or "-memory", a part of a message
// is "tool-memory", a folder is called memory or agent-memory, an element in XML holds the name. Quotes and slashes
// may be escaped, more than once where
// JSON is inside a string.
func namesMemory(block []byte, at int) bool {
	end := at + len("memory")
	switch {
	case bytes.HasPrefix(block[at:], []byte("memories")):
		return mountsMemory(block, at)
	case !bytes.HasPrefix(block[at:], []byte("memory")):
		return false
	case at == 0, bytes.HasPrefix(block[end:], []byte("-bank")):
		return true
	}
	next := byte('"')
	if end < len(block) {
		next = block[end]
	}
	switch block[at-1] {
	case '"', '/', '\\':
		return true
	case '_', '-', '0':
		return (next == '"' || next == '\\') && !bytes.HasSuffix(block[:at], []byte("in-")) || bytes.HasSuffix(block[:at], []byte("agent-"))
	case '>':
		return next == '<'
	}
	return at >= 6 && block[at-6] == '\\' && block[at-5] == 'u'
}

// namesInstructions distinguishes the name of an instruction file at the end of a path, of a line or of a word in a command from the
// one in most prose.
func namesInstructions(block []byte, at int) bool {
	end := at + bytes.Index(block[at:min(len(block), at+len("AGENTS.override.md"))], []byte(".md")) + len(".md")
	return at > 0 && end >= at+len(".md") && end < len(block) && bytes.IndexByte(endsName, block[end]) >= 0 &&
		bytes.IndexByte(beginsName, block[at-1]) >= 0
}

// beginsName and endsName are what stands around the name of a file in a path, a patch or a command that is in a JSON value.
var beginsName, endsName = []byte(`/\"' >`), []byte(`"\' ;|&)`)

// mountsMemory distinguishes the paths of folders that are called memories: at the root, and Codex's own.
func mountsMemory(block []byte, at int) bool {
	if at < 2 || block[at-1] != '/' && block[at-1] != '\\' {
		return false
	}
	before := bytes.TrimRight(block[max(0, at-3):at], `/\`)
	return bytes.HasSuffix(before, []byte{'"'}) || bytes.HasSuffix(bytes.TrimRight(block[max(0, at-10):at], `/\`), []byte(".codex"))
}

// encodesBody distinguishes the encoding of a body in an HTTP archive from that of a picture.
func encodesBody(block []byte, at int) bool {
	before := bytes.TrimRight(block[max(0, at-32):at], " \t")
	return bytes.HasSuffix(bytes.TrimRight(bytes.TrimSuffix(before, []byte(":")), " \t"), []byte(`"encoding"`))
}

// escapesLetter reports whether an escape is one of a lowercase letter (\u0061 to \u007a), behind
// which any word may hide.
func escapesLetter(block []byte, at int) bool {
	return at+4 < len(block) && (block[at+4] == '6' || block[at+4] == '7')
}

// begin turns to another block.
func (n *needles) begin(block []byte) {
	n.block, n.rates = block, sample(block)
	if n.looked > longLook {
		always := n.fixed[0]
		n.fixed = slices.DeleteFunc(n.fixed, func(f *needle) bool { return !f.met && f != always })
	}
	n.looked += len(block)
	for _, f := range n.fixed {
		f.tune(n.rates)
	}
	for _, f := range n.ids {
		f.tune(n.rates)
	}
}

// mostIDs is how many calls without a result are looked for one by one.
const mostIDs = 4

// shortestPrefix is how long what ids have in common must be to look for that.
const shortestPrefix = 4

// await looks for the results of the calls that wait now: for their ids, where there are many for
// what those begin with, or else for the keys at which ids stand.
func (n *needles) await(b *book) {
	if n.version == b.version {
		return
	}
	n.version, n.ids = b.version, n.ids[:0]
	switch {
	case len(b.waiting) <= mostIDs:
		for id := range b.waiting {
			if id != "" {
				n.ids = append(n.ids, &needle{text: []byte(id)})
			}
		}
	case len(b.prefix) >= shortestPrefix:
		awaited := func(block []byte, at int) bool { return b.waiting[string(idAt(block, at))] > 0 }
		n.ids = append(n.ids, &needle{text: []byte(b.prefix), good: awaited})
	default:
		for _, key := range []string{`id"`, `Id"`, `id\"`, `Id\"`} {
			awaited := func(block []byte, at int) bool { return b.waiting[string(idAfter(block, at+len(key)))] > 0 }
			n.ids = append(n.ids, &needle{text: []byte(key), good: awaited})
		}
	}
	for _, f := range n.ids {
		f.tune(n.rates)
	}
}

// idAt is the rest of the string from an offset on; nil where that is longer than an id.
func idAt(block []byte, at int) []byte {
	const longest = 256
	end := bytes.IndexAny(block[at:min(len(block), at+longest)], `"\`)
	if end < 0 {
		return nil
	}
	return block[at : at+end]
}

// idAfter is the string after a key that ends at an offset; both may be inside a string.
func idAfter(block []byte, at int) []byte {
	at = rawjson.SkipSpace(block, at)
	if at >= len(block) || block[at] != ':' {
		return nil
	}
	for at = rawjson.SkipSpace(block, at+1); at < len(block) && block[at] == '\\'; at++ {
	}
	if at >= len(block) || block[at] != '"' {
		return nil
	}
	return idAt(block, at+1)
}

// next is the first place from an offset on that is worth a look; the length of the block where
// there is none.
func (n *needles) next(from int) int {
	first := len(n.block)
	for _, list := range [][]*needle{n.fixed, n.ids} {
		for _, f := range list {
			if f.next < from {
				f.next = f.find(n.block, from)
				f.met = f.met || f.next < len(n.block)
			}
			first = min(first, f.next)
		}
	}
	return first
}
