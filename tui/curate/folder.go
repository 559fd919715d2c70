package curate

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore/config"
	"memcurator/render/text"
)

// AddFolder proposes the configuration with one more folder in [discover] paths, and writes it after a yes. listed is called with the
// folder whenever the file has changed.
func (s *Screen) AddFolder(place ConfigPlace, typed string, listed func(dir string) tea.Cmd) tea.Cmd {
	dir, written := folderOf(typed, place.Home)
	place.Dir = dir
	w := &configWriter{env: s.env, shell: s.shell, edits: s.edits, place: place, list: true}
	w.written = func(configEdit) tea.Cmd { return listed(dir) }
	name := text.Clean(written)
	return w.change("Add "+name+" to the stores", "Added "+name, func(data []byte) ([]byte, error) {
		switch info, err := os.Stat(dir); {
		case os.IsPermission(err):
			return nil, said("Can't add " + name + ": permission denied")
		case err != nil:
			return nil, said("Can't add " + name + ": no such folder")
		case !info.IsDir():
			return nil, said("Can't add " + name + ": it is a file. Name its folder")
		}
		d, err := config.Edit(place.File, data, place.Home)
		if err != nil {
			return nil, err
		}
		c, err := config.Parse(place.File, data, place.Home)
		if err != nil {
			return nil, err
		}
		if slices.Contains(c.Paths(), dir) || slices.ContainsFunc(c.Stores(), func(one config.Store) bool { return one.Dir == dir }) {
			return nil, said("The configuration lists " + name + " already")
		}
		splice, err := d.AddPath(written)
		if err != nil {
			return nil, err
		}
		return d.Apply(place.Home, splice)
	})
}

// folderOf is the directory that was typed, and how the configuration names it.
func folderOf(typed, home string) (dir, written string) {
	dir = typed
	if rest, ok := strings.CutPrefix(dir, "~"); ok && home != "" && (rest == "" || os.IsPathSeparator(rest[0])) {
		dir = filepath.Join(home, rest)
	}
	if full, err := filepath.Abs(dir); err == nil {
		dir = full
	}
	if rel, err := filepath.Rel(home, dir); home != "" && err == nil && filepath.IsLocal(rel) && rel != "." {
		return dir, "~/" + filepath.ToSlash(rel)
	}
	return dir, dir
}
