package files

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"memcurator/memstore/backend"
	"memcurator/memstore/backend/dir"
)

// Folder is the [backend.Backend] of the instruction files of one folder. It is safe for concurrent use.
type Folder struct {
	agent   Agent
	machine Machine
	home    string   // the folder, absolute and without links
	file    string   // names the store
	names   []string // those of the agent's Files that count here, below home
	disk    *dir.Dir
}

// Open opens the instruction files of the folder that an instruction file belongs to. The error is [backend.ErrNotExist] if the folder is
// missing, and [backend.ErrNotRegular] for any other file.
func Open(file string, m Machine) (*Folder, error) {
	full, err := filepath.Abs(file)
	if err != nil {
		return nil, err
	}
	agent, named, ok := Locate(full, m)
	if !ok {
		return nil, failed("open", file, backend.ErrNotRegular)
	}
	home, err := filepath.EvalSymlinks(filepath.Dir(named))
	if err != nil {
		return nil, err
	}
	f := &Folder{agent: agent, machine: m, home: home, file: filepath.Join(home, agent.File), names: agent.Files}
	if home == agent.folder(agent.user, m) {
		f.names = agent.UserFiles
	}
	f.disk, err = dir.Open(home, dir.Options{})
	return f, err
}

// Agent returns the agent that reads the files.
func (f *Folder) Agent() Agent { return f.agent }

// File returns the path that names the store. There need not be a file.
func (f *Folder) File() string { return f.file }

// Project returns the folder of the project: the one with .git in it, at or above this one; without one, this folder.
func (f *Folder) Project() string {
	for at, n := f.home, 0; n < mostAncestry; at, n = filepath.Dir(at), n+1 {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
	}
	return f.home
}

// Close implements [backend.Backend].
func (f *Folder) Close() error { return f.disk.Close() }

// Lock implements [backend.Backend].
func (f *Folder) Lock(ctx context.Context) (unlock func(), err error) { return f.disk.Lock(ctx) }

// takes reports whether the agent reads a file at a path below the folder because of its name.
func (f *Folder) takes(rel string) bool {
	return slices.Contains(f.names, rel) || f.inRules(rel) && strings.HasSuffix(rel, ruleSuffix)
}

// inRules reports whether a path is below a folder of rules.
func (f *Folder) inRules(rel string) bool {
	return slices.ContainsFunc(f.names, func(n string) bool { return strings.HasSuffix(n, "/") && strings.HasPrefix(rel, n) })
}

// holds reports whether a folder may have files of the store in it.
func (f *Folder) holds(rel string) bool {
	return rel == "." || f.inRules(rel) || slices.ContainsFunc(f.names, func(n string) bool { return strings.HasPrefix(n, rel+"/") })
}

// place returns where a name of the store is below the folder. The error is [backend.ErrNotExist] for one that the store can't have.
func (f *Folder) place(op, name string) (rel string, err error) {
	rel = onDisk(name)
	if back, ok := shown(rel); !ok || back != name || !f.takes(rel) && !f.holds(rel) {
		return "", failed(op, name, backend.ErrNotExist)
	}
	return rel, nil
}

// Stat implements [backend.Backend].
func (f *Folder) Stat(name string) (backend.Info, error) {
	rel, err := f.place("stat", name)
	if err != nil {
		return backend.Info{}, err
	}
	info, err := f.stat(rel)
	if err == nil && (info.Kind == backend.KindDir) == f.takes(rel) {
		err = failed("stat", name, backend.ErrNotExist) // a folder called CLAUDE.md
	}
	info.Name = path.Base(name)
	return info, err
}

// Lstat implements [backend.Backend].
func (f *Folder) Lstat(name string) (backend.Info, error) { return f.Stat(name) }

// stat describes a file or folder; one that can't be changed is read-only.
func (f *Folder) stat(rel string) (info backend.Info, err error) {
	if info, err = f.disk.Stat(rel); errors.Is(err, backend.ErrEscapes) {
		err = f.elsewhere(rel, func(d *dir.Dir, base string) error {
			info, err = d.Stat(base)
			info.Mode &^= 0o222
			return err
		})
	}
	return info, err
}

