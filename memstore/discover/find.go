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
	places = []source{{list: func() listing { return listing{rows: m.userInstructions()} }}}
	var ofUser []row
	var worked []source // that name the folders in which agents worked
	for _, a := range agents {
		for _, p := range a.places {
			if !p.inProjects() {
				ofUser = append(ofUser, rowOf(a, p, look{Machine: m}, ""))
			}
		}
		if a.projects != nil {
			worked = append(worked, source{list: func() listing { return listing{projects: a.projects(ctx, m)} }})
		}
	}
	answers(ctx, ofUser, f.placed, func(row, string) []source { return nil }, func(l []source) { places = append(places, l...) })
	projects := slices.Concat(f.look(places), f.look(worked), []string{m.work()})
	slices.Sort(projects)
	places = nil
	for _, root := range slices.Compact(projects) {
		if root != "" {
			places = append(places, source{list: func() listing { return listing{rows: f.project(root)} }})
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

// source is where stores may be.
type source struct {
	list func() listing
	late *row // what is reported if it doesn't answer; nil: nothing
}

// listing is what is at a source.
type listing struct {
	rows     []row
	owned    []row    // folders of the user, with a store or without: their owners are projects
	projects []string // folders of others
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

// look reports the stores at several sources, and returns the projects that they name.
func (f *finder) look(places []source) (projects []string) {
	var all listing
	answers(f.ctx, places, func(s source) listing { return s.list() }, func(s source, problem string) (l listing) {
		if s.late != nil && problem != "" {
			l.rows = []row{*s.late}
			l.rows[0].Problem, l.rows[0].More = problem, true
		}
		return l
	}, func(l listing) {
		all.rows, all.owned = append(all.rows, l.rows...), append(all.owned, l.owned...)
		projects = append(projects, l.projects...)
	})
	// Of one directory that was found twice, the row with a name counts.
	slices.SortStableFunc(all.rows, func(a, b row) int { return strings.Compare(b.Name, a.Name) })
	f.count(all.rows)
	answers(f.ctx, all.owned, func(r row) owner { return r.place.ownerOf(f.ctx, r.look) }, func(row, string) (o owner) { return o },
		func(o owner) {
			if !o.stranded {
				projects = append(projects, o.root)
			}
		})
	return projects
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
	return source{late: &late, list: func() (l listing) {
		if p.Name == "" && len(names) > 0 {
			f.expand(&l, rowOf(agent{}, place{roots: home(), names: names}, look{Machine: f.Machine, root: root}, root), root, names)
			return l
		}
		r := f.rowAt(p.Dir)
		r.Name = p.Name
		r.Real, r.Problem = f.checked(r.Found)
		r.Missing = r.Real == "" && r.Problem == ""
		l.rows = append(l.rows, r)
		return l
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
		list = append(list, source{late: &late, list: func() (l listing) {
			f.expand(&l, late, root, in.place.names)
			return l
		}})
	}
	return list
}

// project lists the stores within a project.
func (f *finder) project(root string) []row {
	if !f.isDir(root) {
		return nil
	}
	root = f.spelled(root)
	var l listing
	for _, a := range agents {
		for _, p := range a.places {
			if p.inProjects() && root != f.Home { // the places of the home folder are the user's
				f.expand(&l, rowOf(a, p, look{Machine: f.Machine, root: root}, root), root, p.names)
			}
		}
	}
	// A session reads the instruction files of the folders above, too.
	for at := root; at != ""; at, _ = split(at) {
		for _, a := range files.Agents() {
			if f.instructed(a, at) {
				l.add(f.Machine, instructionRow(a, filepath.Join(at, a.File), at))
			}
		}
	}
	return l.rows
}

// expand lists the directories that the names of a place match, from one below its root on. of is a row of the place.
func (f *finder) expand(to *listing, of row, dir string, names []string) {
	if len(names) == 0 {
		of.Path, of.look.dir = dir, dir
		to.add(f.Machine, of)
		return
	}
	if names[0] != anyFolder {
		f.expand(to, of, filepath.Join(dir, names[0]), names[1:])
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
		of.look.folder = filepath.Join(dir, e.Name())
		f.expand(to, of, of.look.folder, names[1:])
		if of.place.owner != nil && !of.place.inProjects() {
			to.owned = append(to.owned, of)
		}
	}
}

// add adds a store in a place if it is there. In a project, a file with the name of a folder is no store.
func (l *listing) add(m Machine, r row) {
	r.Real, r.Problem = m.checked(r.Found)
	if r.Real != "" || r.Problem != "" && !r.place.inProjects() {
		l.rows = append(l.rows, r)
	}
}

// count reports those of stores that have not been found yet, each with what is in it, and whose it is.
func (f *finder) count(rows []row) {
	rows = slices.DeleteFunc(rows, func(r row) bool { return !f.isNew(r.Found) })
	answers(f.ctx, rows, func(r row) Found {
		if r.Real == "" { // there is nothing to count
			return r.Found
		}
		found := f.Machine.count(f.ctx, r.Found)
		found.of(r.place.ownerOf(f.ctx, r.look))
		return found
	}, func(r row, problem string) Found {
		r.Problem, r.More = cmp.Or(r.Problem, problem), true
		return r.Found
	}, f.found)
}

// of says whose a store is.
func (f *Found) of(o owner) { f.Project, f.Root, f.Stranded = o.project, o.root, o.stranded }

// byName orders the entries of a folder.
func byName(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) }
