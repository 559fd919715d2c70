package transcript

import (
	"bytes"
	"path"
	"slices"
)

// needle is a text that is looked for.
type needle struct {
	text []byte
	// good reports whether the text that is found at a place is meant; nil: it is wherever it stands.
	good func(block []byte, at int) bool
}

// find is the offset of the text at or after from; len(block) where it is not.
func (n needle) find(block []byte, from int) int {
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

// finder finds the lines of a file that name a memory. It is safe for concurrent use.
type finder struct {
	needles []needle
}

func newFinder(folders []string, head []byte) finder {
	f := finder{needles: []needle{{[]byte("memor"), namesMemory}}}
	if len(folders) == 0 {
		f.needles = append(f.needles, needle{[]byte(".md"), namesInstructions})
	}
	var names []string
	for _, folder := range folders {
		names = append(names, path.Base(folder))
	}
	if bytes.Contains(head, []byte(`_start"`)) { // of streamed answers
		names = append(names, `"message_start"`, `"content_block_start"`)
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		f.needles = append(f.needles, needle{text: []byte(name)})
	}
	return f
}

// find is where the lines of a block name a memory: offsets in order, at least one of each such line.
func (f finder) find(block []byte) []int {
	var places []int
	for _, n := range f.needles {
		for at := n.find(block, 0); at < len(block); at = n.find(block, at) {
			places = append(places, at)
			if at = lineEnd(block, at); at == len(block) {
				break
			}
		}
	}
	slices.Sort(places)
	return places
}

// lineEnd is the offset of the end of the line at an offset.
func lineEnd(block []byte, at int) int {
	if end := bytes.IndexByte(block[at:], '\n'); end >= 0 {
		return at + end
	}
	return len(block)
}

// lines goes from one line of a block that is worth reading to the next: those that name a memory, those that hold the result of a call,
// and those of a type that told something of all after it.
type lines struct {
	block   []byte
	places  []int          // where a memory is named, as far as it was not passed
	told    []string       // texts of the types
	texts   []string       // what else is looked for: told, and the ids of calls that wait for their results
	next    map[string]int // where a text is next; not in it: unknown
	version int            // of the calls that wait, when texts was made
}

// tells notes what is in all lines of a type.
func (l *lines) tells(text string) {
	if !slices.Contains(l.told, text) {
		l.told, l.version = append(l.told, text), -1
	}
}

// begin turns to another block.
func (l *lines) begin(block []byte, places []int) {
	l.block, l.places, l.next = block, places, map[string]int{}
}

// find is the first place from an offset on that is worth a look; the length of the block where there is none.
func (l *lines) find(from int, b *book) int {
	if l.version != b.version {
		l.version, l.texts = b.version, slices.DeleteFunc(slices.Concat(l.told, b.waiting), func(t string) bool { return t == "" })
	}
	for len(l.places) > 0 && l.places[0] < from {
		l.places = l.places[1:]
	}
	first := len(l.block)
	if len(l.places) > 0 {
		first = l.places[0]
	}
	for _, text := range l.texts {
		if next, known := l.next[text]; !known || next < from {
			l.next[text] = needle{text: []byte(text)}.find(l.block, from)
		}
		first = min(first, l.next[text])
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
