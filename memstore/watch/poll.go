package watch

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"

	"memcurator/memstore"
)

// Folders that give no events are polled: each is listed and compared with the
// model, and what differs in kind, identity, size, stamp or permissions goes the way of an event. A poll
// costs one listing of each such folder, and nothing runs where all folders are watched.
const (
	// pollLeast is the shortest time between the end of a poll and the next one.
	pollLeast = 2 * time.Second
	// pollShare is how many times as long as a poll takes nothing is done after
	// it: polling takes at most one part in pollShare of a core.
	pollShare = 50
)

// polls is the owner's side of polling.
type polls struct {
	on      bool // some folder needs it
	running bool
	dueAt   time.Time // of the next poll; zero: none
	cost    time.Duration
	soon    bool          // another one is wanted at once
	every   time.Duration // pollLeast or a power of 2 of times as long
	results chan polled
	// again are the files to read again at the next poll whatever their
	// stamps say: they were read so soon after their last change that another
	// one may have the same stamp. Clocks of other machines may be wrong, so each file
	// is read again once after a change that was seen, and no oftener.
	again map[string]bool
	// version is that of a backend with [memstore.FileBacked] when everything was last compared.
	version uint64
}

// polled is the end of one poll.
type polled struct {
	from *watches
	cost time.Duration
	err  error // the directory is gone, replaced or unreadable

	version uint64
}

// readAgain has the next poll, if any, check a file again.
func (o *owner) readAgain(name string) {
	p := &o.polls
	if o.disk.backed != nil {
		return // no two texts have the same stamps there
	}
	if p.again == nil {
		p.again = make(map[string]bool)
	}
	p.again[name] = true
}

// poll starts one when it is due.
func (o *owner) poll(now time.Time) {
	p := &o.polls
	p.on = o.loaded && o.watches != nil && o.watches.anyDeaf()
	switch {
	case !p.on:
		p.dueAt, p.again = time.Time{}, nil
		return
	case p.running:
		return
	case p.soon:
	case p.dueAt.IsZero():
		p.dueAt = now.Add(p.every)
		return
	case now.Before(p.dueAt):
		return
	}
	p.running, p.soon = true, false
	l := look{s: o.watches, backend: o.backend, tree: o.model.Snapshot(), rootID: o.rootID, again: p.again, version: p.version}
	p.again = nil
	o.group.Go(func() {
		o.w.options.hooks.turn.Lock()
		start := time.Now()
		err := l.run(o.ctx)
		cost := time.Since(start)
		o.w.options.hooks.turn.Unlock()
		select {
		case p.results <- polled{from: l.s, cost: cost, err: err, version: l.version}:
		case <-o.ctx.Done():
		}
	})
}

// pollSoon has the next poll come at once: a file that all entries are in was written.
func (o *owner) pollSoon() {
	if o.polls.soon = true; o.polls.on {
		o.polls.dueAt = time.Now()
	}
}

// takePoll plans the next poll. What was found waits in the queue of events.
func (o *owner) takePoll(r polled) {
	p := &o.polls
	p.running, p.dueAt, p.version = false, time.Time{}, r.version
	p.took(r.cost, o.w.options.hooks.pollLeast)
	if o.scanning || o.gone != nil || r.from != o.watches {
		return // the scan sees what the poll has seen
	}
	if r.err != nil {
		o.lose(r.err)
		return
	}
	o.judge()
}

// took sets the time to the next poll. A single quick poll does not shorten it.
func (p *polls) took(cost, least time.Duration) {
	p.cost = max(cost, p.cost-(p.cost-cost)/8)
	for p.every = least; p.every < pollShare*p.cost; {
		p.every *= 2
	}
}

// look is one poll. It runs on its own goroutine and shares nothing with the
// owner but what is immutable, and the watches.
type look struct {
	s       *watches
	backend memstore.Backend
	tree    *memstore.Snapshot // the model when it began
	rootID  memstore.FileID
	again   map[string]bool
	version uint64 // see polls
}

func (l *look) run(ctx context.Context) error {
	info, err := l.backend.Lstat(".")
	switch {
	case err != nil:
		return err
	case info.ID != l.rootID:
		return errReplaced
	}
	if b, ok := l.backend.(memstore.FileBacked); ok {
		version, err := b.Version()
		if err != nil || version == l.version {
			return err
		}
		l.version = version
	}
	for _, name := range l.s.deafNames() {
		if ctx.Err() != nil {
			return nil
		}
		if err := l.folder(name); err != nil {
			return err
		}
	}
	for name := range l.again {
		if l.s.isDeaf(path.Dir(name)) {
			l.s.push(event{name: name})
		}
	}
	return nil
}

