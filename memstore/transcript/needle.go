package transcript

import (
	"bytes"
	"path"
	"slices"
)

// needle is a text that is looked for by the byte in it which is rarest in what is searched: the
// standard library's search for one byte runs several times as fast as that for a text.
type needle struct {
	text []byte
	rare int // offset of the byte that is looked for
	next int // where the text was found next, the length of the block where it is not in it; -1: not known
	met  bool
	// good tells whether a place is meant; nil: every one.
	good func(block []byte, at int) bool
}

// frequencies is how often each byte is in a sample.
type frequencies [256]uint16

// sampleStep is the distance of the samples in a block, sampleLength the bytes of each.
const (
	sampleStep   = 128 << 10
	sampleLength = 256
)

func sample(block []byte) *frequencies {
	var f frequencies
	for at := 0; at < len(block); at += sampleStep {
		for _, c := range block[at:min(len(block), at+sampleLength)] {
			f[c]++
		}
	}
	return &f
}

// tune chooses the byte to look for.
func (n *needle) tune(f *frequencies) {
	n.rare, n.next = 0, -1
	for i, c := range n.text {
		if f[c] < f[n.text[n.rare]] {
			n.rare = i
		}
	}
}

// denseGap is the mean distance of a byte, below which it is not worth looking for by itself.
const denseGap = 12

// find is the offset of the text at or after from; len(block) where it is not.
func (n *needle) find(block []byte, from int) int {
	c, tries := n.text[n.rare], 0
	for at := from + n.rare; at < len(block); {
		i := bytes.IndexByte(block[at:], c)
		if i < 0 {
			return len(block)
		}
		start := at + i - n.rare
		if end := start + len(n.text); end <= len(block) && bytes.Equal(block[start:end], n.text) && (n.good == nil || n.good(block, start)) {
			return start
		}
		at += i + 1
		if tries++; tries >= 64 && (at-from)/tries < denseGap {
			return n.dense(block, at-n.rare)
		}
	}
	return len(block)
}

// dense is find where the byte stands everywhere.
func (n *needle) dense(block []byte, from int) int {
	for from < len(block) {
		i := bytes.Index(block[from:], n.text)
		if i < 0 {
			return len(block)
		}
		if n.good == nil || n.good(block, from+i) {
			return from + i
		}
		from += i + 1
	}
	return len(block)
}

// longLook is how many bytes of a file are searched for what few files hold; what was not in them is
// not looked for in the rest. A writer that escapes letters, or a client that compacts conversations,
// does so from the beginning.
const longLook = 64 << 20

// needles are all that may make a line worth looking into.
type needles struct {
	fixed   []*needle // the first is in most files, the others in few
	looked  int       // bytes searched for all of them
	ids     []*needle // of calls that wait for their result
	version int       // of the calls that wait, when ids were made
	rates   *frequencies
	block   []byte
}

func newNeedles(folders []string) *needles {
	n := &needles{version: -1, rates: &frequencies{}}
	for _, text := range fixedWords {
		n.fixed = append(n.fixed, &needle{text: []byte(text)})
	}
	n.fixed = append(n.fixed, &needle{text: []byte(`\u00`), good: escapesLetter})
	for _, f := range folders {
		n.fixed = append(n.fixed, &needle{text: []byte(path.Base(f)), met: true})
	}
	return n
}

// fixedWords are what every line holds that has a call or a boundary in it, but for other spellings.
var fixedWords = []string{"memory", "compact_boundary", `"compaction"`, "context_compacted", "cleared_tool_uses"}

// escapesLetter tells whether an escape is one of a lowercase letter (\u0061 to \u007a), behind
// which any word may hide.
func escapesLetter(block []byte, at int) bool {
	return at+4 < len(block) && (block[at+4] == '6' || block[at+4] == '7')
}

// begin turns to another block.
func (n *needles) begin(block []byte) {
	n.block, n.rates = block, sample(block)
	if n.looked += len(block); n.looked > longLook {
		always := n.fixed[0]
		n.fixed = slices.DeleteFunc(n.fixed, func(f *needle) bool { return !f.met && f != always })
	}
	for _, f := range n.fixed {
		f.tune(n.rates)
	}
	for _, f := range n.ids {
		f.tune(n.rates)
	}
}

// mostIDs is how many calls without a result are looked for one by one.
const mostIDs = 4

// await looks for the results of the calls that wait now.
func (n *needles) await(b *book) {
	if n.version == b.version {
		return
	}
	n.version, n.ids = b.version, n.ids[:0]
	if len(b.waiting) <= mostIDs {
		for id := range b.waiting {
			if id != "" {
				n.ids = append(n.ids, &needle{text: []byte(id)})
			}
		}
	} else {
		awaited := func(block []byte, at int) bool { return b.waiting[idAfter(block, at)] > 0 }
		n.ids = append(n.ids, &needle{text: []byte(`_id"`), good: awaited}, &needle{text: []byte(`Id"`), good: awaited})
	}
	for _, f := range n.ids {
		f.tune(n.rates)
	}
}

// idAfter is the string that stands behind a key which ends at or after an offset.
func idAfter(block []byte, at int) string {
	const longest = 256
	i := bytes.IndexByte(block[at:], '"')
	if i < 0 {
		return ""
	}
	at = blanks(block, at+i+1)
	if at >= len(block) || block[at] != ':' {
		return ""
	}
	if at = blanks(block, at+1); at >= len(block) || block[at] != '"' {
		return ""
	}
	end := bytes.IndexByte(block[at+1:min(len(block), at+longest)], '"')
	if end < 0 {
		return ""
	}
	return string(block[at+1 : at+1+end])
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
