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
	f := finder{Machine: m, ctx: ctx, found: found, stores: map[string]bool{}}
	// A store of the configuration keeps its path and its name, so these come first.
	var places []source
	for _, p := range named {
		places = append(places, f.named(p))
	}
	f.look(places)
	places = []source{{list: m.userInstructions}}
	var ofUser []row
	for _, a := range agents {
		for _, p := range a.places {
			if !p.inProjects() {
				ofUser = append(ofUser, rowOf(a, p, look{Machine: m}, ""))
			}
		}
	}
	answers(ctx, ofUser, f.placed, func(row, string) []source { return nil }, func(l []source) { places = append(places, l...) })
	projects := append(f.look(places), m.work())
	answers(ctx, agents, func(a agent) []string { return a.projects(ctx, m) }, func(agent, string) []string { return nil },
		func(roots []string) { projects = append(projects, roots...) })
	slices.Sort(projects)
	places = nil
	for _, root := range slices.Compact(projects) {
		if root != "" {
			places = append(places, source{list: func() []row { return f.project(root) }})
		}
	}
	f.look(places)
}

// The bounds of a run.
const (
	atOnce   = 8               // folders that are looked at at a time
	patience = 5 * time.Second // for a folder that doesn't answer
)

// finder is one run of [Machine.Each].
type finder struct {
	Machine
	ctx    context.Context
	found  func(Found)
	stores map[string]bool // that were found, by their path, and by that without links
}

// row is a store, and what finds its owner.
type row struct {
	Found
	place place
	look  look
}

// source is where stores may be. Its rows are those of stores, and those of folders of the user that have none: their owners are projects.
type source struct {
	list func() []row
	late *row // what is reported if it doesn't answer; nil: nothing
}

// answers does work for several things side by side, and takes what comes of it, one after another. After [patience], or when ctx ends, it
// takes what late makes of a thing, with the problem or with "".
func answers[T, R any](ctx context.Context, list []T, work func(T) R, late func(thing T, problem string) R, take func(R)) {
	results, turns := make(chan R), make(chan struct{}, atOnce)
	for _, thing := range list {
		go func() {
			turns <- struct{}{}
			defer func() { <-turns }()
			done := make(chan R, 1)
			go func() { done <- work(thing) }()
			timer := time.NewTimer(patience)
			defer timer.Stop()
			select {
			case result := <-done:
				results <- result
			case <-timer.C:
				results <- late(thing, problemSilent)
			case <-ctx.Done():
				results <- late(thing, "")
			}
		}()
	}
	for range list {
		take(<-results)
	}
}

// look reports the stores at several sources that have not been found yet, each with what is in it, and whose it is. It returns the projects
// that folders of the user are for.
func (f *finder) look(places []source) (projects []string) {
	var rows []row
	answers(f.ctx, places, func(s source) []row { return s.list() }, func(s source, problem string) []row {
		if s.late == nil || problem == "" {
			return nil
		}
		late := *s.late
		late.Problem, late.More = problem, true
		return []row{late}
	}, func(l []row) { rows = append(rows, l...) })
	// Of one directory that was found twice, the row with a name counts.
	slices.SortStableFunc(rows, func(a, b row) int { return strings.Compare(b.Name, a.Name) })
	rows = slices.DeleteFunc(rows, func(r row) bool { return !f.isNew(r.Found) })
	answers(f.ctx, rows, func(r row) row {
		if r.Real != "" {
			r.Found = f.Machine.count(f.ctx, r.Found)
		}
		if r.Real != "" || r.namesProject() {
			r.of(r.place.ownerOf(f.ctx, r.look))
		}
		return r
	}, func(r row, problem string) row {
		if r.isStore() {
			r.Problem, r.More = cmp.Or(r.Problem, problem), true
		}
		return r
	}, func(r row) {
		if r.isStore() {
			f.found(r.Found)
		}
		if r.namesProject() && !r.Stranded {
			projects = append(projects, r.Root)
		}
	})
	return projects
}

// isStore reports whether a row is that of a store, or of a place that has to be one.
func (r *row) isStore() bool { return r.Real != "" || r.Problem != "" || r.Missing }

// namesProject reports whether a row is that of a folder of the user which is for a project.
func (r *row) namesProject() bool {
	return r.place.owner != nil && !r.place.inProjects() && r.look.folder != ""
}

// isNew reports whether a store has not been found yet.
func (f *finder) isNew(found Found) bool {
	was := f.stores[found.Path] || f.stores[found.Real]
	f.stores[found.Path] = true
	if found.Real != "" {
		f.stores[found.Real] = true
	}
	return !was
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

// named is a directory of the configuration.
func (f *finder) named(p Place) source {
	root, names := untilAny(p.Dir)
	late := row{Found: Found{Name: p.Name, Path: p.Dir, Kind: KindDir}}
	return source{late: &late, list: func() []row {
		if p.Name == "" && len(names) > 0 {
			return f.expand(rowOf(agent{}, place{roots: home(), names: names}, look{Machine: f.Machine, root: root}, root), root, names)
		}
		r := f.rowAt(p.Dir)
		r.Name = p.Name
		r.Real, r.Problem = f.checked(r.Found)
		r.Missing = r.Real == "" && r.Problem == ""
		return []row{r}
	}}
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

// placed are the roots of a place of the user: its settings name some.
func (f *finder) placed(in row) (list []source) {
	for _, root := range in.place.roots(f.Machine) {
		if root = f.absolute(root); root == "" {
			continue
		}
		late := in
		late.Path, late.look.dir, late.look.root = root, root, root
		list = append(list, source{late: &late, list: func() []row { return f.expand(late, root, in.place.names) }})
	}
	return list
}

// project lists the stores within a project.
func (f *finder) project(root string) (list []row) {
	if !f.isDir(root) {
		return nil
	}
	root = f.spelled(root)
	for _, a := range agents {
		for _, p := range a.places {
			if p.inProjects() && root != f.Home { // the places of the home folder are the user's
				list = append(list, f.expand(rowOf(a, p, look{Machine: f.Machine, root: root}, root), root, p.names)...)
			}
		}
	}
	// A session reads the instruction files of the folders above, too.
	for at := root; at != ""; at, _ = split(at) {
		for _, a := range files.Agents() {
			if f.instructed(a, at) {
				list = append(list, f.instructionRow(a, filepath.Join(at, a.File), at))
			}
		}
	}
	return list
}

// expand lists the directories that the names of a place match, from one below its root on. of is a row of the place.
func (f *finder) expand(of row, dir string, names []string) (list []row) {
	if len(names) == 0 {
		of.Path, of.look.dir = dir, dir
		of.Real, of.Problem = f.checked(of.Found)
		if of.place.inProjects() && of.Real == "" {
			return nil // a file with the name of a folder is no store
		}
		return []row{of}
	}
	if names[0] != anyFolder {
		return f.expand(of, filepath.Join(dir, names[0]), names[1:])
	}
	entries, err := readDir(dir, 0)
	if err != nil {
		return nil
	}
	slices.SortFunc(entries, byName)
	for _, e := range entries {
		if e.IsDir() {
			of.look.folder = filepath.Join(dir, e.Name())
			list = append(list, f.expand(of, of.look.folder, names[1:])...)
		}
	}
	return list
}

// of says whose a store is.
func (f *Found) of(o owner) {
	f.Project, f.Root, f.Others, f.Stranded = o.project, o.root, o.others, o.stranded
}

// byName orders the entries of a folder.
func byName(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) }
