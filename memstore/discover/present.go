package discover

import (
	"context"
	"path/filepath"
	"slices"
	"time"

	"memcurator/memstore/backend/chain"
)

// Present lists the folders that are in the places below folders of the user now, as far as the table knows them without reading any file:
// who has the list of a moment ago learns whether a store came or went. Those within projects are for [Machine.PresentIn].
func (m Machine) Present(ctx context.Context) (list []string) {
	for _, a := range agents {
		for _, p := range a.places {
			if p.inProjects() {
				continue
			}
			for _, root := range p.roots(m) {
				if filepath.IsAbs(root) {
					list = m.present(ctx, list, p, root, p.names)
				}
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// PresentIn lists the stores that are in projects now, and the chains of instruction files that begin in their folders, as
// [Machine.Present] does.
func (m Machine) PresentIn(ctx context.Context, projects []string) (list []string) {
	for _, root := range projects {
		for _, a := range agents {
			for _, p := range a.within(m, root) {
				for _, in := range p.in(m, root) {
					list = m.present(ctx, list, p, in, p.names)
				}
			}
		}
		for _, a := range chain.Agents() {
			if ctx.Err() == nil && m.instructed(a, root) {
				list = append(list, filepath.Join(root, a.File))
			}
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// Changed returns when a folder last changed: when something appeared in it, or vanished. It is zero for one that is gone.
func (m Machine) Changed(folder string) time.Time {
	info, err := m.Files.Stat(folder)
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

func (m Machine) present(ctx context.Context, list []string, p place, dir string, names []string) []string {
	at := slices.Index(names, anyFolder)
	if at < 0 {
		if dir = under(dir, names...); p.kind.OfProgram() && m.isFile(dir) || !p.kind.OfProgram() && m.isDir(dir) {
			list = append(list, dir)
		}
		return list
	}
	dir = under(dir, names[:at]...)
	entries, err := m.Files.ReadDir(dir, maxRows)
	if err != nil {
		return list
	}
	for _, e := range entries {
		if ctx.Err() == nil && e.IsDir() {
			list = m.present(ctx, list, p, filepath.Join(dir, e.Name()), names[at+1:])
		}
	}
	return list
}
