package discover

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"memcurator/memstore/backend/files"
)

// Find returns the stores of this machine: the named directories in their order, then those in the places of the table, what was written
// last first. A directory is there once, whatever names lead to it.
func (m Machine) Find(ctx context.Context, named []Place) []Found {
	var all []Found
	m.Each(ctx, named, func(f Found) { all = append(all, f) })
	order := func(f Found) int {
		if i := slices.IndexFunc(named, func(p Place) bool { return p.Dir == f.Path }); i >= 0 {
			return i
		}
		return len(named)
	}
	slices.SortStableFunc(all, func(a, b Found) int {
		if c := cmp.Compare(order(a), order(b)); c != 0 {
			return c
		}
		if c := b.Newest.Compare(a.Newest); c != 0 && order(a) == len(named) {
			return c
		}
		return cmp.Compare(a.Path, b.Path)
	})
	return all
}

// Each finds the stores of this machine and reports each once it is counted; its Path says which it is. Named directories are those of
// the configuration; in one without a name, "*" in place of a name stands for each folder. Each never calls found from two goroutines at
// once. It waits no longer than [patience] for a folder, and reports a store, a named directory, or a place of the user that hasn't
// answered by then with a Problem. Each returns when all have answered or their time is over, or when ctx ends: then counts are
// incomplete and say so.
//
// Each looks only at the places of the table, and follows no links within a store. It looks for places within projects in the working
// directory, and in the folders that transcripts and workspaces of an agent name.
func (m Machine) Each(ctx context.Context, named []Place, found func(Found)) {
	m.known = sync.OnceValue(func() map[string][]string { return claudeKnown(m) })
	f := finder{
		Machine: m, ctx: ctx, found: found, turns: make(chan struct{}, atOnce), stores: map[string]bool{}, projects: map[string]bool{},
		folders: map[string]bool{},
	}
	// A store of the configuration keeps its path and its name, so these come first.
	f.run(func() {
		for _, p := range named {
			f.named(p)
		}
	})
	f.run(func() {
		for _, a := range agents {
			for _, p := range a.places {
				if !p.inProjects() {
					f.placed(a, p)
				}
			}
			if a.projects != nil {
				f.start(func() {
					for _, root := range a.projects(ctx, m) {
						f.project(root)
					}
				}, nil)
			}
		}
		f.start(func() {
			m.userInstructions(func(a files.Agent, file string) { f.store(instructionRow(a, file, "")) })
		}, nil)
		f.project(m.work())
	})
}

// The bounds of a run.
const (
	atOnce   = 8               // folders that are looked at at a time
	patience = 5 * time.Second // for a folder that doesn't answer
)

// finder is one run of [Machine.Each].
type finder struct {
	Machine
	ctx   context.Context
	found func(Found)
	turns chan struct{} // held by the tasks that are under way

	mu       sync.Mutex
	open     int             // tasks that have not ended
	idle     chan struct{}   // closed when open is 0
	stores   map[string]bool // that were found, by their path, and by that without links
	projects map[string]bool // whose places were looked at
	folders  map[string]bool // in which instruction files were looked for
}

// row is a store, and what finds its owner.
type row struct {
	Found
	place place
	look  look
}

// run starts tasks, and waits until they and those that they started have ended.
func (f *finder) run(tasks func()) {
	f.idle, f.open = make(chan struct{}), 1
	tasks()
	f.end()
	<-f.idle
}

func (f *finder) end() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.open--; f.open == 0 {
		close(f.idle)
	}
}

// start does work that may wait for the disk, in its turn. late, unless nil, is called instead of waiting any longer, with the problem, or
// with "" if ctx ends.
func (f *finder) start(work func(), late func(problem string)) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.open == 0 {
		return // work that came too late started this
	}
	f.open++
	go func() {
		defer f.end()
		f.turns <- struct{}{}
		defer func() { <-f.turns }()
		done := make(chan struct{})
		go func() {
			defer close(done)
			if f.ctx.Err() == nil {
				work()
			}
		}()
		timer := time.NewTimer(patience)
		defer timer.Stop()
		problem := ""
		select {
		case <-done:
			if f.ctx.Err() == nil {
				return
			}
		case <-timer.C:
			problem = problemSilent
		case <-f.ctx.Done():
		}
		if late != nil {
			late(problem)
		}
	}()
}

// first reports whether a set lacks a name, and adds it.
func (f *finder) first(set map[string]bool, name string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	was := set[name]
	set[name] = true
	return !was
}

// isNew reports whether a store has not been found yet.
func (f *finder) isNew(found Found) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	was := f.stores[found.Path] || f.stores[found.Real]
	f.stores[found.Path] = true
	if found.Real != "" {
		f.stores[found.Real] = true
	}
	return !was
}

// report reports a store, unless it answered too late.
func (f *finder) report(found Found) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.open > 0 {
		f.found(found)
	}
}

// Problems of stores.
const (
	problemSilent = "No answer from the disk within 5 s"
	problemFile   = "Expected a folder, found a file"
	problemFolder = "Expected a file, found something else"
	problemDenied = "Can't read: permission denied"
)

