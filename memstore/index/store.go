package index

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"memcurator/memstore"
)

// Store holds what comparing the indexes of a store with its notes needs.
type Store struct {
	Files  []string // agent paths of all files that the agent's listing has
	Names  *Names   // of them; nil: made of Files
	Loaded string   // agent path of the index that the agent loads when a session starts, as MEMORY.md for Claude Code; "": none
}

// Main is the file at the top of a store that most agents use as its index.
const Main = "MEMORY.md"

// StoreOf lists the files of a store, and more that are about to be there.
func StoreOf(snapshot *memstore.Snapshot, more ...string) *Store {
	s := &Store{}
	snapshot.Walk(func(at string, n *memstore.Node) bool {
		if n.Hidden || memstore.InGit(at) {
			return false
		}
		if n.Kind == memstore.KindFile {
			s.Files = append(s.Files, at)
		}
		return true
	})
	s.Files = append(s.Files, more...)
	slices.Sort(s.Files)
	s.Files = slices.Compact(s.Files)
	s.Names = NewNames(s.Files)
	return s
}

// File is an index with its agent path.
type File struct {
	Path string
	*Index
}

// indexNames are the names of files that are an index if they list notes, folded and without their ending.
var indexNames = []string{"memory", "readme", "index", "toc", "contents", "table-of-contents", "overview", "00-index", "moc", "home"}

// IsNamed reports whether the name of a file is one that indexes have.
func IsNamed(agentPath string) bool {
	base := path.Base(agentPath)
	return markdown(base) && slices.Contains(indexNames, strings.Trim(Fold(Stem(base)), "-"))
}

func markdown(name string) bool {
	return NoteEnding(name) && !strings.EqualFold(path.Ext(name), ".txt")
}

// leastEntries is how many notes a file has to list to be an index whatever its name.
const leastEntries = 3

// mentions reports whether a text names a note of the store, or links to one that should be there.
func (s *Store) mentions(f *File) bool {
	return slices.ContainsFunc(f.Links, func(l Link) bool {
		to, is := s.names().Resolve(f.Path, l.Form, f.String(l.Target))
		return is && to != f.Path && s.names().File(to) || to != "" && !is && l.Form == Markdown
	})
}

// Recognize reports whether a text is an index of the store: the one that the agent's program loads, unless it is a list of other
// things and names no note; a file with the name of an index most of whose entries name notes that are there; or another Markdown file
// most of whose list items do, three at least.
func (s *Store) Recognize(f *File) bool {
	there := 0
	for i := range f.Entries {
		if s.subject(f, &f.Entries[i]) != "" {
			there++
		}
	}
	switch {
	case f.Path == s.Loaded:
		return there > 0 || f.Items == 0 || s.mentions(f)
	case !markdown(f.Path):
		return false
	}
	if IsNamed(f.Path) {
		return there > 0 && 2*there > len(f.Entries)
	}
	return there >= leastEntries && 2*there > f.Items
}

// subject is the note that an entry is about, "" where there is none.
func (s *Store) subject(f *File, e *Entry) string {
	to, is := s.names().Resolve(f.Path, e.Form, f.String(e.Target))
	if !is || to == f.Path || !s.names().File(to) {
		return ""
	}
	return to
}

func (s *Store) names() *Names {
	if s.Names == nil {
		s.Names = NewNames(s.Files)
	}
	return s.Names
}

// Find reads the indexes of the store that are recognized by name: the loaded one, and those for which [IsNamed] is true. Files that read
// can't read are skipped.
func (s *Store) Find(read func(agentPath string) ([]byte, error)) []*File {
	var out []*File
	for _, p := range s.Files {
		if p != s.Loaded && !IsNamed(p) {
			continue
		}
		data, err := read(p)
		if err != nil {
			continue
		}
		if f := (&File{p, Parse(data)}); s.Recognize(f) {
			out = append(out, f)
		}
	}
	return out
}