// elsewhere reads a file behind a link that leads out of the folder.
func (f *Folder) elsewhere(rel string, read func(d *dir.Dir, base string) error) error {
	real, err := filepath.EvalSymlinks(f.path(rel))
	if err != nil {
		return failed("open", rel, backend.ErrNotExist)
	}
	d, err := dir.Open(filepath.Dir(real), dir.Options{})
	if err != nil {
		return err
	}
	defer func() { _ = d.Close() }() // it was only read
	return read(d, filepath.Base(real))
}

// path is where something below the folder is on this machine.
func (f *Folder) path(rel string) string { return filepath.Join(f.home, filepath.FromSlash(rel)) }

// ReadDir implements [backend.Backend].
func (f *Folder) ReadDir(name string) (list []backend.Info, err error) {
	rel, err := f.place("readdir", name)
	if err != nil {
		return nil, err
	}
	if f.takes(rel) {
		return nil, failed("readdir", name, backend.ErrNotDir)
	}
	entries, err := f.disk.ReadDir(rel)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		at := path.Join(rel, e.Name)
		child, ok := shown(at)
		switch {
		case !ok:
			continue
		case f.takes(at):
			if e, err = f.stat(at); err != nil || e.Kind == backend.KindDir {
				continue // its link leads nowhere, or it is a folder
			}
		case e.Kind != backend.KindDir || !f.inRules(at+"/") && !f.any(at):
			continue
		}
		e.Name = path.Base(child)
		list = append(list, e)
	}
	slices.SortFunc(list, func(a, b backend.Info) int { return cmp.Compare(a.Name, b.Name) })
	return list, nil
}

// any reports whether a folder has something in it that belongs to the store.
func (f *Folder) any(rel string) bool {
	return slices.ContainsFunc(f.names, func(n string) bool {
		_, err := os.Lstat(f.path(n))
		return strings.HasPrefix(n, rel+"/") && err == nil
	})
}

// Readlink implements [backend.Backend]: there are no links.
func (f *Folder) Readlink(name string) (string, error) {
	if _, err := f.Stat(name); err != nil {
		return "", err
	}
	return "", failed("readlink", name, fs.ErrInvalid)
}

// Open implements [backend.Backend].
func (f *Folder) Open(name string, a backend.Access) (file backend.File, err error) {
	rel, err := f.place("open", name)
	if err != nil {
		return nil, err
	}
	if file, err = f.disk.Open(rel, a); errors.Is(err, backend.ErrEscapes) {
		err = f.elsewhere(rel, func(d *dir.Dir, base string) error {
			file, err = d.Open(base, a)
			return err
		})
	}
	return file, err
}

// Changes implements [backend.Partial].
func (f *Folder) Changes(name string) error {
	info, err := f.Stat(name)
	if err == nil && (info.Kind == backend.KindDir || info.Mode&0o222 == 0) {
		err = failed("replace", name, denied{backend.ErrFixed})
	}
	return err
}

// Create implements [backend.Backend]. The error wraps [backend.ErrNotLoaded] where the agent would read no file of that name.
func (f *Folder) Create(name string, data []byte) error {
	return f.making(name, func(rel string) error { return f.disk.Create(rel, data) })
}

func (f *Folder) making(name string, do func(rel string) error) error {
	if rel, err := f.place("create", name); err != nil || !f.takes(rel) {
		return failed("create", name, denied{backend.ErrNotLoaded})
	}
	return do(onDisk(name))
}

// Replace implements [backend.Backend]. The error wraps [backend.ErrFixed] for a file behind a link that leads out of the folder.
func (f *Folder) Replace(name string, old, data []byte) error {
	rel, err := f.place("replace", name)
	if err == nil {
		err = f.disk.Replace(rel, old, data)
	}
	switch {
	case errors.Is(err, backend.ErrEscapes):
		return failed("replace", name, denied{backend.ErrFixed})
	case errors.Is(err, backend.ErrNotExist):
		return failed("replace", name, backend.ErrChanged)
	}
	return err
}

