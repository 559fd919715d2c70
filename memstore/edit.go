package memstore

import (
	"bytes"
	"context"
	"strconv"
	"strings"

	"memcurator/memstore/backend"
)

// source is a file to edit: its bytes, and its text in the dialect.
type source struct {
	target
	data, text []byte
	lossy      bool // the text lacks some of the bytes
}

// source reads the file to edit.
func (r *request) source() (source, *Error) {
	t, bad := r.locate(r.c.Path, false)
	if bad != nil {
		return source{}, bad
	}
	rules := r.store.rules
	data, err := r.read(t.name)
	switch {
	case err != nil && r.store.isDir(t.name, err):
		return source{}, saying(r.c.Name, t, backend.ErrIsDir, rules.sentence(r.c.Name, t.show, rules.editsDir))
	case err != nil:
		return source{}, r.failed(t, t.lost(err))
	}
	text, lossy, err := rules.decode(data)
	if err != nil {
		return source{}, r.failed(t, err)
	}
	return source{target: t, data: data, text: text, lossy: lossy}, nil
}

// planEdit plans to write the new text of an edited file.
func (r *request) planEdit(s source, data []byte, success string) (*plan, *Error) {
	if s.lossy {
		return nil, r.failed(s.target, ErrNotText)
	}
	if bad := r.fits(s.target, data); bad != nil {
		return nil, bad
	}
	return r.planReplace(s.target, s.data, data, success), nil
}

// planReplace plans to write new bytes to an existing file. Equal bytes are
// not a change: nothing is written or recorded.
func (r *request) planReplace(t target, old, data []byte, success string) *plan {
	p := &plan{action: doReplace, name: t.name, old: old, data: data, success: success, changes: []Change{{
		Kind: backend.KindFile, Path: r.realPath(t.name, true), Before: NewContent(old), After: NewContent(data),
	}}}
	if bytes.Equal(old, data) {
		p.action = doNothing
	}
	return p
}

// planStrReplace plans a str_replace. old_str must occur exactly once;
// new_str is literal (row 26).
func (r *request) planStrReplace() (*plan, *Error) {
	t, bad := r.source()
	if bad != nil {
		return nil, bad
	}
	text, rules := t.text, r.store.rules
	old := r.c.OldStr
	at, lines := rules.find(text, old)
	if at < 0 {
		if old = r.recall(text); old != r.c.OldStr && old != "" {
			at, lines = rules.find(text, old)
		}
	}
	if at < 0 {
		return nil, saying(r.c.Name, t.target, ErrNoMatch, fill(rules.noMatch, "old", old, "p", t.show))
	}
	if lines != nil {
		list := make([]string, len(lines))
		for i, n := range lines {
			list[i] = strconv.Itoa(n)
		}
		told := fill(rules.manyMatches, "old", old, "lines", strings.Join(list, ", "))
		return nil, saying(r.c.Name, t.target, ErrNoMatch, told)
	}
	rest, newStr := text[at+len(old):], r.c.NewStr
	if rules.substitute != nil {
		newStr = rules.substitute(newStr, text, at, len(old))
	}
	data := make([]byte, 0, at+len(newStr)+len(rest))
	data = append(data, text[:at]...)
	data = append(data, newStr...)
	data = append(data, rest...)
	a, bad := r.amend(t.target, text, data)
	if bad != nil {
		return nil, bad
	}
	return r.planEdit(t, a.data, r.snippet(t, a.data, movedTo(data, a.data, at))+ownLines(a.notes))
}

// snippet is the result of an edit that shows the rows around an offset of the new text.
func (r *request) snippet(t source, text []byte, at int) string {
	rules := r.store.rules
	return string(appendSnippet([]byte(fill(rules.replaced, "p", t.show)), text, at, rules.snippetReach))
}

// appendSnippet appends the row of offset at with reach rows before and after it, each preceded by a newline. Rows are those of a view,
// including the empty last one.
func appendSnippet(dst, text []byte, at, reach int) []byte {
	changed := bytes.Count(text[:at], newline) + 1
	first := max(1, changed-reach)
	start := at
	for n := changed - first; n >= 0; n-- {
		start = bytes.LastIndexByte(text[:start], '\n')
		if start < 0 {
			break
		}
	}
	rest := text[start+1:]
	for n := first; n <= changed+reach; n++ {
		line, after, more := bytes.Cut(rest, newline)
		dst = append(appendLabel(append(dst, '\n'), n), line...)
		if !more {
			break
		}
		rest = after
	}
	return dst
}

// planInsert plans an insert.
func (r *request) planInsert() (*plan, *Error) {
	rules := r.store.rules
	if r.c.InsertText == "" && rules.nothingToInsert != "" {
		return nil, saying(r.c.Name, r.target(r.c.Path), ErrInput, rules.nothingToInsert)
	}
	t, bad := r.source()
	if bad != nil {
		return nil, bad
	}
	data, lines, ok := rules.insertAt(t.text, r.c.InsertLine, r.c.InsertText)
	if !ok {
		told := fill(rules.insertRange, "n", rules.numberText(r.c.InsertLine, r.c.sentLine), "n_lines", strconv.Itoa(lines))
		return nil, saying(r.c.Name, t.target, ErrRange, told)
	}
	a, bad := r.amend(t.target, t.text, data)
	if bad != nil {
		return nil, bad
	}
	success := fill(rules.inserted, "p", t.show)
	if rules.insertedRows {
		success = r.snippet(t, a.data, movedTo(data, a.data, lineStart(data, r.c.InsertLine)))
	}
	return r.planEdit(t, a.data, success+ownLines(a.notes))
}

// realPath follows the links in a name and returns the agent path that a
// change to it appears at, so that guards and recorders see one path for one
// file. With last it follows a link in the last segment too. If it can't
// follow them, it returns the path of name itself.
func (r *request) realPath(name string, last bool) string {
	follower, ok := r.store.backend.(backend.Resolver)
	if !ok {
		return backend.AgentPath(name)
	}
	real, err := follower.Resolve(name, last)
	if err != nil {
		return backend.AgentPath(name)
	}
	return backend.AgentPath(real)
}

// CmdEdit is how recorders and guards see [Store.Replace], and how the journal calls what other programs write. It is not a command of the
// tool: [Store.Do] and the decoder refuse it.
const CmdEdit = "edit"

// Replace writes new bytes, any bytes, to an existing regular file: what a person does in an editor and none of the six commands can
// express. Like those it is whole or absent, waits for other writers, asks the guards (which see the bytes as FileText), tells the
// recorders, and fails with [ErrChanged] if the file is not what the caller expects; nil: any will do. Equal bytes are not a change. Links
// that stay inside the store are followed. Files and data of more than 256 MiB are refused with [ErrTooBig].
func (s *Store) Replace(ctx context.Context, path string, data []byte, expect *Digest) Result {
	c := Command{Name: CmdEdit, Path: path, FileText: string(data)}
	r := s.request(ctx, c)
	r.expect = expect
	return r.run()
}

// planWhole plans a Replace. It takes the bytes literally: no dialect folds line ends or requires UTF-8.
func (r *request) planWhole() (*plan, *Error) {
	t, bad := r.locate(r.c.Path, false)
	if bad != nil {
		return nil, bad
	}
	old, err := r.read(t.name)
	switch {
	case err != nil && r.store.isDir(t.name, err):
		return nil, r.failed(t, backend.ErrIsDir)
	case err != nil:
		return nil, r.failed(t, t.lost(err))
	}
	return r.planRewrite(t, old, "The file "+t.show+" has been written.")
}
