package watch

import (
	"cmp"
	"context"
	"path"
	"strings"
	"sync"
	"time"

	"memcurator/memstore"
)

// intents are the edits of our own handlers: those under way, and those that
// have ended and wait for the owner. Between Begin and the moment at which the
// owner has told the edit, its paths are not compared with the disk, so the
// events of an edit of ours never look like one by another program.
type intents struct {
	mu    sync.Mutex
	open  map[string]int // names of edits that are not told yet
	ended []*intent
	ring  chan struct{}
}

type intent struct {
	command string
	origin  memstore.Origin
	time    time.Time
	parts   []part
	names   []string // every name of the parts and of the command
	target  string   // of a delete: the name that the command gave, "" otherwise
	early   bool     // begun before the first scan was complete
	failed  bool
}

// part is one change of an edit, with its bytes captured.
type part struct {
	kind          memstore.Kind
	name, oldName string // as Backend names them; oldName of a rename only
	before, after *Version
}

func (q *intents) init() {
	q.open = make(map[string]int)
	q.ring = make(chan struct{}, 1)
}

// Begin implements [memstore.Recorder]: it copies the bytes of both sides and
// remembers that they are ours. It waits for nothing but the copying and may be called with the
// store's lock held. It never fails: without a copy the change is told all the same.
func (w *Watcher) Begin(_ context.Context, e *memstore.Edit) (end func(error), err error) {
	in := &intent{command: e.Command.Name, origin: e.Origin, time: e.Time, early: !w.loaded.Load()}
	for i := range e.Changes {
		c := &e.Changes[i]
		p := part{kind: c.Kind, name: memstore.BackendName(c.Path)}
		if c.OldPath != "" {
			p.oldName = memstore.BackendName(c.OldPath)
		}
		switch p.before = w.capture(c.Before); {
		case c.Kind == memstore.KindLink:
			p.before = w.captureLink(cmp.Or(p.oldName, p.name))
			p.after = p.before
			if p.oldName == "" {
				p.after = nil // the handlers make no links, they only delete and rename them
			}
		case c.After == c.Before:
			p.after = p.before
		default:
			p.after = w.capture(c.After)
		}
		in.parts = append(in.parts, p)
		in.names = append(in.names, p.name)
		if p.oldName != "" {
			in.names = append(in.names, p.oldName)
		}
	}
	if e.Command.Name == memstore.CmdDelete {
		if name, err := memstore.ParsePath(e.Command.Path); err == nil && name != "." {
			in.target = name
			in.names = append(in.names, name)
		}
	}
	w.intents.begin(in)
	var once sync.Once
	return func(err error) {
		once.Do(func() { w.intents.end(in, err != nil) })
	}, nil
}

// capture copies one side of a change.
func (w *Watcher) capture(c *memstore.Content) *Version {
	if c == nil {
		return nil
	}
	v := &Version{size: c.Size()}
	if v.size > w.options.MaxFile {
		v.why = whyTooBig
		return v
	}
	data, err := c.Bytes()
	if err != nil {
		v.why = whyUnreadable
		return v
	}
	v.size = int64(len(data))
	v.digest, _ = c.Digest() // the bytes are there, so it cannot fail
	v.blob, v.why = w.spill.put(data, v.digest, true)
	return v
}

// captureLink copies the text of a link, which is its content here.
func (w *Watcher) captureLink(name string) *Version {
	text, err := w.store.Backend().Readlink(name)
	if err != nil {
		return nil
	}
	return w.capture(memstore.NewContent([]byte(text)))
}

func (q *intents) begin(in *intent) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, name := range in.names {
		q.open[name]++
	}
}

func (q *intents) end(in *intent, failed bool) {
	q.mu.Lock()
	in.failed = failed
	q.ended = append(q.ended, in)
	q.mu.Unlock()
	signal(q.ring)
}

func (q *intents) take() []*intent {
	q.mu.Lock()
	defer q.mu.Unlock()
	ended := q.ended
	q.ended = nil
	return ended
}

// forget is called by the owner when it has told in.
func (q *intents) forget(in *intent) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, name := range in.names {
		if q.open[name]--; q.open[name] <= 0 {
			delete(q.open, name)
		}
	}
}

// idle reports whether no edit of ours is under way.
func (q *intents) idle() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.open) == 0
}

// covers reports whether name, or a folder it lies in, belongs to an edit of ours
// that is not told yet.
func (q *intents) covers(name string) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.open) > 0 {
		if q.open[name] > 0 {
			return true
		}
		if name == "." {
			return false
		}
		name = path.Dir(name)
	}
	return false
}

// holds reports whether an edit of ours that is not told yet is about something below the
// folder name: then the folder may be one that our handler has just made for it.
func (q *intents) holds(name string) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for open := range q.open {
		if strings.HasPrefix(open, name+"/") {
			return true
		}
	}
	return false
}
