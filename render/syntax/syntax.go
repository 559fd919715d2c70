// Package syntax highlights JSON and YAML.
//
// We tried Chroma: importing its lexers costs every start of the program 12 ms, and on hostile text it tries expressions until they time
// out.
package syntax

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"

	"memcurator/render/flow"
)

// Lines are the lines of a text.
func Lines(src []byte, highlighted bool, o flow.Options) (out []flow.Line) {
	for line := range bytes.Lines(src) {
		b := flow.NewBuilder(o.Text)
		line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
		if highlighted {
			Highlight(b, line, flow.Plain)
		} else {
			b.Text(line, flow.Span{})
		}
		out = append(out, b.Line())
	}
	return out
}

// Known reports whether a file extension, or the word after a code fence, is of JSON or YAML.
func Known(name string) bool {
	switch strings.ToLower(name) {
	case "json", "jsonl", "ndjson", "jsonc", "yaml", "yml":
		return true
	}
	return false
}

var (
	// key is a name of YAML at the start of a line; in quotes it is found as a JSON name is.
	key = regexp.MustCompile(`^[ \t]*(?:- +)*([^\s"'#\[\]{}:,-][^:#]*):(?:\s|$)`)
	// token is a string, a comment, a number or a word.
	token  = regexp.MustCompile(`"(?:\\.|[^"\\])*"?|'[^']*'|(?:^|\s)#.*|[-+]?\b\d[\w.:+-]*|[\pL_][\w.-]*`)
	number = regexp.MustCompile(`^[-+]?\d`)
	// colon makes a name of the string before it.
	colon = regexp.MustCompile(`^\s*:`)
)

// Highlight adds a line of JSON or YAML to b; role is that of what has no other one.
func Highlight(b *flow.Builder, line []byte, role flow.Role) {
	at := 0
	add := func(to int, role flow.Role) {
		b.Text(line[at:to], flow.Span{Role: role})
		at = to
	}
	if m := key.FindSubmatchIndex(line); m != nil {
		add(m[2], role)
		add(m[3], flow.Name)
	}
	from := at
	for _, m := range token.FindAllIndex(line[from:], -1) {
		start, end := from+m[0], from+m[1]
		is := role
		switch t := string(bytes.TrimSpace(line[start:end])); {
		case t[0] == '"' && colon.Match(line[end:]):
			is = flow.Name
		case t[0] == '"' || t[0] == '\'':
			is = flow.String
		case t[0] == '#':
			is = flow.Comment
		case t == "true" || t == "false" || t == "null":
			is = flow.Keyword
		case number.MatchString(t):
			is = flow.Number
		}
		add(start, role)
		add(end, is)
	}
	add(len(line), role)
}

// depthMost is how deep JSON may be to be laid out: every level indents all within it.
const depthMost = 64

// IndentJSON lays out one JSON value over several lines. false: src is none, or too deep.
func IndentJSON(src []byte) ([]byte, bool) {
	depth := 0
	for _, c := range src {
		switch c {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		if depth > depthMost {
			return nil, false
		}
	}
	var out bytes.Buffer
	if json.Indent(&out, src, "", "  ") != nil {
		return nil, false
	}
	return out.Bytes(), true
}