// Remove implements [backend.Backend]. Folders stay, since they may hold what is not part of the store, and so do links, which an undo
// could not bring back.
func (f *Folder) Remove(name string) error { return f.removing(name, f.disk.Remove) }

func (f *Folder) removing(name string, do func(rel string) error) error {
	rel, err := f.place("remove", name)
	if err != nil {
		return err
	}
	info, err := f.disk.Lstat(rel)
	if err != nil {
		return err
	}
	if !f.takes(rel) || info.Kind != backend.KindFile {
		return failed("remove", name, denied{backend.ErrFixed})
	}
	return do(rel)
}

// Rename implements [backend.Backend]. A file can be moved only to a name under which the agent reads it.
func (f *Folder) Rename(oldname, newname string) error {
	return f.removing(oldname, func(from string) error {
		return f.making(newname, func(to string) error { return f.disk.Rename(from, to) })
	})
}

// SweepTemps implements [backend.TempSweeper].
func (f *Folder) SweepTemps(folder string) error { return f.disk.SweepTemps(onDisk(folder)) }

// Stamp implements [backend.Stamper]. Folders belong to the project, so theirs stay.
func (f *Folder) Stamp(name string, to backend.Stamps) error {
	rel, err := f.place("stamp", name)
	if err != nil {
		return err
	}
	if !f.takes(rel) {
		return errors.ErrUnsupported
	}
	return f.disk.Stamp(rel, to)
}

// AccessTime implements [backend.AccessTimer].
func (f *Folder) AccessTime(name string) (time.Time, error) {
	rel, err := f.place("stat", name)
	if err != nil {
		return time.Time{}, err
	}
	return f.disk.AccessTime(rel)
}

// PathOf implements [backend.PathFinder].
func (f *Folder) PathOf(name string) string { return f.path(onDisk(name)) }

// NameOf returns the name in the store of a file on this machine; ok is false if it is not part of the store, or not there.
func (f *Folder) NameOf(file string) (name string, ok bool) {
	rel, ok := relTo(f.home, realParent(file))
	if !ok || !f.takes(rel) {
		return "", false
	}
	if name, ok = shown(rel); ok {
		_, err := f.Stat(name)
		ok = err == nil
	}
	return name, ok
}

// realParent is a path without links, but for one in its last segment.
func realParent(file string) string {
	full, err := filepath.Abs(file)
	if err != nil {
		return file
	}
	return filepath.Join(realOf(filepath.Dir(full)), filepath.Base(full))
}

// dot is what names in the store have in place of a dot that would hide them.
const dot = "dot-"

// shown is the name in the store of a path below the folder. ok is false for one that would collide, or would not be listed.
func shown(rel string) (name string, ok bool) {
	if rel == "." {
		return rel, true
	}
	segments := strings.Split(rel, "/")
	for i, s := range segments {
		switch {
		case s == "node_modules" || strings.HasPrefix(s, dot) || backend.TempName(s):
			return "", false
		case strings.HasPrefix(s, "."):
			segments[i] = dot + s[1:]
		}
	}
	return strings.Join(segments, "/"), true
}

// onDisk is the inverse of shown.
func onDisk(name string) string {
	segments := strings.Split(name, "/")
	for i, s := range segments {
		if rest, ok := strings.CutPrefix(s, dot); ok {
			segments[i] = "." + rest
		}
	}
	return strings.Join(segments, "/")
}

// relTo is the slash-separated path of something below a folder.
func relTo(folder, path string) (rel string, ok bool) {
	rel, err := filepath.Rel(folder, path)
	if err != nil || folder == "" || !filepath.IsLocal(rel) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

func failed(op, name string, err error) error { return &fs.PathError{Op: op, Path: name, Err: err} }

// denied is [backend.ErrPermission] with the reason.
type denied struct{ why error }

func (e denied) Error() string   { return e.why.Error() }
func (e denied) Unwrap() []error { return []error{backend.ErrPermission, e.why} }
