package backend

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"
)

// ScanOptions are the settings of [Scan]. The zero value scans the whole store.
type ScanOptions struct {
	// Name is the folder to start at, named as in [Backend]; "" is the root.
	Name string
	// Visit is called before each folder is read, with its info from the parent's listing, on the goroutine that reads it: a watch set up
	// there misses nothing. It must be safe for concurrent use.
	Visit func(name string, i Info)
	// Keep returns what is already known of a folder with everything below it, nil to have it read. Like Visit, it must be safe for
	// concurrent use.
	Keep func(name string, i Info) *Node
}

// Scan reads the whole tree of a backend, with a goroutine for each processor, all of which end before it returns. It doesn't follow
// links, and omits temporary files of writes under way and what is in a git folder. The root of the snapshot is the requested folder. An
// unreadable folder below it has a Problem; if the requested folder itself doesn't exist, the error is [ErrNotExist] or [ErrNotDir]. If the
// root of the store can't be read, the error wraps [ErrUnavailable].
func Scan(ctx context.Context, b Backend, o ScanOptions) (*Snapshot, error) {
	if o.Name == "" {
		o.Name = "."
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	c := &scan{backend: b, options: o, now: time.Now(), ctx: ctx, stop: stop, helpers: make(chan struct{}, runtime.NumCPU()-1)}
	info, err := b.Lstat(o.Name)
	if err == nil && info.Kind != KindDir {
		err = ErrNotDir
	}
	if err != nil {
		return nil, c.rootError(err)
	}
	root := newNode(info, hiddenBelow(o.Name))
	there := c.read(o.Name, &root)
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case !there:
		return nil, ErrNotExist
	case root.Problem != nil && o.Name == ".":
		return nil, c.rootError(root.Problem)
	}
	return &Snapshot{Root: &root, Complete: true}, nil
}

// rootError turns an error of reading the root into ErrUnavailable.
func (c *scan) rootError(err error) error {
	if c.options.Name != "." || errors.Is(err, ErrUnavailable) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrUnavailable, err)
}

// scan is one run.
type scan struct {
	backend Backend
	options ScanOptions
	now     time.Time // start of the scan: distinguishes a write under way from a leftover
	ctx     context.Context
	stop    context.CancelCauseFunc // ends the scan where the store is gone
	helpers chan struct{}           // a token for each goroutine that reads besides the caller's
}

// read fills in the node of a folder with everything below it. It reports whether the folder is still there.
func (c *scan) read(name string, n *Node) (there bool) {
	if c.ctx.Err() != nil || InGit(name) { // a commit writes there all the time, and none of it is a memory
		return true
	}
	if c.options.Visit != nil {
		c.options.Visit(name, n.Info)
	}
	infos, err := c.backend.ReadDir(name)
	// Reads never block from Go's point of view: without this, timers and the screen of the embedding program would wait 10 ms each time.
	runtime.Gosched()
	switch {
	case errors.Is(err, ErrUnavailable):
		c.stop(err)
	case name != "." && (errors.Is(err, ErrNotExist) || errors.Is(err, ErrNotDir)):
		return false // it vanished between the listing of its parent and its own
	case err != nil:
		n.Problem = err
	default:
		n.Children = c.children(name, n.Hidden, infos)
		n.total()
	}
	return true
}

// children makes the nodes of the entries of a folder, allocated together, and reads the folders among them.
func (c *scan) children(folder string, hidden bool, infos []Info) []*Node {
	if byName := func(a, b Info) int { return strings.Compare(a.Name, b.Name) }; !slices.IsSortedFunc(infos, byName) {
		infos = slices.SortedFunc(slices.Values(infos), byName)
	}
	nodes := make([]Node, len(infos))
	children := make([]*Node, len(infos))
	var group sync.WaitGroup
	for i, info := range infos {
		if c.underWay(info) {
			continue
		}
		if info.Kind != KindDir {
			nodes[i] = newNode(info, hidden || hiddenName(info.Name))
			children[i] = &nodes[i]
			continue
		}
		name := JoinName(folder, info.Name)
		if c.options.Keep != nil {
			if children[i] = c.options.Keep(name, info); children[i] != nil {
				continue
			}
		}
		nodes[i] = newNode(info, hidden || hiddenName(info.Name))
		read := func() {
			if c.read(name, &nodes[i]) {
				children[i] = &nodes[i]
			}
		}
		select {
		case c.helpers <- struct{}{}:
			group.Go(func() {
				read()
				<-c.helpers
			})
		default:
			read()
		}
	}
	group.Wait()
	return slices.DeleteFunc(children, func(n *Node) bool { return n == nil })
}

// tempAge is how long a temporary file counts as a write under way. After
// that it is a leftover, or a file in disguise: both are shown.
const tempAge = 5 * time.Second

func (c *scan) underWay(i Info) bool {
	return i.Kind == KindFile && TempName(i.Name) && c.now.Sub(i.ModTime) < tempAge
}
