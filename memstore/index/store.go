package index

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"memcurator/memstore"
)

// Store holds what comparing the indexes of a store with its notes needs.
type Store struct {
	Files  []string // agent paths of all files that the agent's listing has
	Names  *Names   // of them
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
var indexNames = []string{"memory", "readme", "index"}

// IsNamed reports whether the name of a file is one that indexes have.
func IsNamed(agentPath string) bool {
	base := path.Base(agentPath)
	return IsMarkdown(base) && slices.Contains(indexNames, strings.Trim(fold(Stem(base)), "-"))
}

// IsMarkdown reports whether a file is Markdown by the ending of its name.
func IsMarkdown(name string) bool {
	return NoteEnding(name) && !strings.EqualFold(path.Ext(name), ".txt")
}

// mentions reports whether a text names a note of the store, or links to one that should be there.
func (s *Store) mentions(f *File) bool {
	return slices.ContainsFunc(f.Links, func(l Link) bool {
		to, is := s.Names.Resolve(f.Path, l.Form, f.String(l.Target))
		return s.note(f, l) != "" || to != "" && !is && l.Form == Markdown
	})
}

// Recognize reports whether a text is an index of the store: the one that the agent's program loads, unless it is a list of other
// things and names no note, or a file with the name of an index most of whose entries name notes that are there.
func (s *Store) Recognize(f *File) bool {
	if f.Path == s.Loaded {
		return f.Items == 0 || s.mentions(f)
	}
	there := 0
	for i := range f.Entries {
		if s.note(f, f.Entries[i].Link) != "" {
			there++
		}
	}
	return IsNamed(f.Path) && 2*there > len(f.Entries)
}

// note is the other note that a link leads to, "" where there is none.
func (s *Store) note(f *File, l Link) string {
	to, is := s.Names.Resolve(f.Path, l.Form, f.String(l.Target))
	if !is || to == f.Path || !s.Names.File(to) {
		return ""
	}
	return to
}

// Find reads the indexes of the store. Files that read can't read are skipped.
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

// Orphans are the notes beside the loaded index that no index lists; there is none without a loaded index. Files with the name of an index
// need no entry, nor do notes that are named by their day: they are a log.
func (s *Store) Orphans(list []*File) (of *File, notes []string) {
	listed := map[string]bool{}
	for _, f := range list {
		if f.Path == s.Loaded {
			of = f
		}
		for _, l := range f.Links {
			if to, is := s.Names.Resolve(f.Path, l.Form, f.String(l.Target)); is {
				listed[to] = true
			}
		}
	}
	if of == nil {
		return nil, nil
	}
	for _, p := range s.Files {
		if path.Dir(p) == path.Dir(of.Path) && lists(p) && !listed[p] {
			notes = append(notes, p)
		}
	}
	return of, notes
}

// daily matches the name of a note that is named by its day, as 2026-11-23.md.
var daily = regexp.MustCompile(`^\d{4}[-_]\d{2}[-_]\d{2}`)

// lists reports whether an index may be expected to list a file.
func lists(p string) bool {
	base := path.Base(p)
	return IsMarkdown(p) && !IsNamed(p) && base[0] != '.' && !daily.MatchString(base)
}
