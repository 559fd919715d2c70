// Package discover finds memory directories on this machine, for somebody who named none:
// those of the configuration, and those in the places where agents are known to keep
// them. It reads names, sizes and times, never a content, and changes nothing. Called by cli.
package discover

import (
	"context"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"
)

// The bounds of a look at one directory: what has more is said to have more.
const (
	maxEntries = 20_000
	maxDepth   = 32
	maxFound   = 500 // directories of one place
)

// Place is a directory that somebody gave a name.
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

// WellKnown lists glob patterns of the places that are looked at: relative ones from the working
// directory, the others below the home folder, "" where there is none.
func WellKnown(home string) []string {
	out := []string{"memories", filepath.Join("memory", "memories"), filepath.Join(".claude", "agent-memory", "*")}
	if home != "" {
		for _, p := range [][]string{{"memories"}, {".claude", "projects", "*", "memory"}, {".claude", "agent-memory", "*"}} {
			out = append(out, filepath.Join(append([]string{home}, p...)...))
		}
	}
	return out
}

// Find returns the named directories in their order, then what the patterns find, what was
// written last first. A directory is there once, whatever names lead to it. Where ctx ends
// early, counts are incomplete and say so.
func Find(ctx context.Context, named []Place, patterns []string) []Found {
	var all []Found
	seen := map[string]bool{}
	add := func(f Found) {
		real, err := filepath.EvalSymlinks(f.Dir)
		if err != nil {
			real = f.Dir
		}
		if real, err = filepath.Abs(real); err == nil && seen[real] {
			return
		}
		seen[real] = true
		all = append(all, f)
	}
	for _, p := range named {
		add(Found{Name: p.Name, Dir: p.Dir, Missing: !isDir(p.Dir)})
	}
	for _, pattern := range patterns {
		dirs, err := filepath.Glob(pattern)
		if err != nil {
			continue // a home folder with a bracket in its name: what it hides can be named
		}
		for _, dir := range dirs[:min(len(dirs), maxFound)] {
			if isDir(dir) {
				add(Found{Dir: dir})
			}
		}
	}
	countAll(ctx, all)
	rest := all[slices.IndexFunc(append(all, Found{}), func(f Found) bool { return f.Name == "" }):]
	slices.SortStableFunc(rest, func(a, b Found) int {
		return b.Newest.Compare(a.Newest)
	})
	return all
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// countAll looks at some directories at a time.
func countAll(ctx context.Context, all []Found) {
	var group sync.WaitGroup
	turn := make(chan struct{}, 8)
	for i := range all {
		if all[i].Missing {
			continue
		}
		turn <- struct{}{}
		group.Go(func() {
			defer func() { <-turn }()
			c := counter{ctx: ctx, found: &all[i], left: maxEntries}
			c.look(all[i].Dir, 0)
		})
	}
	group.Wait()
}

type counter struct {
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
	f, err := os.Open(dir)
	if err != nil {
		return
	}
	entries, err := f.ReadDir(c.left + 1)
	_ = f.Close()
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
			c.look(filepath.Join(dir, e.Name()), depth+1)
		case e.Type().IsRegular():
			c.found.Files++
			if info, err := e.Info(); err == nil && info.ModTime().After(c.found.Newest) {
				c.found.Newest = info.ModTime()
			}
		}
	}
}
