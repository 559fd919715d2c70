package syntax

import (
	"bytes"

	"memcurator/render/flow"
)

// States of a line of XML or HTML.
const (
	inRemark uint8 = 1 + iota // between <!-- and -->
	inData                    // in a CDATA section
	inTag
)

func scanMarkup(line []byte, state uint8, give func(int, roleOf)) uint8 {
	for at := 0; at < len(line); {
		n := 0
		switch state {
		case inRemark:
			n, state = section(line[at:], "-->", inRemark)
			give(n, flow.Comment)
		case inData:
			n, state = section(line[at:], "]]>", inData)
			give(n, flow.String)
		case inTag:
			n, state = tagPart(line[at:], give)
		default:
			n, state = content(line[at:], give)
		}
		at += n
	}
	return state
}

// section consumes text up to end.
func section(line []byte, end string, state uint8) (int, uint8) {
	if n, closed := through(line, 0, end, false); closed {
		return n, 0
	}
	return len(line), state
}

// content consumes text between tags, or the start of a tag.
func content(line []byte, give func(int, roleOf)) (int, uint8) {
	switch {
	case bytes.HasPrefix(line, []byte("<!--")):
		give(4, flow.Comment)
		return 4, inRemark
	case bytes.HasPrefix(line, []byte("<![CDATA[")):
		give(9, flow.Comment)
		return 9, inData
	case bytes.HasPrefix(line, []byte("<?")), bytes.HasPrefix(line, []byte("<!")):
		n, _ := through(line, 0, ">", false)
		give(n, flow.Comment)
		return n, 0
	case line[0] == '<':
		n := 1
		for n < len(line) && (line[n] == '/' || line[n] == ':' || line[n] == '-' || line[n] == '.' || isWord(line[n])) {
			n++
		}
		if n == 1 {
			give(1, flow.Plain)
			return 1, 0
		}
		give(n, flow.Keyword)
		return n, inTag
	}
	n := bytes.IndexByte(line, '<')
	if n < 0 {
		n = len(line)
	}
	give(n, flow.Plain)
	return n, 0
}

func tagPart(line []byte, give func(int, roleOf)) (int, uint8) {
	switch c := line[0]; {
	case c == '>':
		give(1, flow.Keyword)
		return 1, 0
	case c == '"' || c == '\'':
		n, _ := through(line, 1, string(c), false)
		give(n, flow.String)
		return n, inTag
	case isWord(c):
		n := 1
		for n < len(line) && (isWord(line[n]) || line[n] == ':' || line[n] == '-' || line[n] == '.') {
			n++
		}
		give(n, flow.Name)
		return n, inTag
	default:
		give(1, flow.Punctuation)
		return 1, inTag
	}
}

func scanDiff(line []byte, _ uint8, give func(int, roleOf)) uint8 {
	role := flow.Plain
	switch {
	case bytes.HasPrefix(line, []byte("diff ")), bytes.HasPrefix(line, []byte("--- ")), bytes.HasPrefix(line, []byte("+++ ")):
		role = flow.Keyword
	case bytes.HasPrefix(line, []byte("@@")):
		role = flow.Number
	case bytes.HasPrefix(line, []byte("+")):
		role = flow.Inserted
	case bytes.HasPrefix(line, []byte("-")):
		role = flow.Deleted
	}
	give(len(line), role)
	return 0
}
