// Package discover finds memory directories on this machine, for a user who named none:
// those of the configuration, and those in the places where agents are known to keep
// them. It reads names, sizes and times, never a content, and changes nothing. What is found
// depends on a [Machine] alone, which tests make for every system. Called by cli.
package discover

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// The bounds of a look at one directory: what has more is said to have more.
const (
	maxEntries = 20_000
	maxDepth   = 32
	maxFound   = 500 // directories of one place
)

// Place is a named directory.
type Place struct{ Name, Dir string }

// Found is a directory that may be a store.
type Found struct {
	Name    string // "" where it has none
	Dir     string // as it was named or found
	Files   int
	More    bool      // there are more files than were counted
	Newest  time.Time // when a file was written last; zero where there is none
	Missing bool      // named, but not there
}

// Machine is all that discovery depends on: what it finds is a function of these values.
type Machine struct {
	System string // as [runtime.GOOS] names it; it decides how paths are written
	Home   string // the home folder of the user; "" where there is none
	Files  Files
}

// Files is a tree of files. Paths are written as the system writes them; relative ones are below the working directory.
type Files interface {
	Stat(path string) (fs.FileInfo, error)
	// ReadDir reads at most n entries of a folder, all where n is 0, in any order.
	ReadDir(path string, n int) ([]fs.DirEntry, error)
	// Abs is a path from the root; Resolve is that path without links in it.
	Abs(path string) (string, error)
	Resolve(path string) (string, error)
}

// Local is this machine, for a user with a home folder.
func Local(home string) Machine { return Machine{System: runtime.GOOS, Home: home, Files: disk{}} }

// disk are the files of this machine.
type disk struct{}

func (disk) Stat(path string) (fs.FileInfo, error) { return os.Stat(path) }
func (disk) Abs(path string) (string, error)       { return filepath.Abs(path) }

func (disk) Resolve(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		real = path
	}
	return filepath.Abs(real)
}

func (disk) ReadDir(path string, n int) ([]fs.DirEntry, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	return f.ReadDir(max(n, -1))
}

// anyFolder matches each folder of a place.
const anyFolder = "*"

// The places where agents are known to keep memories.
var (
	belowWork = [][]string{{"memories"}, {"memory", "memories"}, {".claude", "agent-memory", anyFolder}}
	belowHome = [][]string{{"memories"}, {".claude", "projects", anyFolder, "memory"}, {".claude", "agent-memory", anyFolder}}
)

// wellKnown are the folders that are in the known places, in their order.
func (m Machine) wellKnown() (list []string) {
	for _, place := range belowWork {
		list = append(list, m.expand("", place)...)
	}
	if m.Home != "" {
		for _, place := range belowHome {
			list = append(list, m.expand(m.Home, place)...)
		}
	}
	return list
}

// expand lists the folders that a place stands for, by name.
func (m Machine) expand(at string, place []string) []string {
	if len(place) == 0 {
		if !m.isDir(at) {
			return nil
		}
		return []string{at}
	}
	if place[0] != anyFolder {
		return m.expand(m.join(at, place[0]), place[1:])
	}
	entries, err := m.Files.ReadDir(at, 0)
	if err != nil {
		return nil
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	var list []string
	for _, e := range entries {
		if len(list) >= maxFound {
			break
		}
		list = append(list, m.expand(m.join(at, e.Name()), place[1:])...)
	}
	return list
}

// separators are the bytes that separate the names of a path, the one that is written first.
func (m Machine) separators() string {
	if m.System == "windows" {
		return `\/`
	}
	return "/"
}

func (m Machine) join(dir, name string) string {
	if dir == "" || strings.ContainsRune(m.separators(), rune(dir[len(dir)-1])) {
		return dir + name
	}
	return dir + m.separators()[:1] + name
}

// split cuts the last name off a path.
func (m Machine) split(path string) (dir, name string) {
	path = strings.TrimRight(path, m.separators())
	at := strings.LastIndexAny(path, m.separators())
	if at < 0 {
		return "", path
	}
	return path[:at], path[at+1:]
}

// Find returns the named directories in their order, then those in the known places, what was
// written last first. A directory is there once, whatever names lead to it. Where ctx ends
// early, counts are incomplete and say so.
func (m Machine) Find(ctx context.Context, named []Place) []Found {
	var all []Found
	seen := map[string]bool{}
	add := func(f Found) {
		real, err := m.Files.Resolve(f.Dir)
		if err == nil && seen[real] {
			return
		}
		seen[real] = true
		all = append(all, f)
	}
	for _, p := range named {
		add(Found{Name: p.Name, Dir: p.Dir, Missing: !m.isDir(p.Dir)})
	}
	for _, dir := range m.wellKnown() {
		add(Found{Dir: dir})
	}
	m.countAll(ctx, all)
	rest := all[slices.IndexFunc(append(all, Found{}), func(f Found) bool { return f.Name == "" }):]
	slices.SortStableFunc(rest, func(a, b Found) int {
		return b.Newest.Compare(a.Newest)
	})
	return all
}

func (m Machine) isDir(path string) bool {
	info, err := m.Files.Stat(path)
	return err == nil && info.IsDir()
}

// countAll looks at some directories at a time.
func (m Machine) countAll(ctx context.Context, all []Found) {
	var group sync.WaitGroup
	turn := make(chan struct{}, 8)
	for i := range all {
		if all[i].Missing {
			continue
		}
		turn <- struct{}{}
		group.Go(func() {
			defer func() { <-turn }()
			c := counter{Machine: m, ctx: ctx, found: &all[i], left: maxEntries}
			c.look(all[i].Dir, 0)
		})
	}
	group.Wait()
}

type counter struct {
	Machine
	ctx   context.Context
	found *Found
	left  int
}

// look counts the files below a directory; links are not followed.
func (c *counter) look(dir string, depth int) {
	if c.ctx.Err() != nil || depth > maxDepth {
		c.found.More = true
		return
	}
	entries, err := c.Files.ReadDir(dir, c.left+1)
	if err != nil {
		return // an empty folder, or one that is closed to us
	}
	for _, e := range entries {
		if c.left == 0 {
			c.found.More = true
			return
		}
		c.left--
		switch {
		case e.IsDir():
			c.look(c.join(dir, e.Name()), depth+1)
		case e.Type().IsRegular():
			c.found.Files++
			if info, err := e.Info(); err == nil && info.ModTime().After(c.found.Newest) {
				c.found.Newest = info.ModTime()
			}
		}
	}
}
