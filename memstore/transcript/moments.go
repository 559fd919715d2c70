package transcript

import (
	"slices"
	"strings"

	"memcurator/memstore"
)

// Held is one path of the memory at a moment.
type Held struct {
	Path  string // agent path
	Kind  memstore.Kind
	Bytes int
	Since int // the step that made it what it is; 0: it was there at the start
	// Unknown means that the file was there and no call has shown its contents; Bytes are those of a listing.
	Unknown bool
}

// Held lists what the memory held after step n, sorted by path, the root left out.
func (t *Track) Held(n int) []Held {
	t.mu.RLock()
	defer t.mu.RUnlock()
	var list []Held
	for p, l := range t.lives {
		if v := l.at(n); v.kind != 0 && p != memstore.Root {
			list = append(list, Held{p, v.kind, len(v.data), v.step, v.unknown})
		}
	}
	slices.SortFunc(list, func(a, b Held) int {
		return strings.Compare(strings.ReplaceAll(a.Path, "/", "\x00"), strings.ReplaceAll(b.Path, "/", "\x00"))
	})
	return list
}

// Content is a file after step n; false: it did not exist. Not to be changed.
func (t *Track) Content(agentPath string, n int) ([]byte, bool) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	v := t.lives[agentPath].at(n)
	return v.data, v.kind == memstore.KindFile
}

// Unknown reports whether the content of a file after step n is unknown; [Track.Content] then has bytes that replace it.
func (t *Track) Unknown(agentPath string, n int) bool {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.lives[agentPath].at(n).unknown
}

// Change is what one step did to one path.
type Change struct {
	Path          string
	Before, After memstore.Kind // 0: nothing
	From          string        // agent path that it had before
}

// Changes are what step n did, sorted by path.
func (t *Track) Changes(n int) []Change {
	t.mu.RLock()
	defer t.mu.RUnlock()
	var list []Change
	for p, l := range t.lives {
		if v := l.at(n); n > 0 && v.step == n {
			list = append(list, Change{p, l.at(n - 1).kind, v.kind, v.from})
		}
	}
	slices.SortFunc(list, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return list
}

// Changed lists, for every step from 1, whether it changed the memory.
func (t *Track) Changed() []bool {
	t.mu.RLock()
	defer t.mu.RUnlock()
	out := make([]bool, len(t.steps)+1)
	for _, l := range t.lives {
		for _, v := range l.versions {
			out[v.step] = out[v.step] || v.step > 0
		}
	}
	return out
}
