//go:build linux

package cli

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
)

// book is the harness's own record of a world: every edit with its true actor, and its outcome.
type book struct {
	mu      sync.Mutex
	edits   map[string]*dayEdit // by the id of the call
	first   map[string]string   // digests of the files that were there before the journal
	outside map[string]int      // agent paths that another program has touched, and for how many checks that counts
	curated []dayMark           // what a curator was told to be done since the last check
	bymany  map[string]bool     // agent paths of curators that were killed
	made    map[string]bool     // folders that may stay empty
	checked int64               // the last revision that was looked at
	copied  map[string]bool     // digests of what other programs copied or moved, which may come up anywhere
	serial  int
}

// dayLate is for how many checks another program's touch counts: a watcher may come late with what it saw.
const dayLate = 4

func newBook() book {
	return book{
		edits: map[string]*dayEdit{}, first: map[string]string{}, outside: map[string]int{}, made: map[string]bool{},
		bymany: map[string]bool{}, copied: map[string]bool{},
	}
}

// dayEdit is a command with the name of who gave it.
type dayEdit struct {
	id, session, actor string
	command            dayCommand
	state              dayState
	seen               bool // its revision was found
}

type dayState int

const (
	dayAsked  dayState = iota // no answer yet: it was killed, or is still under way
	dayDone                   // it had a success
	dayDenied                 // it had an error
)

// dayCommand is the input of the tool.
type dayCommand struct {
	Command    string `json:"command"`
	Path       string `json:"path,omitempty"`
	OldPath    string `json:"old_path,omitempty"`
	NewPath    string `json:"new_path,omitempty"`
	FileText   string `json:"file_text,omitempty"`
	OldStr     string `json:"old_str,omitempty"`
	NewStr     string `json:"new_str,omitempty"`
	InsertLine *int   `json:"insert_line,omitempty"`
	InsertText string `json:"insert_text,omitempty"`
}

// target is the path that the revision of the command has.
func (c dayCommand) target() string {
	if c.Command == "rename" {
		return c.NewPath
	}
	return c.Path
}

// writes reports whether the command changes something.
func (c dayCommand) writes() bool { return c.Command != "view" }

// dayMark is a change by a curator or a replay that must be in the log.
type dayMark struct {
	actor, path string
	seen        bool
}

// dayRevision is a line of "log --json".
type dayRevision struct {
	Rev     int64  `json:"rev"`
	Actor   string `json:"actor"`
	Command string `json:"command"`
	Path    string `json:"path"`
	OldPath string `json:"old_path"`
	Before  string `json:"before"`
	After   string `json:"after"`
	Session string `json:"session"`
	Tool    string `json:"tool_use_id"`
	Kind    string `json:"kind"`
	Note    string `json:"note"`
	Group   int64  `json:"group"`
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// issue writes an edit down before it is sent.
func (b *book) issue(id, session, actor string, c dayCommand) *dayEdit {
	b.mu.Lock()
	defer b.mu.Unlock()
	e := &dayEdit{id: id, session: session, actor: actor, command: c}
	b.edits[id] = e
	return e
}

// answered writes down how an edit was answered.
func (b *book) answered(e *dayEdit, isError bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if e.state = dayDone; isError {
		e.state = dayDenied
	}
}

// touch says that another program changes, or may change, these agent paths.
func (b *book) touch(paths ...string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range paths {
		b.outside[p] = dayLate
	}
}

// moved says that other programs brought bytes to other names, which may be those of an agent.
func (b *book) moved(sums ...string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, s := range sums {
		b.copied[s] = true
	}
}

// mark says that a curator, or a replay, was told that these paths were changed.
func (b *book) mark(actor string, paths ...string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, p := range paths {
		b.curated = append(b.curated, dayMark{actor: actor, path: p})
	}
}

// touched reports whether another program had a hand in a path, a folder above it or something below it.
func (b *book) touched(p string) bool {
	for at := range b.outside {
		if at == p || below(p, at) || below(at, p) {
			return true
		}
	}
	return false
}

// below reports whether an agent path is below a folder.
func below(p, folder string) bool { return strings.HasPrefix(p, folder+"/") }

// tree is a store as the log tells it: digests of files by agent path.
type tree map[string]string

// apply does to the tree what a revision says.
func (t tree) apply(r dayRevision) {
	if r.OldPath != "" {
		for p, sum := range maps.Clone(t) {
			if p == r.OldPath || below(p, r.OldPath) {
				delete(t, p)
				t[r.Path+strings.TrimPrefix(p, r.OldPath)] = sum
			}
		}
	}
	switch {
	case r.Kind == "folder":
	case r.After != "":
		t[r.Path] = r.After
	case r.OldPath == "":
		delete(t, r.Path)
	}
}

// replayed is the store as the log tells it.
func (b *book) replayed(log []dayRevision) tree {
	t := tree(maps.Clone(b.first))
	for _, r := range log {
		t.apply(r)
	}
	return t
}

// differences lists what one tree has otherwise than another.
func differences(name string, a tree, other string, b tree) []string {
	var out []string
	for p, sum := range a {
		switch there, ok := b[p]; {
		case !ok:
			out = append(out, p+" is in "+name+" only")
		case there != sum:
			out = append(out, p+" has "+short(sum)+" in "+name+" and "+short(there)+" in "+other)
		}
	}
	for p := range b {
		if _, ok := a[p]; !ok {
			out = append(out, p+" is in "+other+" only")
		}
	}
	slices.Sort(out)
	return out
}

func short(sum string) string { return sum[:min(len(sum), 8)] }

// parents are the folders above an agent path.
func parents(p string) []string {
	var out []string
	for dir := path.Dir(p); dir != "/memories" && dir != "/" && dir != "."; dir = path.Dir(dir) {
		out = append(out, dir)
	}
	return out
}

// jsonLines reads one value per line; a line of another form is an error.
func jsonLines[T any](text string) ([]T, error) {
	var out []T
	for line := range strings.Lines(text) {
		var v T
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return out, nil
}
