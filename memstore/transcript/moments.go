package transcript

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/transcript/format"
)

// Held is one path of the memory at a moment.
type Held struct {
	Path  string // agent path
	Kind  memstore.Kind
	Bytes int
	Since int // the step that made it what it is; 0: it was there at the start
	// Unknown means that only a listing has shown the file, never its contents; Bytes are those of the listing.
	Unknown bool
}

// Held lists what the memory held after step n, sorted by path, the root left out.
func (t *Track) Held(n int) []Held {
	t.mu.RLock()
	defer t.mu.RUnlock()
	var list []Held
	for p, l := range t.lives {
		i := l.at(n)
		if i < 0 || l.versions[i].kind == 0 || p == memstore.Root {
			continue
		}
		v := l.versions[i]
		list = append(list, Held{p, v.kind, v.size, v.step, v.unknown})
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
	return t.contentOf(agentPath, n)
}

func (t *Track) contentOf(agentPath string, n int) ([]byte, bool) {
	l := t.lives[agentPath]
	if l == nil || l.kindAt(n) != memstore.KindFile {
		return nil, false
	}
	return l.content(l.at(n)), true
}

// Unknown reports whether the content of a file after step n is unknown; [Track.Content] then has bytes that
// replace it.
func (t *Track) Unknown(agentPath string, n int) bool {
	t.mu.RLock()
	defer t.mu.RUnlock()
	l := t.lives[agentPath]
	return l != nil && l.kindAt(n) == memstore.KindFile && l.versions[l.at(n)].unknown
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
		i := l.at(n)
		if n < 1 || i < 0 || l.versions[i].step != n {
			continue
		}
		c := Change{Path: p, After: l.versions[i].kind, From: l.versions[i].from}
		if i > 0 {
			c.Before = l.versions[i-1].kind
		}
		list = append(list, c)
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

// Write is what a call made of a file, to find the same change elsewhere.
type Write struct {
	Step int
	Path string // agent path
	Sum  *memstore.Digest
}

// Writes returns the file versions made by the calls, in order. Sum is nil if the file was deleted.
func (t *Track) Writes(ctx context.Context) []Write {
	t.mu.RLock()
	defer t.mu.RUnlock()
	var list []Write
	for p, l := range t.lives {
		l.contents(0, func(i int, data []byte) bool {
			v := l.versions[i]
			switch {
			case v.step == 0 || v.kind == memstore.KindDir || v.unknown:
			case v.kind == memstore.KindFile:
				sum := memstore.Sum(data)
				list = append(list, Write{v.step, p, &sum})
			case i > 0 && l.versions[i-1].kind == memstore.KindFile:
				list = append(list, Write{v.step, p, nil})
			}
			return ctx.Err() == nil
		})
	}
	if ctx.Err() != nil {
		return nil
	}
	slices.SortFunc(list, func(a, b Write) int { return cmp.Or(a.Step-b.Step, strings.Compare(a.Path, b.Path)) })
	return list
}

// Views counts for each file how often the agent saw it, and returns the last step that did.
func (t *Track) Views() (count, last map[string]int) {
	t.mu.RLock()
	defer t.mu.RUnlock()
	count, last = map[string]int{}, map[string]int{}
	for i := range t.steps {
		if p := t.steps[i].viewed(); t.lives[p] != nil {
			count[p]++
			last[p] = i + 1
		}
	}
	return count, last
}

// viewed is the path of the file that a step showed the agent, "" if it showed none.
func (s *Step) viewed() string {
	switch {
	case !s.shown || s.Verdict == NotReplayable:
	case s.Family == Files && format.FileTool(s.Tool) == format.Reads, s.Family == Shell && s.reads:
		return s.Path
	case s.Family == Memory && !s.bad && s.short.Name == memstore.CmdView && !s.lists:
		return s.short.Path
	}
	return ""
}
