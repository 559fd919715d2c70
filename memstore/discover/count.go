package discover

import (
	"context"
	"path/filepath"
	"slices"
	"time"

	"memcurator/memstore"
)

// mirrorMarker is the file by which the SDKs of Anthropic know a folder that they mirror. It is no note.
const (
	mirrorMarker  = ".anthropic-memory-store"
	quirkMirrored = "mirrored: a folder of a hosted memory store, which a sync keeps the same on both sides"
)

// counter counts the files of a store.
type counter struct {
	Machine
	ctx   context.Context
	found Found
	left  int
}

// look counts the files below a directory; links are not followed.
func (c *counter) look(dir string, depth int) {
	if c.ctx.Err() != nil || depth > maxDepth {
		c.found.More = true
		return
	}
	entries, err := readDir(dir, c.left+1)
	if err != nil {
		if depth == 0 {
			c.found.Problem = problemOf(err)
		} else {
			c.found.More = true // not readable
		}
		return
	}
	for _, e := range entries {
		if c.left == 0 {
			c.found.More = true
			return
		}
		if memstore.InGit(e.Name()) {
			continue // git's own files don't belong to a memory
		}
		if depth == 0 && e.Name() == mirrorMarker {
			if !slices.Contains(c.found.Quirks, quirkMirrored) {
				c.found.Quirks = append(slices.Clip(c.found.Quirks), quirkMirrored)
			}
			continue
		}
		c.left--
		switch {
		case e.IsDir():
			c.look(filepath.Join(dir, e.Name()), depth+1)
		default: // a link or a pipe counts, as in the tree, but has no bytes of its own
			info, err := e.Info()
			if err != nil { // it has gone meanwhile
				continue
			}
			size := info.Size()
			if !info.Mode().IsRegular() {
				size = 0
			}
			c.add(size, info.ModTime())
		}
	}
}

// add counts a file.
func (c *counter) add(size int64, changed time.Time) {
	c.found.Files++
	c.found.Bytes += size
	if changed.After(c.found.Newest) {
		c.found.Newest = changed
	}
}

// count counts a store.
func (m Machine) count(ctx context.Context, f Found) Found {
	c := counter{Machine: m, ctx: ctx, found: f, left: maxEntries}
	switch {
	case f.Kind == KindInstructions:
		c.countInstructions()
	case f.Kind.OfProgram():
		c.records()
	default:
		c.look(f.Path, 0)
	}
	return c.found
}
