package session

import (
	"errors"
	"os"
	"path"
	"strings"

	"memcurator/memstore"
	"memcurator/render/text"
)

// isRelativePath reports whether a positional is an agent path relative to the store, rather than a DIR with a scheme, a disk path, or an
// existing directory.
func isRelativePath(word string) bool {
	if word == "" || word == "." || word == ".." || strings.Contains(word, "://") {
		return false
	}
	for _, begins := range []string{"/", "./", "../", "~", `.\`, `..\`} {
		if strings.HasPrefix(word, begins) {
			return false
		}
	}
	return !isDir(word)
}

// setPath reads AGENT-PATH, which may be relative to the store.
func (t *Target) setPath(word string) {
	t.AgentPath = word
	if word != "" && !strings.HasPrefix(word, "/") {
		t.AgentPath, t.typed = memstore.AgentPath(word), word
	}
}

// mostNames limits the names of a store to compare with a missing one.
const mostNames = 20_000

// NoNote is the error for an agent path that doesn't exist, with the most similar name in the store. It is nil for an absolute path:
// commands answer that as the tool does.
func (t *Target) NoNote(b memstore.Backend, others ...string) error {
	if t.typed == "" {
		return nil
	}
	if info, err := os.Stat(t.typed); err == nil && info.Mode().IsRegular() {
		return Failed(errNoNote, "No file %[1]s in the store. Here is a file of that name, but %[2]s can't read it as a memory", t.typed, Program)
	}
	names := others
	if b != nil {
		names = notesBelow(b, ".", names)
	}
	hint := ""
	if near := nearestNote(t.typed, names); near != "" {
		hint = ". Did you mean " + near + "?"
	}
	return Failed(errNoNote, "No file %s%s", t.typed, hint)
}

var errNoNote = errors.New("no such file")

// notesBelow adds the files below a folder, relative to the store.
func notesBelow(b memstore.Backend, folder string, names []string) []string {
	entries, err := b.ReadDir(folder)
	if err != nil {
		return names // an unreadable folder makes no suggestions
	}
	for _, e := range entries {
		name := path.Join(folder, e.Name)
		switch {
		case len(names) >= mostNames:
			return names
		case e.Kind == memstore.KindDir && e.Name != ".git":
			names = notesBelow(b, name, names)
		case e.Kind != memstore.KindDir:
			names = append(names, name)
		}
	}
	return names
}

// nearestNote is the name that the user most likely meant: one with the same last part in another folder, else one within a typing error.
// "" if none is.
func nearestNote(typed string, names []string) string {
	base := strings.ToLower(path.Base(typed))
	var bases []string
	of := map[string]string{} // by the last part
	for _, name := range names {
		last := strings.ToLower(path.Base(name))
		if last == base || strings.TrimSuffix(last, path.Ext(last)) == base {
			return name
		}
		if of[last] == "" {
			of[last], bases = name, append(bases, last)
		}
	}
	if near := text.Nearest(typed, names); near != "" {
		return near
	}
	return of[text.Nearest(base, bases)]
}