// problemOf is why a directory can't be read; "" if it doesn't exist.
func problemOf(err error) string {
	var cause *fs.PathError
	switch {
	case err == nil, errors.Is(err, fs.ErrNotExist):
		return ""
	case errors.Is(err, fs.ErrPermission):
		return problemDenied
	case errors.As(err, &cause):
		err = cause.Err
	}
	return "Can't read: " + err.Error()
}

// named looks at a directory of the configuration.
func (f *finder) named(p Place) {
	root, names := untilAny(p.Dir)
	f.start(func() {
		if p.Name == "" && len(names) > 0 {
			f.expand(agent{}, place{roots: home(), names: names}, look{Machine: f.Machine, root: root}, root, names)
			return
		}
		r := f.rowAt(p.Dir)
		r.Name = p.Name
		r.Real, r.Problem = f.checked(r.Found)
		r.Missing = r.Real == "" && r.Problem == ""
		f.count(r)
	}, func(problem string) {
		f.count(row{Found: Found{Name: p.Name, Path: p.Dir, Kind: KindDir, Problem: problem, More: true}})
	})
}

// checked looks whether a store is there: its path without links, or its problem; neither: it isn't.
func (m Machine) checked(f Found) (real, problem string) {
	info, err := os.Stat(f.Path)
	switch {
	case f.Kind == KindInstructions: // any of the files of its folder may be there
		dir, base := split(f.Path)
		return filepath.Join(resolve(dir), base), ""
	case err != nil:
		return "", problemOf(err)
	case f.Kind.OfProgram() && !info.Mode().IsRegular():
		return "", problemFolder
	case !f.Kind.OfProgram() && !info.IsDir():
		return "", problemFile
	}
	return resolve(f.Path), ""
}

// rowOf is a row for a directory in a place.
func rowOf(a agent, p place, l look, dir string) row {
	l.dir = dir
	return row{
		Found: Found{Path: dir, Kind: p.kindOf(), Agent: a.name, Load: p.rule, Quirks: p.quirks},
		place: p, look: l,
	}
}

// placed looks at a place below folders of the user.
func (f *finder) placed(a agent, p place) {
	f.start(func() {
		for _, root := range p.roots(f.Machine) {
			if root = f.absolute(root); root == "" {
				continue
			}
			l := look{Machine: f.Machine, root: root}
			f.start(func() { f.expand(a, p, l, root, p.names) }, func(problem string) {
				if problem != "" {
					r := rowOf(a, p, l, root)
					r.Problem = problem
					f.count(r)
				}
			})
		}
	}, nil)
}

// project looks at the places within a project.
func (f *finder) project(root string) {
	if root == "" || !f.first(f.projects, root) {
		return
	}
	f.start(func() {
		if !f.isDir(root) {
			return
		}
		root := f.spelled(root)
		for _, a := range agents {
			for _, p := range a.places {
				if p.inProjects() && root != f.Home { // the places of the home folder are the user's
					f.expand(a, p, look{Machine: f.Machine, root: root}, root, p.names)
				}
			}
		}
		// A session reads the instruction files of the folders above, too.
		for at := root; at != "" && f.first(f.folders, at); at, _ = split(at) {
			for _, a := range files.Agents() {
				if f.instructed(a, at) {
					f.store(instructionRow(a, filepath.Join(at, a.File), at))
				}
			}
		}
	}, nil)
}

// expand lists the directories that the names of a place match.
func (f *finder) expand(a agent, p place, l look, dir string, names []string) {
	if len(names) == 0 {
		f.store(rowOf(a, p, l, dir))
		return
	}
	if names[0] != anyFolder {
		f.expand(a, p, l, filepath.Join(dir, names[0]), names[1:])
		return
	}
	entries, err := readDir(dir, 0)
	if err != nil {
		return
	}
	slices.SortFunc(entries, byName)
	for _, e := range entries {
		if !e.IsDir() {
			continue
		}
		within := l
		within.folder = filepath.Join(dir, e.Name())
		f.expand(a, p, within, within.folder, names[1:])
		if p.owner != nil && !p.inProjects() {
			f.start(func() {
				if o := p.owner(f.ctx, within); !o.stranded {
					f.project(o.root)
				}
			}, nil)
		}
	}
}

// store lists a store in a place if it is there. In a project, a file with the name of a folder is no store.
func (f *finder) store(r row) {
	r.Real, r.Problem = f.checked(r.Found)
	if r.Real != "" || r.Problem != "" && !r.place.inProjects() {
		f.count(r)
	}
}

// count reports a store that has not been found yet, with what is in it, and whose it is.
func (f *finder) count(r row) {
	switch {
	case !f.isNew(r.Found):
	case r.Real == "": // there is nothing to count
		f.report(r.Found)
	default:
		var once sync.Once
		f.start(func() {
			found := f.Machine.count(f.ctx, r.Found)
			found.of(r.place.ownerOf(f.ctx, r.look))
			once.Do(func() { f.report(found) })
		}, func(problem string) {
			late := r.Found
			late.Problem, late.More = problem, true
			once.Do(func() { f.report(late) })
		})
	}
}

// of says whose a store is.
func (f *Found) of(o owner) { f.Project, f.Root, f.Stranded = o.project, o.root, o.stranded }

// byName orders the entries of a folder.
func byName(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) }
