package transcript

import (
	"bytes"
	"path"
	"slices"
)

// needle is a text that is looked for.
type needle struct {
	text []byte
	next int // where the text was found next, the length of the block where it is not in it; -1: unknown
	// good reports whether the text is at a place, and meant; nil: it is wherever it stands.
	good func(block []byte, at int) bool
}

func newNeedle(text string, good func([]byte, int) bool) *needle {
	return &needle{text: []byte(text), next: -1, good: good}
}

// find is the offset of the text at or after from; len(block) where it is not.
func (n *needle) find(block []byte, from int) int {
	for at := from; at < len(block); at++ {
		found := bytes.Index(block[at:], n.text)
		if found < 0 {
			break
		}
		if at += found; n.good == nil || n.good(block, at) {
			return at
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
	f := &finder{fixed: []*needle{newNeedle("memor", namesMemory)}}
	if len(folders) == 0 {
		f.fixed = append(f.fixed, newNeedle(".md", namesInstructions))
	}
	for _, folder := range folders {
		f.add(path.Base(folder))
	}
	if bytes.Contains(head, []byte(`_start"`)) { // of streamed answers
		f.add(`"message_start"`)
		f.add(`"content_block_start"`)
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
	case before == ' ' && block[end] != '-': // in prose
		return false
	case bytes.HasPrefix(block[at:], []byte("memories")):
		return before == '/' || before == '\\'
	case !bytes.HasPrefix(block[at:], []byte("memory")):
		return false
	case before == '/', before == '\\', bytes.HasPrefix(block[end:], []byte("-bank")):
		return true
	case before == '"':
		// The name of a tool is the value of a key. Prose quotes the word too, or begins with it.
		return block[end] != ' ' && block[end] != '_' && bytes.HasSuffix(bytes.TrimRight(block[:at-1], "\\ "), []byte{':'})
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
