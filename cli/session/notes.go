package session

import (
	"errors"
	"strings"

	"memcurator/memstore"
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

// NoNote is the error for an agent path that doesn't exist. It is nil for an absolute path: commands answer that as the tool does.
func (t *Target) NoNote() error {
	if t.typed == "" {
		return nil
	}
	return Failed(errNoNote, "No file %s", t.typed)
}

var errNoNote = errors.New("no such file")
