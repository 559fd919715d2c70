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
	"time"

	"memcurator/memstore/backend/files"
)

// Find returns the stores of this machine: the named directories in their order, then those in the places of the table, what was written
// last first. A directory is there once, whatever names lead to it. Where ctx ends early, counts are incomplete and say so.
func (m Machine) Find(ctx context.Context, named []Place) []Found {
	at := map[string]int{}
	var all []Found
	m.Each(ctx, named, func(f Found) {
		i, again := at[f.Path]
		if !again {
			i = len(all)
			at[f.Path] = i
			all = append(all, Found{})
		}
		all[i] = f
	})
	order := func(f Found) int {
		if i := slices.IndexFunc(named, func(p Place) bool { return p.Dir == f.Dir }); i >= 0 {
			return i
		}
		return len(named)
	}
	for i, f := range all {
		if !f.Counted {
			all[i].More = true
		}
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

// Each finds the stores of this machine and reports each as soon as its place is known, again when its files are counted, and whenever
// more is known of it; Path says which it is. Named directories are those of the configuration; in one without a name, "*" in place of a
// name stands for each folder. Each never calls found from two goroutines at once. It doesn't wait longer than [patience] for a store it
// has found or a named directory, and reports one that hasn't answered by then with a Problem. It does wait for the folders in which it
// looks for stores, and for the agents' lists of projects, because it couldn't say what it missed. Each returns when all have answered or
// their time is over, or when ctx ends.
//
// Each looks only at the places of the table, and follows no links within a store. It looks for places within projects in the working
// directory, and in the folders that transcripts and workspaces of an agent name.
func (m Machine) Each(ctx context.Context, named []Place, found func(Found)) {
	m.seen = &seen{}
	f := finder{
		Machine: m, ctx: ctx, found: found, events: make(chan func()), ended: make(chan struct{}),
		turns:  make(chan struct{}, countAtOnce),
		byPath: map[string]int{}, byReal: map[string]int{}, answered: map[Place]bool{}, projects: map[string]bool{},
	}
	defer close(f.ended)
	for _, p := range named {
		f.named(p)
	}
	f.placed()
	f.userLevel()
	f.project(m.work())
	if f.run() {
		f.listed()
		f.run()
	}
	for _, p := range named {
		if !f.answered[p] { // ctx ended first
			f.add(row{Found: Found{Name: p.Name, Path: p.Dir, Dir: p.Dir, Kind: KindDir, More: true}})
		}
	}
}

// The bounds of a run.
const (
	countAtOnce = 8                      // stores that are counted at a time
	patience    = 5 * time.Second        // for a store that doesn't answer
	maxRows     = 10_000                 // stores
	maxProjects = 100_000                // folders in which agents worked
	lastWords   = 100 * time.Millisecond // to report incomplete counts after the context ends
)

// finder is one run of [Machine.Each]. Its fields belong to the goroutine that runs it; tasks send it functions in events.
type finder struct {
	Machine
	ctx      context.Context
	found    func(Found)
	events   chan func()
	ended    chan struct{} // closed when events have no reader anymore
	open     int           // tasks that haven't ended
	turns    chan struct{} // held by the slow ones that are under way
	rows     []row
	byPath   map[string]int // rows by their path
	byReal   map[string]int // rows by the directory without links
	answered map[Place]bool
	projects map[string]bool // folders whose places were looked at
}

// row is a store with what its owner and size are found by.
type row struct {
	Found
	place place
	look  look
	// version counts what was learned of its place.
	version int
}

// send hands something to do to the finder, unless it has ended.
func (f *finder) send(do func()) {
	select {
	case f.events <- do:
	case <-f.ended:
	}
}

// run does what tasks send until all have ended. It returns false if ctx ended first.
func (f *finder) run() bool {
	end := f.ctx.Done()
	var last <-chan time.Time
	for f.open > 0 {
		select {
		case do := <-f.events:
			do()
		case <-end:
			end, last = nil, time.After(lastWords)
		case <-last:
			return false
		}
	}
	return f.ctx.Err() == nil
}

// start does work that may wait for the disk. One that is slow takes turns with others. late, unless nil, runs in the finder if the work
// takes longer than it may; then the finder stops waiting for it.
func (f *finder) start(slow bool, work, late func()) {
	f.open++
	go func() {
		if slow {
			f.turns <- struct{}{}
			defer func() { <-f.turns }()
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			work()
		}()
		var over <-chan time.Time
		if late != nil {
			timer := time.NewTimer(patience)
			defer timer.Stop()
			over = timer.C
		}
		select {
		case <-done:
			late = nil
		case <-over:
		case <-f.ended:
			return
		}
		f.send(func() {
			if f.open--; late != nil {
				late()
			}
		})
	}()
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
	if root, names := untilAny(p.Dir); p.Name == "" && len(names) > 0 {
		f.answered[p] = true
		any := place{roots: func(Machine) []string { return []string{root} }, names: names}
		f.start(false, func() { f.expand(agent{}, any, look{Machine: f.Machine, root: root}, root, names) }, nil)
		return
	}
	found := row{Found: Found{Name: p.Name, Path: p.Dir, Dir: p.Dir, Kind: KindDir}}
	f.start(false, func() {
		r, ok := f.namedInstructions(p)
		if !ok {
			r, ok = f.namedProgram(p)
		}
		if !ok {
			r = f.checked(found)
		}
		r.Missing = r.Real == "" && r.Problem == ""
		f.send(func() {
			f.answered[p] = true
			f.add(r)
		})
	}, func() {
		f.answered[p] = true
		silent := found // the task may still read found
		silent.Problem = problemSilent
		f.add(silent)
	})
}

// checked checks that the path of a row is a directory.
func (m Machine) checked(r row) row {
	info, err := os.Stat(r.Dir)
	switch {
	case err != nil:
		r.Problem = problemOf(err)
	case r.Kind.OfProgram():
		if r.Real = resolve(r.Dir); !info.Mode().IsRegular() {
			r.Real, r.Problem = "", problemFolder
		}
	case !info.IsDir():
		r.Problem = problemFile
	default:
		r.Real = resolve(r.Dir)
	}
	return r
}

// rowOf is a row for a directory in a place.
func rowOf(a agent, p place, l look, dir string) row {
	l.dir = dir
	return row{
		Found: Found{Path: dir, Dir: dir, Kind: p.kindOf(), Agent: a.name, Load: p.rule, Preset: p.preset, Quirks: p.known(),
			Cautions: p.cautions},
		place: p, look: l,
	}
}

// placed looks at the places below folders of the user.
func (f *finder) placed() {
	for _, a := range agents {
		for _, p := range a.places {
			if p.inProjects() {
				continue
			}
			f.start(false, func() {
				for _, root := range p.roots(f.Machine) {
					if root = f.absolute(root); root != "" {
						f.expand(a, p, look{Machine: f.Machine, root: root}, root, p.names)
					}
				}
			}, nil)
		}
	}
}

// userLevel looks for the instruction files of the user.
func (f *finder) userLevel() {
	f.start(false, func() {
		f.userInstructions(func(a files.Agent, file string) { f.addInstructions(a, file, "") })
	}, nil)
}

// project looks at the places within a project.
func (f *finder) project(root string) {
	if root == "" || f.projects[root] || len(f.projects) == maxProjects {
		return
	}
	f.projects[root] = true
	f.start(len(f.projects) > 1, func() {
		info, err := os.Stat(root)
		if err != nil || !info.IsDir() {
			return
		}
		root := f.spelled(root)
		for _, a := range agents {
			for _, p := range a.within(f.Machine, root) {
				for _, in := range p.in(f.Machine, root) {
					f.expand(a, p, look{Machine: f.Machine, root: root}, in, p.names)
				}
			}
		}
		f.instructions(root, func(a files.Agent, file, in string) { f.addInstructions(a, file, in) })
	}, func() {})
}

// listed looks at the projects that the agents list.
func (f *finder) listed() {
	for _, a := range agents {
		if a.projects == nil {
			continue
		}
		f.start(true, func() {
			a.projects(f.ctx, f.Machine, func(root string) { f.send(func() { f.project(root) }) })
		}, nil)
	}
}

// expand adds the directories that the names of a place match, in the order of their names.
func (f *finder) expand(a agent, p place, l look, dir string, names []string) {
	if len(names) == 0 {
		there := l.checked(row{Found: Found{Dir: dir, Kind: p.kind}})
		if there.Real == "" && (there.Problem == "" || p.inProjects()) {
			return // a project may have a file of that name, and an unreadable project shows no memories
		}
		r := rowOf(a, p, l, dir) // reads settings: not for the many places where nothing is
		r.Real, r.Problem = there.Real, there.Problem
		f.send(func() { f.add(r) })
		return
	}
	if names[0] != anyFolder {
		f.expand(a, p, l, filepath.Join(dir, names[0]), names[1:])
		return
	}
	entries, err := readDir(dir, 0)
	if errors.Is(err, fs.ErrPermission) && !p.inProjects() {
		r := rowOf(a, p, l, dir)
		r.Problem = problemDenied
		f.send(func() { f.add(r) })
	}
	if err != nil {
		return
	}
	slices.SortFunc(entries, byName)
	for _, e := range entries {
		if f.ctx.Err() != nil {
			return
		}
		if !e.IsDir() {
			continue
		}
		within := l
		within.names = append(l.names[:len(l.names):len(l.names)], e.Name())
		f.expand(a, p, within, filepath.Join(dir, e.Name()), names[1:])
	}
}

// add adds a store, or merges another name of a known one into its row.
func (f *finder) add(r row) {
	i, known := f.byPath[r.Path]
	if !known && r.Real != "" {
		i, known = f.byReal[r.Real]
	}
	if !known {
		if len(f.rows) == maxRows {
			return
		}
		i = len(f.rows)
		f.rows = append(f.rows, row{Found: Found{Path: r.Path}})
		f.byPath[r.Path] = i
	}
	old := &f.rows[i]
	r.Path = old.Path
	if known {
		r.Name = cmp.Or(old.Name, r.Name)
		r.Dir = cmp.Or(old.Dir, r.Dir)
		if old.Real != "" && (r.Agent == "" || old.Agent != "" && r.place.rank() <= old.place.rank()) { // nothing that wasn't known
			if old.Name == r.Name {
				return
			}
			old.Name = r.Name
			f.found(old.Found)
			return
		}
		if r.Agent == "" {
			r.Agent, r.Load, r.Preset, r.place, r.look = old.Agent, old.Load, old.Preset, old.place, old.look
			r.Quirks, r.Cautions = old.Quirks, old.Cautions
		}
	}
	r.Counted = r.Real == ""
	if r.Real != "" {
		f.byReal[r.Real] = i
	}
	r.version = old.version + 1
	*old = r
	f.found(r.Found)
	if r.Real != "" {
		f.count(i, r)
	}
}

// count learns what is in a store, and whose it is.
func (f *finder) count(i int, r row) {
	f.start(true, func() {
		o := r.place.ownerOf(f.ctx, r.look)
		c := counter{Machine: f.Machine, ctx: f.ctx, found: r.Found, left: maxEntries}
		switch {
		case r.Kind == KindInstructions:
			c.countInstructions()
		case r.Kind.OfProgram():
			c.records()
		default:
			c.look(r.Dir, 0)
		}
		f.send(func() {
			now, c := &f.rows[i].Found, c.found
			now.Files, now.Bytes, now.Newest, now.More = c.Files, c.Bytes, c.Newest, c.More
			now.Problem, now.Load, now.Sealed, now.Counted = c.Problem, c.Load, c.Sealed, true
			if r.version == f.rows[i].version { // else its place was not known yet
				now.Project, now.Root, now.Others, now.Stranded = o.project, o.root, o.others, o.stranded
			}
			f.found(*now)
			if !o.stranded {
				f.project(o.root)
			}
		})
	}, func() {
		f.rows[i].Problem, f.rows[i].Counted = problemSilent, true
		f.found(f.rows[i].Found)
	})
}

// byName orders the entries of a folder.
func byName(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) }
