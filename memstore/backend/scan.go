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

// reportEvery is the minimum time between two growing snapshots of a scan: a
// screen drawn more than 10 times a second isn't easier to read.
const reportEvery = 100 * time.Millisecond

// ScanOptions are the settings of [Scan]. The zero value scans the whole
// store and reports nothing on the way.
type ScanOptions struct {
	// Name is the folder to start at, named as in [Backend]; "" is the root.
	Name string
	// Visit is called before each folder is read, with its info from the parent's listing, on the goroutine that reads it: a watch set up
	// there misses nothing. It must be safe for concurrent use.
	Visit func(name string, i Info)
	// Keep returns what is already known of a folder with everything below it, nil to have it read. Like Visit, it must be safe for
	// concurrent use.
	Keep func(name string, i Info) *Node
	// Report gets growing snapshots on the caller's goroutine.
	Report func(*Snapshot)
}

// Scan reads the whole tree of a backend on the given number of goroutines, which end before it returns. It doesn't follow links, and
// omits temporary files of writes under way and what is in a git folder. The root of the snapshot is the requested folder. An unreadable
// folder below it has a Problem; if the requested folder itself doesn't exist, the error is [ErrNotExist] or [ErrNotDir]. If the root of
// the store can't be read, the error wraps [ErrUnavailable].
func Scan(ctx context.Context, b Backend, workers int, o ScanOptions) (*Snapshot, error) {
	if o.Name == "" {
		o.Name = "."
	}
	c := &scan{backend: b, options: o, now: time.Now()}
	c.wake = sync.NewCond(&c.mu)
	info, err := b.Lstat(o.Name)
	if err == nil && info.Kind != KindDir {
		err = ErrNotDir
	}
	if err != nil {
		return nil, c.rootError(err)
	}
	c.root = &scanned{name: o.Name, node: newNode(info, hiddenBelow(o.Name))}
	c.read(c.root)
	if p := c.root.node.Problem; p != nil && (o.Name == "." || c.failed != nil) {
		return nil, c.rootError(p)
	}
	if c.root.gone {
		return nil, ErrNotExist
	}
	c.report()
	c.run(ctx, workers)
	if c.failed == nil {
		c.failed = ctx.Err()
	}
	snap := c.snapshot(c.failed == nil)
	if o.Report != nil {
		o.Report(snap)
	}
	return snap, c.failed
}

// rootError turns an error of reading the root into ErrUnavailable.
func (c *scan) rootError(err error) error {
	if c.options.Name != "." || errors.Is(err, ErrUnavailable) {
		return err
	}
	return fmt.Errorf("%w: %w", ErrUnavailable, err)
}

// scan is one run. mu guards the queue and the fields of every scanned folder
// except its own node's; only one worker reads a folder.
type scan struct {
	backend Backend
	options ScanOptions
	now     time.Time // start of the scan: distinguishes a write under way from a leftover

	root   *scanned
	mu     sync.Mutex
	wake   *sync.Cond
	queue  []*scanned // first in, first out: shallow folders come first
	active int        // folders being read now
	failed error
	last   time.Time // of the last report
}

// scanned is a folder that will become a Node.
type scanned struct {
	name  string
	node  Node // Children are complete except for the folders in subs
	subs  []*scanned
	index []int // index in node.Children of each of subs
	read  bool
	gone  bool  // vanished between the listing of its parent and its own
	done  *Node // set once nothing below it can change
}

func (c *scan) run(ctx context.Context, workers int) {
	if workers < 2 || len(c.queue) == 0 {
		for ctx.Err() == nil && c.next() {
			if time.Since(c.last) >= reportEvery {
				c.report()
			}
		}
		return
	}
	var group sync.WaitGroup
	for range workers {
		group.Go(func() {
			for ctx.Err() == nil && c.next() {
			}
		})
	}
	done := make(chan struct{})
	go func() { group.Wait(); close(done) }()
	tick := time.NewTicker(reportEvery)
	defer tick.Stop()
	for {
		select {
		case <-done:
			return
		case <-ctx.Done():
			c.wake.Broadcast()
			<-done
			return
		case <-tick.C:
			c.report()
		}
	}
}

