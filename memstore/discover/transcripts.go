package discover

import (
	"context"
	"io/fs"
	"iter"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Transcript is a recorded conversation: a file that an agent wrote. What only its content shows is its [Head].
type Transcript struct {
	File    string
	Agent   string // as people call it
	Project string // the folder that the agent names its own folder after, "" where the name of none is known
	// Folder is the agent's own folder for the project, "" where only the content says which project that is.
	Folder  string
	Changed time.Time // when it was written last
	Size    int64
	Own     bool // it belongs to the store that the list was made for
	Side    bool // it is one of a subagent
}

// Before orders transcripts as people look for them: those of the store first, then what was written last.
func (t Transcript) Before(other Transcript) bool {
	switch {
	case t.Own != other.Own:
		return t.Own
	case !t.Changed.Equal(other.Changed):
		return t.Changed.After(other.Changed)
	}
	return t.File < other.File
}

// keeper is a folder below which an agent keeps its transcripts.
type keeper struct {
	// roots are the folders that may be there on this machine, "" for none.
	roots func(Machine) []string
	// files are patterns of names below a root, as [path.Match] reads them; the last name is that of the file.
	files [][]string
	// project names what a transcript is about, by the names below the root; nil: only its content says so.
	project func(names []string) string
	// store is the memory folder beside the files of a project, given by the names of their folder; nil: there is none.
	store func(names []string) []string
	// tail are the last names of a root, by which one is known that another machine or user wrote; nil: by none.
	tail []string
}

// keepers are the folders of transcripts of the table, with the names of their agents.
func keepers() iter.Seq2[string, keeper] {
	return func(yield func(string, keeper) bool) {
		for _, a := range agents {
			for _, k := range a.transcripts {
				if !yield(a.name, k) {
					return
				}
			}
		}
	}
}

// EachTranscript finds the transcripts of this machine and hands them over folder by folder, those of a store first,
// then folders by the time of their last new file. It reads names, sizes and times only, and ends early with ctx.
// store is a memory directory, "" for none.
func (m Machine) EachTranscript(ctx context.Context, store string, found func([]Transcript)) {
	own := ""
	if store != "" {
		own = resolve(store)
	}
	for _, first := range []bool{true, false} {
		if first && own == "" {
			continue
		}
		for a, k := range keepers() {
			for _, root := range k.roots(m) {
				if root == "" {
					continue
				}
				for _, p := range k.files {
					l := lister{Machine: m, ctx: ctx, agent: a, keeper: k, names: p, root: root, own: own, first: first, found: found}
					l.list(root, nil)
				}
			}
		}
	}
}

// Transcripts lists the sessions that belong to a memory directory, with those of its subagents, written last ones last. More
// than 50 are cut down to the newest.
func (m Machine) Transcripts(ctx context.Context, store string) []string {
	const most = 50
	list := m.belonging(ctx, store, func(t Transcript) bool { return t.Own })
	return list[max(0, len(list)-most):]
}

// ProjectTranscripts are those that may have what is in a memory: of the sessions that belong to it, and of those in its project. If there
// are none, they are all transcripts of this machine.
func (m Machine) ProjectTranscripts(ctx context.Context, store string) []string {
	root := m.Of(ctx, store).Root
	list := m.belonging(ctx, store, func(t Transcript) bool {
		if t.Own || root == "" {
			return t.Own
		}
		worked, _ := m.Project(ctx, t.File) // one that can't be read says nothing
		below, err := filepath.Rel(resolve(root), resolve(worked))
		return worked != "" && err == nil && filepath.IsLocal(below)
	})
	if len(list) == 0 {
		list = m.belonging(ctx, store, func(Transcript) bool { return true })
	}
	return list
}

// belonging lists transcripts, written last ones last.
func (m Machine) belonging(ctx context.Context, store string, is func(Transcript) bool) (files []string) {
	var list []Transcript
	m.EachTranscript(ctx, store, func(found []Transcript) {
		for _, t := range found {
			if is(t) {
				list = append(list, t)
			}
		}
	})
	slices.SortFunc(list, func(a, b Transcript) int { return a.Changed.Compare(b.Changed) })
	for _, t := range list {
		files = append(files, t.File)
	}
	return files
}

// lister goes through the folders of one pattern.
type lister struct {
	Machine
	keeper
	names []string // the pattern
	agent string
	root  string
	ctx   context.Context
	own   string // the store, resolved
	first bool   // only the files of the store are wanted, else all others
	found func([]Transcript)
}

// list looks at a folder that is below the root under some names.
func (l *lister) list(dir string, names []string) {
	if l.ctx.Err() != nil || l.first && len(names) == 1 && !l.belongs(dir, names) {
		return
	}
	entries, err := readDir(dir, 0)
	if err != nil {
		return // it is not there, or closed to us
	}
	want := l.names[len(names)]
	last := len(names)+1 == len(l.names)
	type entry struct {
		fs.DirEntry
		info fs.FileInfo
	}
	var fits []entry
	for _, e := range entries {
		if ok, err := path.Match(want, e.Name()); err != nil || !ok || e.IsDir() == last {
			continue
		}
		if info, err := e.Info(); err == nil && (!last || info.Mode().IsRegular()) {
			fits = append(fits, entry{e, info})
		}
	}
	slices.SortFunc(fits, func(a, b entry) int {
		if c := b.info.ModTime().Compare(a.info.ModTime()); c != 0 {
			return c
		}
		return strings.Compare(b.Name(), a.Name())
	})
	if !last {
		for _, e := range fits {
			l.list(filepath.Join(dir, e.Name()), append(names[:len(names):len(names)], e.Name()))
		}
		return
	}
	own := l.own != "" && l.belongs(dir, names)
	if len(fits) == 0 || own != l.first {
		return
	}
	batch := make([]Transcript, len(fits))
	for i, e := range fits {
		t := Transcript{
			File: filepath.Join(dir, e.Name()), Agent: l.agent, Changed: e.info.ModTime(), Size: e.info.Size(), Own: own,
			Side: ofSubagent(dir, e.Name()),
		}
		if l.project != nil {
			t.Project, t.Folder = l.project(names), under(l.root, names[0])
		}
		batch[i] = t
	}
	l.found(batch)
}

// ofSubagent reports whether a file of a folder is the transcript of a subagent of Claude Code, which had them beside the sessions first.
func ofSubagent(dir, name string) bool {
	_, parent := split(dir)
	return parent == "subagents" || strings.HasPrefix(name, "agent-")
}

// StoreOf is the memory folder that an agent keeps beside a transcript, without links; "" where it keeps none there, or has not
// made it yet.
func (m Machine) StoreOf(file string) string {
	real := resolve(file)
	for _, k := range keepers() {
		if k.store == nil {
			continue
		}
		for _, p := range k.files {
			root, names := real, make([]string, len(p))
			for i := len(names) - 1; i >= 0; i-- {
				root, names[i] = split(root)
			}
			if root == "" || !k.isRoot(m, root) {
				continue
			}
			if dir := resolve(under(root, k.store(names)...)); m.isDir(dir) {
				return dir
			}
		}
	}
	return ""
}

// isRoot reports whether an agent keeps its transcripts below a folder.
func (k keeper) isRoot(m Machine, dir string) bool {
	for _, root := range k.roots(m) {
		if root != "" && resolve(root) == dir {
			return true
		}
	}
	for i := len(k.tail) - 1; i >= 0; i-- {
		var name string
		if dir, name = split(dir); name != k.tail[i] {
			return false
		}
	}
	return len(k.tail) > 0
}

// belongs reports whether the files below some names of the root are those of the store.
func (l *lister) belongs(dir string, names []string) bool {
	if l.store == nil || len(names) == 0 || l.own == "" {
		return false
	}
	root := dir
	for range names {
		root, _ = split(root)
	}
	return resolve(under(root, l.store(names)...)) == l.own
}

// endings are those of files that may be transcripts, where a folder is looked through for them.
var endings = []string{".jsonl", ".json", ".ndjson", ".har", ".sse"}

// packed are endings behind one of those.
var packed = []string{".gz", ".zst"}

// mayHold reports whether a file may be a transcript, by its name.
func mayHold(name string) bool {
	name = strings.ToLower(name)
	for _, end := range packed {
		name = strings.TrimSuffix(name, end)
	}
	return slices.ContainsFunc(endings, func(end string) bool { return strings.HasSuffix(name, end) })
}

// EachIn hands over what may be transcripts below a folder, a folder at a time, the newest of each first. Links are not
// followed. Like [Machine.EachTranscript] it reads no contents.
func (m Machine) EachIn(ctx context.Context, dir string, found func([]Transcript)) {
	left := maxEntries
	m.eachIn(ctx, dir, 0, &left, found)
}

func (m Machine) eachIn(ctx context.Context, dir string, depth int, left *int, found func([]Transcript)) {
	if ctx.Err() != nil || depth > maxDepth {
		return
	}
	entries, err := readDir(dir, 0)
	if err != nil {
		return
	}
	var batch []Transcript
	for _, e := range entries {
		if *left--; *left < 0 {
			break
		}
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || !mayHold(e.Name()) {
			continue
		}
		_, parent := split(dir)
		batch = append(batch, Transcript{
			File: filepath.Join(dir, e.Name()), Project: parent, Changed: info.ModTime(), Size: info.Size(), Side: ofSubagent(dir, e.Name()),
		})
	}
	if len(batch) > 0 {
		slices.SortFunc(batch, func(a, b Transcript) int { return b.Changed.Compare(a.Changed) })
		found(batch)
	}
	for _, e := range entries {
		if e.IsDir() {
			m.eachIn(ctx, filepath.Join(dir, e.Name()), depth+1, left, found)
		}
	}
}