// Dangling are the entries of an index whose note doesn't exist.
func (s *Store) Dangling(f *File) []*Entry {
	var out []*Entry
	for i := range f.Entries {
		e := &f.Entries[i]
		to, is := s.names().Resolve(f.Path, e.Form, f.String(e.Target))
		note := e.Form == Markdown && NoteEnding(to)
		if to == "" || is || !note && !s.names().There(path.Dir(to)) || e.Form == Path && !s.paths(f) {
			continue // what is no link to a note may lead into a folder of the project
		}
		out = append(out, e)
	}
	return out
}

// paths reports whether most of the entries of an index that are plain names are notes, so that the others are meant to be.
func (s *Store) paths(f *File) bool {
	all, there := 0, 0
	for i := range f.Entries {
		if e := &f.Entries[i]; e.Form == Path {
			all++
			if s.subject(f, e) != "" {
				there++
			}
		}
	}
	return 2*there > all
}

// Orphans are the notes that no index lists, by the path of the index that they belong in. An index is expected to list the notes of
// the folders of which it lists three quarters, and the loaded one those beside it; notes that are named by their day only where it
// lists as many of those. Files with the name of an index need no entry.
func (s *Store) Orphans(list []*File) map[string][]string {
	listed := map[string]bool{}
	for _, f := range list {
		for _, l := range f.Links {
			if to, is := s.names().Resolve(f.Path, l.Form, f.String(l.Target)); is {
				listed[to] = true
			}
		}
	}
	folders := map[bool]map[string]*coverage{false: {}, true: {}}
	for _, p := range s.Files {
		if !s.lists(p) {
			continue
		}
		c := folders[daily(p)][path.Dir(p)]
		if c == nil {
			c = &coverage{}
			folders[daily(p)][path.Dir(p)] = c
		}
		c.notes++
		if under(listed, p) {
			c.listed++
		}
	}
	out := map[string][]string{}
	for _, p := range s.Files {
		if !s.lists(p) || under(listed, p) {
			continue
		}
		c := folders[daily(p)][path.Dir(p)]
		home := s.home(list, p)
		beside := home != "" && home == s.Loaded && path.Dir(home) == path.Dir(p) && !daily(p)
		if home != "" && (beside || c.listed > 0 && 4*c.listed >= 3*c.notes) {
			out[home] = append(out[home], p)
		}
	}
	return out
}

// coverage is how many notes of a folder are listed.
type coverage struct{ notes, listed int }

// lists reports whether an index may be expected to list a file.
func (s *Store) lists(p string) bool {
	return markdown(p) && p != s.Loaded && !IsNamed(p) && !strings.HasPrefix(path.Base(p), ".")
}

// under reports whether a file or a folder above it is listed.
func under(listed map[string]bool, p string) bool {
	for ; len(p) > len(memstore.Root); p = path.Dir(p) {
		if listed[p] {
			return true
		}
	}
	return false
}

// home is the index that a note belongs in: the nearest above it, the loaded one first; "" where there is none.
func (s *Store) home(list []*File, p string) string {
	var above []string
	for _, f := range list {
		if IsNamed(f.Path) || f.Path == s.Loaded {
			if dir := path.Dir(f.Path); dir == path.Dir(p) || strings.HasPrefix(p, dir+"/") {
				above = append(above, f.Path)
			}
		}
	}
	if len(above) == 0 {
		return ""
	}
	return slices.MinFunc(above, func(a, b string) int {
		loaded := func(p string) int {
			if p == s.Loaded {
				return 0
			}
			return 1
		}
		return cmp.Or(cmp.Compare(len(path.Dir(b)), len(path.Dir(a))), cmp.Compare(loaded(a), loaded(b)), cmp.Compare(a, b))
	})
}

// daily reports whether a note is named by its day, as 2026-11-23.md: it is one of a log.
func daily(agentPath string) bool {
	base := path.Base(agentPath)
	if len(base) < len("2026-11-23") {
		return false
	}
	for i, c := range []byte(base[:len("2026-11-23")]) {
		if i == 4 || i == 7 {
			if c != '-' && c != '_' {
				return false
			}
		} else if c < '0' || c > '9' {
			return false
		}
	}
	return true
}
