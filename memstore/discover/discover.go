// Package discover finds what agents keep on this machine: memory directories (those of the configuration, and those in
// the places where agents are known to keep them) and transcripts of conversations. Lists are made of names, sizes and
// times alone; only [Machine.Head] opens a file, and nothing is changed. What is found depends on a [Machine] alone,
// which tests make for every system. Called by cli.
package discover

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"memcurator/memstore/load"
)

// The bounds of a look at one directory: what has more is said to have more.
const (
	maxEntries = 20_000
	maxDepth   = 32
	maxFound   = 500 // directories of one place
)

// Place is a named directory.
type Place struct{ Name, Dir string }

// Kind is what a store consists of. The words are those of the column kind of "stores --json".
type Kind string

// The kinds that discovery knows.
const (
	KindDir   Kind = "dir"   // a directory of files
	KindChain Kind = "chain" // the instruction files that an agent reads for a project, in their order
)

// Found is a store, or a directory that may be one.
type Found struct {
	Name    string // "" if it has none
	Path    string // names the store wherever DIR is taken: Dir, or the instruction file of a chain that is nearest to the project
	Dir     string // as it was named or found
	Kind    Kind
	Agent   string // whose memory it is, as people call it; "" if the place doesn't show it
	Project string // what it is the memory of; "" if the place doesn't show it
	Root    string // the folder of the project on this machine; "" if it is unknown or the store belongs to no project
	Load    load.Rule
	Preset  string   // the preset of the configuration that fits the agent; "" if none does
	Quirks  []string // what the agent does to its store by itself, a clause each
	Files   int
	Bytes   int64
	More    bool      // there are more files than were counted
	Newest  time.Time // when a file was last written; zero if there is none
	Missing bool      // named, but not there
	// Stranded is set if no transcript beside the store names a directory that exists, and no directory has the name of the store's folder.
	Stranded bool
}

// Machine is all that discovery depends on: what it finds is a function of these values.
type Machine struct {
	System string              // as [runtime.GOOS] names it; it decides how paths are written
	Home   string              // the home folder of the user; "" where there is none
	Getenv func(string) string // looks up a variable; nil: none is set
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
	Open(path string) (io.ReadCloser, error)
}

// Local is this machine, for a user with a home folder and an environment.
func Local(home string, getenv func(string) string) Machine {
	return Machine{System: runtime.GOOS, Home: home, Getenv: getenv, Files: disk{}}
}

// disk are the files of this machine.
type disk struct{}

func (disk) Stat(path string) (fs.FileInfo, error)   { return os.Stat(path) }
func (disk) Abs(path string) (string, error)         { return filepath.Abs(path) }
func (disk) Open(path string) (io.ReadCloser, error) { return os.Open(path) }

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

// place is where an agent is known to keep a memory. A new one is a row of [belowWork] or [belowHome].
type place struct {
	names []string // below the working directory or the home folder
	agent string
	// project says what the memory is of, by the names in place of [anyFolder]; nil: the place says nothing.
	project func(names []string) string
}

// The agents whose memory folders are known by their places.
const (
	claudeCode = "Claude Code"
	memoryTool = "memory tool"
)

var (
	belowWork = []place{
		{names: []string{"memories"}, agent: memoryTool},
		{names: []string{"memory", "memories"}, agent: memoryTool},
		{names: []string{".claude", "agent-memory", anyFolder}, agent: claudeCode, project: subagent},
	}
	belowHome = []place{
		{names: []string{"memories"}, agent: memoryTool},
		{names: []string{".claude", "projects", anyFolder, "memory"}, agent: claudeCode, project: slug},
		{names: []string{".claude", "agent-memory", anyFolder}, agent: claudeCode, project: subagent},
	}
)

// slug is what people know of a folder that Claude Code names after a project: the path with a dash for what separates
// folders, and for every other sign. Its last word is there whatever the path was.
func slug(names []string) string { return names[0][strings.LastIndexByte(names[0], '-')+1:] }

// subagent names the agent within the agent.
func subagent(names []string) string { return "subagent " + names[0] }

// wellKnown are the folders that are in the known places, in their order.
func (m Machine) wellKnown() (list []Found) {
	look := func(at string, places []place) {
		for _, p := range places {
			m.expand(at, p.names, nil, func(dir string, names []string) {
				f := Found{Path: dir, Dir: dir, Kind: KindDir, Agent: p.agent}
				if p.project != nil {
					f.Project = p.project(names)
				}
				list = append(list, f)
			})
		}
	}
	look("", belowWork)
	if m.Home != "" {
		look(m.Home, belowHome)
	}
	return list
}

// expand finds the folders that the names of a place mean, by name; names are those in place of [anyFolder].
func (m Machine) expand(at string, place, names []string, found func(dir string, names []string)) {
	if len(place) == 0 {
		if m.isDir(at) {
			found(at, names)
		}
		return
	}
	if place[0] != anyFolder {
		m.expand(m.join(at, place[0]), place[1:], names, found)
		return
	}
	entries, err := m.Files.ReadDir(at, 0)
	if err != nil {
		return
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	for _, e := range entries[:min(maxFound, len(entries))] {
		m.expand(m.join(at, e.Name()), place[1:], append(names[:len(names):len(names)], e.Name()), found)
	}
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
	seen := map[string]int{}
	add := func(f Found) {
		real, err := m.Files.Resolve(f.Dir)
		if at, again := seen[real]; err == nil && again {
			if all[at].Agent == "" { // a named one in a known place
				all[at].Agent, all[at].Project = f.Agent, f.Project
			}
			return
		}
		seen[real] = len(all)
		all = append(all, f)
	}
	for _, p := range named {
		add(Found{Name: p.Name, Path: p.Dir, Dir: p.Dir, Kind: KindDir, Missing: !m.isDir(p.Dir)})
	}
	for _, f := range m.wellKnown() {
		add(f)
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
			info, err := e.Info()
			if err != nil {
				continue // it has gone meanwhile
			}
			c.found.Bytes += info.Size()
			if info.ModTime().After(c.found.Newest) {
				c.found.Newest = info.ModTime()
			}
		}
	}
}
