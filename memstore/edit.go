package memstore

import (
	"bytes"
	"strconv"
	"strings"
	"unicode/utf8"
)

// snippetReach is how many rows the snippet of a str_replace shows on either side
// of the first changed one.
const snippetReach = 2

// readText returns the text of the file to edit. A directory is told as a file
// that does not exist (row 27).
func (r *request) readText(t target) ([]byte, *Error) {
	text, err := r.read(t.name)
	switch {
	case err != nil && r.store.isDir(t.name, err):
		return nil, saying(r.c.Name, t, ErrIsDir, r.store.rules.sentence(r.c.Name, t.show, ErrNotExist))
	case err != nil:
		return nil, r.failed(t, err)
	}
	if bad := r.met(t, text); bad != nil {
		return nil, bad
	}
	if !utf8.Valid(text) {
		// Any edit would have to guess at the bytes (row 13).
		return nil, r.failed(t, ErrNotText)
	}
	return text, nil
}

// planReplace is the plan that gives an existing file new bytes. Bytes that stay
// the same are no change: nothing is written and nothing recorded.
func (r *request) planReplace(t target, old, data []byte, success string) *plan {
	p := &plan{action: doReplace, name: t.name, old: old, data: data, success: success}
	if bytes.Equal(old, data) {
		p.action = doNothing
	}
	if r.detailed {
		p.changes = []Change{{
			Kind: KindFile, Path: r.realPath(t.name, true),
			Before: NewContent(old), After: NewContent(data),
		}}
	}
	return p
}

// planStrReplace decides a str_replace. old_str must occur exactly once; new_str
// is taken literally (row 26).
func (r *request) planStrReplace() (*plan, *Error) {
	t := r.target(r.c.Path)
	text, bad := r.readText(t)
	if bad != nil {
		return nil, bad
	}
	rules := r.store.rules
	at, lines := rules.find(text, r.c.OldStr)
	if at < 0 {
		return nil, saying(r.c.Name, t, ErrNoMatch, fill(rules.noMatch, "old", r.c.OldStr, "p", t.show))
	}
	if lines != nil {
		list := make([]string, len(lines))
		for i, n := range lines {
			list[i] = strconv.Itoa(n)
		}
		told := fill(rules.manyMatches, "old", r.c.OldStr, "lines", strings.Join(list, ", "))
		return nil, saying(r.c.Name, t, ErrNoMatch, told)
	}
	data := make([]byte, 0, len(text)-len(r.c.OldStr)+len(r.c.NewStr))
	data = append(data, text[:at]...)
	data = append(data, r.c.NewStr...)
	data = append(data, text[at+len(r.c.OldStr):]...)
	success := appendSnippet([]byte(rules.replaced), data, at)
	return r.planReplace(t, text, data, string(success)), nil
}

// appendSnippet writes the rows around the one that holds offset at, each with a
// newline before it. The rows are those of a view, also the empty last one.
func appendSnippet(dst, text []byte, at int) []byte {
	changed := bytes.Count(text[:at], newline) + 1
	first := max(1, changed-snippetReach)
	start := at
	for n := changed - first; n >= 0; n-- {
		start = bytes.LastIndexByte(text[:start], '\n')
		if start < 0 {
			break
		}
	}
	rest := text[start+1:]
	for n := first; n <= changed+snippetReach; n++ {
		line, after, more := bytes.Cut(rest, newline)
		dst = append(appendLabel(append(dst, '\n'), n), line...)
		if !more {
			break
		}
		rest = after
	}
	return dst
}

// planInsert decides an insert.
func (r *request) planInsert() (*plan, *Error) {
	t := r.target(r.c.Path)
	text, bad := r.readText(t)
	if bad != nil {
		return nil, bad
	}
	rules := r.store.rules
	data, lines, ok := rules.insertAt(text, r.c.InsertLine, r.c.InsertText)
	if !ok {
		told := fill(rules.insertRange, "n", strconv.Itoa(r.c.InsertLine), "n_lines", strconv.Itoa(lines))
		return nil, saying(r.c.Name, t, ErrRange, told)
	}
	return r.planReplace(t, text, data, fill(rules.inserted, "p", t.show)), nil
}

// realPath is the agent path that a change of name shows up at once links are
// followed, so that guards and recorders see one path for one file. last
// follows a link in the last segment too. Where it cannot be told it is name's own.
func (r *request) realPath(name string, last bool) string {
	follower, ok := r.store.backend.(Resolver)
	if !ok {
		return AgentPath(name)
	}
	real, err := follower.Resolve(name, last)
	if err != nil {
		return AgentPath(name)
	}
	return AgentPath(real)
}