// folder compares one folder, without what is below its folders.
func (l *look) folder(name string) error {
	n := l.tree.Find(memstore.AgentPath(name))
	if n == nil || n.Kind != memstore.KindDir {
		return nil // an event that waits has it
	}
	l.s.tryAgain(name, n.Info)
	infos, err := l.backend.ReadDir(name)
	switch {
	case errors.Is(err, memstore.ErrUnavailable):
		return err
	case (err != nil) != (n.Problem != nil):
		l.s.push(event{name: name, op: fsnotify.Chmod}) // closed, opened or gone: it is read again
		return nil
	case err == nil:
		l.compare(name, infos, n.Children)
	}
	return nil
}

// compare walks two lists that are sorted by name.
func (l *look) compare(dir string, is []memstore.Info, was []*memstore.Node) {
	for len(is) > 0 || len(was) > 0 {
		switch {
		case len(is) == 0 || len(was) > 0 && was[0].Name < is[0].Name:
			l.s.push(event{name: join(dir, was[0].Name), op: fsnotify.Remove})
			was = was[1:]
		case len(was) == 0 || is[0].Name < was[0].Name:
			l.s.push(event{name: join(dir, is[0].Name)})
			is = is[1:]
		default:
			switch i, n := &is[0], was[0]; {
			case i.Mode.Perm() != n.Mode.Perm():
				l.s.push(event{name: join(dir, i.Name), op: fsnotify.Chmod})
			case i.Kind != n.Kind || i.ID != n.ID || !i.ModTime.Equal(n.ModTime) || i.Kind != memstore.KindDir && i.Size != n.Size:
				l.s.push(event{name: join(dir, i.Name)})
			}
			is, was = is[1:], was[1:]
		}
	}
}

func (s *watches) anyDeaf() bool {
	s.setMu.Lock()
	defer s.setMu.Unlock()
	return len(s.deaf) > 0
}

func (s *watches) isDeaf(name string) bool {
	s.setMu.Lock()
	defer s.setMu.Unlock()
	return s.deaf[name] != 0
}

// deafNames lists the folders to poll, sorted: the root comes before the others.
func (s *watches) deafNames() []string {
	s.setMu.Lock()
	defer s.setMu.Unlock()
	names := make([]string, 0, len(s.deaf))
	for name := range s.deaf {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// tryAgain asks for the watch of a folder that was refused, before it is read:
// another program may have given some back.
func (s *watches) tryAgain(name string, i memstore.Info) {
	s.setMu.Lock()
	again := s.deaf[name] == refused || s.deaf[name] == failed
	s.setMu.Unlock()
	if again {
		s.add(name, i)
	}
}

// judge describes what the folders without events mean for the user.
func (s *watches) judge(every time.Duration) (State, string) {
	s.setMu.Lock()
	defer s.setMu.Unlock()
	if len(s.deaf) == 0 || s.disk.backed != nil { // of a few files, a look is as good as an event
		return Live, ""
	}
	first, why := "", noPlace
	for name, d := range s.deaf {
		if first == "" || name == "." || first != "." && name < first {
			first = name
		}
		why = min(why, d)
	}
	where := ""
	switch n := len(s.deaf); {
	case first == ".":
	case n > 1:
		where = fmt.Sprintf(" in %d folders", n)
	default:
		where = " in " + memstore.AgentPath(first)
	}
	return Polling, fmt.Sprintf("%s. Edits by other programs%s show up within %s", s.cause(why), where, spoken(every))
}

// cause is the beginning of a sentence.
func (s *watches) cause(why deafness) string {
	switch why {
	case byWish:
		return "Watching is off"
	case noWatcher:
		return "The system ran out of watches"
	case onSilent:
		return "The file system (" + s.kind + ") doesn't report all changes"
	case refused:
		return "The system watches no more folders"
	case tooDeep:
		return "The path is too long for the system to watch it"
	case noPlace:
		return "This store doesn't report changes"
	default:
		return "The system does not watch every folder"
	}
}

// spoken is a time between polls in words.
func spoken(d time.Duration) string {
	if d >= 2*time.Minute {
		return fmt.Sprintf("%d minutes", int(d.Round(time.Minute)/time.Minute))
	}
	return fmt.Sprintf("%d seconds", max(1, int(d.Round(time.Second)/time.Second)))
}
