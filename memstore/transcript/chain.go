package transcript

import (
	"bytes"
	"hash/maphash"
)

// chain follows the lines of a session of Claude Code, each of which names the one before it. Where the user went back and asked again, a
// prompt names an earlier line: what is between them is a branch that was left.
type chain struct {
	follows bool
	lines   map[uint64]int // numbers of lines by the hash of their uuid
	last    int            // number of the last line
	left    [][2]int       // the lines of the branches, without their ends
}

var seed = maphash.MakeSeed()

func newChain(head []byte) chain {
	return chain{follows: bytes.Contains(head, []byte(`"parentUuid"`)), lines: map[uint64]int{}}
}

// scan takes lines; first is the number of the first.
func (c *chain) scan(block []byte, first int) {
	if !c.follows {
		return
	}
	number := first - 1
	for line := range bytes.Lines(block) {
		number++
		begin, end := line[:min(len(line), 1<<10)], line[max(0, len(line)-256):]
		id, parent := field(end, `"uuid":`), field(begin, `"parentUuid":`)
		if id == nil { // it is mostly near the end
			id = field(line, `"uuid":`)
		}
		if id == nil || bytes.HasPrefix(valueAt(begin, `"isSidechain":`), []byte("true")) {
			continue
		}
		from := c.lines[maphash.Bytes(seed, parent)]
		if parent != nil && from > 0 && from < c.last && isPrompt(line) {
			c.left = append(c.left, [2]int{from, number})
		}
		c.last = number
		c.lines[maphash.Bytes(seed, id)] = number
	}
}

// valueAt is what follows a key in the text of an object.
func valueAt(line []byte, key string) []byte {
	at := bytes.Index(line, []byte(key))
	if at < 0 {
		return nil
	}
	return bytes.TrimLeft(line[at+len(key):], " ")
}

// field is the string at a key.
func field(line []byte, key string) []byte {
	v := valueAt(line, key)
	if len(v) == 0 || v[0] != '"' {
		return nil
	}
	return v[:stringEnd(v, 0)]
}

// isPrompt reports a line with what the user asked.
func isPrompt(line []byte) bool {
	o := value(line).object()
	if o.text("type") != "user" || string(o.get("isMeta")) == "true" || o.get("toolUseResult") != nil {
		return false
	}
	return o.at("message.content.tool_use_id") == nil
}

// name marks the calls of a file that are on branches.
func (c *chain) name(calls []*Call, file string) {
	for _, call := range calls {
		for _, lines := range c.left {
			at := call.Source
			call.Rewound = call.Rewound || at.File == file && call.Agent == "" && lines[0] < at.Line && at.Line < lines[1]
		}
	}
}
