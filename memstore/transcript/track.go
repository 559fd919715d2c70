package transcript

import (
	"bytes"
	"context"
	"path"
	"slices"
	"sort"
	"strings"

	"memcurator/memstore"
)

// Track is a replay carried out, with the files after every step at hand: what is kept of a file is what each step changed of it, so that
// any moment is a look-up and not a replay from the start. Steps are numbered from 1; moment 0 is the start. It doesn't change once it is
// made, so it is safe for concurrent use.
type Track struct {
	Steps   []Step // not to be changed
	Dialect memstore.Dialect

	lives  map[string]life // by agent path
	replay *replay         // while the track is made
}

// life is the history of one file, oldest version first.
type life []version

// version is a file from one step on.
type version struct {
	step    int
	exists  bool
	data    []byte
	unknown bool // data is made up
}

// at is the version after step n.
func (l life) at(n int) version {
	if i := sort.Search(len(l), func(i int) bool { return l[i].step > n }); i > 0 {
		return l[i-1]
	}
	return version{}
}

// NewTrack replays calls one after another. They are answered in a dialect; nil: in the one that answers most of them word for word. It
// begins with what they show of files that none of them made. The error is that of ctx.
func NewTrack(ctx context.Context, calls []*Call, dialect *memstore.Dialect) (*Track, error) {
	t := &Track{lives: map[string]life{}}
	if dialect != nil {
		t.Dialect = *dialect
	} else {
		t.Dialect = guess(ctx, calls)
	}
	t.replay = newReplay(t.Dialect)
	for _, c := range calls {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		t.add(t.replay.step(ctx, c))
	}
	t.Steps, t.replay = t.replay.steps, nil
	return t, nil
}

// add takes what the step before made of the memory.
func (t *Track) add(s Step) {
	for _, f := range t.replay.before.found {
		t.found(f)
	}
	for _, agentPath := range s.touched {
		if name := nameOf(agentPath); name != "" {
			t.note(name)
		}
	}
}

// found takes what turned out to have been there before, where nothing or only the name was known of that time.
func (t *Track) found(f foundFile) {
	agentPath := memstore.AgentPath(f.name)
	l := t.lives[agentPath]
	switch n := len(l); {
	case n == 0:
		v := version{exists: true, data: f.data, unknown: f.unknown}
		for at := path.Dir(agentPath); at != "/"; at = path.Dir(at) { // what moved there under another name may be its folder
			if above := t.lives[at]; len(above) > 0 {
				v.step = max(v.step, above[0].step)
			}
		}
		t.lives[agentPath] = life{v}
	case l[n-1].unknown: // since a call changed it last
		l[n-1].data, l[n-1].unknown = f.data, f.unknown
	}
}

// note takes the files at and below a name as they are after the last step.
func (t *Track) note(name string) {
	here := map[string]bool{}
	t.look(name, here)
	root := memstore.AgentPath(name)
	for p := range t.lives {
		if !here[p] && (p == root || strings.HasPrefix(p, root+"/")) {
			t.put(p, version{})
		}
	}
}

func (t *Track) look(name string, here map[string]bool) {
	if entries, err := t.replay.backend.ReadDir(name); err == nil {
		for _, e := range entries {
			t.look(path.Join(name, e.Name), here)
		}
	} else if data, err := t.replay.content(name); err == nil {
		agentPath := memstore.AgentPath(name)
		here[agentPath] = true
		t.put(agentPath, version{exists: true, data: data, unknown: t.replay.before.unknown[name]})
	}
}

// put adds a version, unless it is like the last one and known; what one step did to a file is one version.
func (t *Track) put(agentPath string, v version) {
	v.step = len(t.replay.steps)
	l := t.lives[agentPath]
	if n := len(l); n > 0 && l[n-1].step == v.step && v.step > 0 {
		l = l[:n-1]
	}
	last := l.at(v.step)
	if v.unknown || last.unknown || last.exists != v.exists || !bytes.Equal(last.data, v.data) {
		l = append(l, v)
		if v.step > 0 && (v.unknown || !last.unknown) {
			s := &t.replay.steps[v.step-1] // one that reads takes over what another program did
			s.Changed = s.Op() != memstore.CmdView && !s.reads()
		}
	}
	t.lives[agentPath] = l
}

// File is a file of the memory after a step.
type File struct {
	Path    string // agent path
	Data    []byte // not to be changed
	Since   int    // the step that made it what it is; 0: it was there at the start
	Unknown bool   // no call has shown what is in it: Data is made up
}

// Files are the files after step n, sorted by path.
func (t *Track) Files(n int) (list []File) {
	for p, l := range t.lives {
		if v := l.at(n); v.exists {
			list = append(list, File{p, v.data, v.step, v.unknown})
		}
	}
	slices.SortFunc(list, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return list
}

// File is the file at a path after step n; false: there is none.
func (t *Track) File(agentPath string, n int) (File, bool) {
	v := t.lives[agentPath].at(n)
	return File{agentPath, v.data, v.step, v.unknown}, v.exists
}

// Changes are the paths of the files that step n changed, those that are there after it first.
func (t *Track) Changes(n int) (list []string) {
	var gone []string
	for p, l := range t.lives {
		switch v := l.at(n); {
		case n == 0 || v.step != n:
		case v.exists:
			list = append(list, p)
		default:
			gone = append(gone, p)
		}
	}
	slices.Sort(list)
	slices.Sort(gone)
	return append(list, gone...)
}