// next reads one folder of the queue; it returns false at the end.
func (c *scan) next() bool {
	c.mu.Lock()
	for len(c.queue) == 0 && c.active > 0 && c.failed == nil {
		c.wake.Wait()
	}
	if len(c.queue) == 0 || c.failed != nil {
		c.mu.Unlock()
		c.wake.Broadcast()
		return false
	}
	d := c.queue[0]
	c.queue = c.queue[1:]
	c.active++
	c.mu.Unlock()
	c.read(d)
	// Reads never block from Go's point of view: without this, timers and the
	// screen of the embedding program would wait 10 ms each time.
	runtime.Gosched()
	return true
}

// read lists one folder and queues its subfolders.
func (c *scan) read(d *scanned) {
	var infos []Info
	var err error
	if !InGit(d.name) { // a commit writes there all the time, and none of it is a memory
		if c.options.Visit != nil {
			c.options.Visit(d.name, d.node.Info)
		}
		infos, err = c.backend.ReadDir(d.name)
	}
	var children []*Node
	var subs []*scanned
	var index []int
	if err == nil {
		children, subs, index = c.build(d, infos)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if d != c.root {
		c.active--
	}
	switch {
	case errors.Is(err, ErrUnavailable):
		c.failed = err
		d.node.Problem = err
	case d.name != "." && (errors.Is(err, ErrNotExist) || errors.Is(err, ErrNotDir)):
		d.gone = true
	case err != nil:
		d.node.Problem = err
	}
	d.node.Children, d.subs, d.index, d.read = children, subs, index, true
	if len(subs) == 0 {
		d.node.total()
		d.done = &d.node
	}
	c.queue = append(c.queue, subs...)
	c.wake.Broadcast()
}

// build allocates the nodes of one folder together.
func (c *scan) build(d *scanned, infos []Info) (children []*Node, subs []*scanned, index []int) {
	if byName := func(a, b Info) int { return strings.Compare(a.Name, b.Name) }; !slices.IsSortedFunc(infos, byName) {
		infos = slices.SortedFunc(slices.Values(infos), byName)
	}
	block := make([]Node, 0, len(infos))
	children = make([]*Node, 0, len(infos))
	for i := range infos {
		if c.underWay(&infos[i]) {
			continue
		}
		hidden := d.node.Hidden || hiddenName(infos[i].Name)
		if infos[i].Kind == KindDir {
			name := JoinName(d.name, infos[i].Name)
			if c.options.Keep != nil {
				if known := c.options.Keep(name, infos[i]); known != nil {
					children = append(children, known)
					continue
				}
			}
			sub := &scanned{name: name, node: newNode(infos[i], hidden)}
			subs = append(subs, sub)
			index = append(index, len(children))
			children = append(children, &sub.node)
			continue
		}
		block = append(block, newNode(infos[i], hidden))
		children = append(children, &block[len(block)-1])
	}
	return children, subs, index
}

// tempAge is how long a temporary file counts as a write under way. After
// that it is a leftover, or a file in disguise: both are shown.
const tempAge = 5 * time.Second

func (c *scan) underWay(i *Info) bool {
	return i.Kind == KindFile && TempName(i.Name) && c.now.Sub(i.ModTime) < tempAge
}

func (c *scan) report() {
	if c.options.Report == nil {
		return
	}
	c.last = time.Now()
	c.options.Report(c.snapshot(false))
}

func (c *scan) snapshot(complete bool) *Snapshot {
	c.mu.Lock()
	defer c.mu.Unlock()
	return &Snapshot{Root: c.root.freeze(), Complete: complete}
}

// freeze returns an immutable node of what was read so far. All snapshots
// share complete folders.
func (d *scanned) freeze() *Node {
	if d.done != nil {
		return d.done
	}
	n := d.node
	if !d.read {
		return &n
	}
	n.Children = slices.Clone(d.node.Children)
	complete, gone := true, false
	for i, sub := range d.subs {
		if sub.gone {
			n.Children[d.index[i]], gone = nil, true
			continue
		}
		n.Children[d.index[i]] = sub.freeze()
		complete = complete && sub.done != nil
	}
	if gone {
		n.Children = slices.DeleteFunc(n.Children, func(c *Node) bool { return c == nil })
	}
	n.total()
	if complete {
		d.done = &n
	}
	return &n
}
