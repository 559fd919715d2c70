package curate

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore/config"
	"memcurator/render/text"
)

// AddFolder proposes the configuration with a section for one more store, and writes it after a yes. listed is called with the
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
		c, err := config.Parse(place.File, data, place.Home)
		if err != nil {
			return nil, err
		}
		if slices.Contains(c.Paths(), dir) || slices.ContainsFunc(c.Stores(), func(one config.Store) bool { return one.Dir == dir }) {
			return nil, said("The configuration lists " + name + " already")
		}
		return config.AppendStore(place.File, data, place.Home, storeName(dir, c.Stores()), written)
	})
}

// The bounds of a completion: it must not hold up the keys.
const (
	foldersWithin = 200 * time.Millisecond
	foldersMost   = 10_000 // entries that are read
	foldersShown  = 200
)

// Folders completes a path that is typed to the folders there, and the files if they are wanted, written as the path is. Where the disk
// doesn't answer at once, there are none.
func Folders(typed, home string, files bool) []string {
	found := make(chan []string, 1)
	go func() { found <- foldersAt(typed, home, files) }()
	select {
	case list := <-found:
		return list
	case <-time.After(foldersWithin):
		return nil
	}
}

func foldersAt(typed, home string, files bool) (list []string) {
	if typed == "~" {
		return []string{"~" + string(os.PathSeparator)}
	}
	cut := len(typed)
	for cut > 0 && !os.IsPathSeparator(typed[cut-1]) {
		cut--
	}
	begun := typed[cut:]
	dir, _ := folderOf(typed[:cut], home)
	f, err := os.Open(dir)
	if err != nil {
		return nil
	}
	defer f.Close() // it was only read
	entries, _ := f.ReadDir(foldersMost)
	slices.SortFunc(entries, func(a, b os.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	for _, e := range entries {
		name := e.Name()
		switch {
		case !strings.HasPrefix(name, begun), begun == "" && name[0] == '.', len(list) == foldersShown,
			strings.ContainsAny(name, " \t\"'\\"), text.Clean(name) != name: // the line couldn't hold it unchanged
			continue
		}
		is := e.IsDir()
		if e.Type()&os.ModeSymlink != 0 {
			info, err := os.Stat(filepath.Join(dir, name))
			is = err == nil && info.IsDir()
		}
		if is {
			list = append(list, typed[:cut]+name+string(os.PathSeparator))
		} else if files {
			list = append(list, typed[:cut]+name)
		}
	}
	return list
}

// folderOf is the directory that was typed, and how the configuration names it.
func folderOf(typed, home string) (dir, written string) {
	dir = typed
	if rest, ok := text.CutTilde(dir); ok && home != "" {
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
