package journal

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"slices"
	"sync"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/backend"
	"memcurator/memstore/journal/schema"
	"memcurator/memstore/journal/sidecar"
	"memcurator/memstore/past"
)

// settler is the goroutine that turns the intents of finished edits into revisions, oldest first, so that no edit waits for that.
// It stops on Close.
type settler struct {
	j    *Journal
	mu   sync.Mutex
	wake *sync.Cond
	todo []*intent
	busy bool
	quit bool
	done chan struct{}
	ring chan struct{} // holds a token while a flush is waiting
	left bool          // something ended too late to be settled

	failing error     // why the last edits could not be settled; nil: they were
	again   []*intent // those edits, for the next attempt
}

// gather is how long the settler collects edits for one transaction. No edit waits for it, and a stream of edits is disturbed
// less.
const gather = 5 * time.Millisecond

func startSettler(j *Journal) *settler {
	s := &settler{j: j, done: make(chan struct{}), ring: make(chan struct{}, 1)}
	s.wake = sync.NewCond(&s.mu)
	go s.run()
	return s
}

// add takes an edit that has ended.
func (s *settler) add(in *intent) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if in.reason == nil { // together with the rest, so that run does not empty the file in between
		if err := s.j.endings.Note(in.id); err != nil {
			s.j.options.Warn(failed("note", err))
		}
	}
	if s.quit {
		s.left = true
		return // it stays open, and the next start settles it
	}
	s.todo = append(s.todo, in)
	s.wake.Broadcast()
}

// flush waits until everything that was added is settled.
func (s *settler) flush() {
	s.mu.Lock()
	for (len(s.todo) > 0 || s.busy) && !s.isDone() {
		s.hurry()
		s.wake.Wait()
	}
	s.mu.Unlock()
	s.j.views.write()
}

// hurry cuts the gathering short.
func (s *settler) hurry() {
	select {
	case s.ring <- struct{}{}:
	default:
	}
}

// check returns why edits can't become revisions, after another attempt at those that could not.
func (s *settler) check() error {
	s.mu.Lock()
	failing := s.failing != nil
	if failing {
		s.todo, s.again = append(s.again, s.todo...), nil
		s.wake.Broadcast()
	}
	s.mu.Unlock()
	if !failing {
		return nil
	}
	s.flush()
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failing
}

func (s *settler) isDone() bool {
	select {
	case <-s.done:
		return true
	default:
		return false
	}
}

func (s *settler) stop() {
	s.mu.Lock()
	s.quit = true
	s.hurry()
	s.wake.Broadcast()
	s.mu.Unlock()
	<-s.done
	s.j.endings.Close(s.left || len(s.again) > 0)
	s.j.views.write()
}

func (s *settler) run() {
	defer func() {
		close(s.done)
		s.mu.Lock()
		s.wake.Broadcast()
		s.mu.Unlock()
	}()
	for {
		s.mu.Lock()
		s.busy = false
		s.wake.Broadcast()
		for len(s.todo) == 0 && !s.quit {
			s.wake.Wait()
		}
		if s.busy = len(s.todo) > 0; s.busy {
			s.mu.Unlock()
			timer := time.NewTimer(gather)
			select {
			case <-timer.C:
			case <-s.ring:
			}
			timer.Stop()
			s.mu.Lock()
		}
		batch := s.todo
		if s.todo, s.busy = nil, len(batch) > 0; s.busy {
			batch, s.again = append(s.again, batch...), nil
		}
		s.mu.Unlock()
		if len(batch) == 0 {
			return
		}
		err := s.settle(batch)
		s.mu.Lock()
		if s.failing = err; err != nil {
			s.again = batch
		}
		if len(s.todo) == 0 && !s.left && err == nil {
			s.j.endings.Settled()
		}
		s.mu.Unlock()
	}
}

// settle turns our own finished edits into revisions; after an error they stay open.
func (s *settler) settle(batch []*intent) error {
	own := make(map[int64]*intent, len(batch))
	var newest int64
	for _, in := range batch {
		newest = max(newest, in.id)
		for i := range in.texts {
			c := &in.changes[i]
			c.added, c.removed = count(in.texts[i][0], in.texts[i][1])
		}
		in.texts = nil // another attempt needs only the counts
		own[in.id] = in
	}
	// A curator's act is flushed again with its revision; the next act then has little left to flush.
	person := slices.ContainsFunc(batch, func(in *intent) bool { return in.actor == memstore.Curator })
	var stored int64
	err := inSteps(func() (more bool, err error) {
		err = s.j.tx("settle", person, func(w *tableWriter) error {
			stored = w.blobs.Stored
			all, err := w.openBefore(newest)
			if err != nil {
				return err
			}
			more, err = w.settleOpen(all, func(in *intent) (*intent, error) {
				mine := own[in.id]
				switch {
				case mine == nil && in.owner == s.j.owner:
					return nil, nil // it ends later: possible only without a lock that makes edits take turns
				case mine == nil:
					return in, s.judge(w, in, all)
				case mine.reason != nil:
					return nil, w.discard(in.id)
				}
				mine.settled, mine.total, mine.maker.group = in.settled, in.total, in.maker.group
				step := *mine
				step.changes = mine.changes[in.settled : in.settled+len(in.changes)]
				return &step, nil
			})
			return err
		})
		return more, err
	})
	if err != nil {
		if used := s.j.exhausted(); used != nil {
			err = used
		}
		s.j.options.Warn(err)
	}
	s.j.checkpoint()
	s.j.pruner.grown(stored)
	return err
}

// exhausted is an error if no number remains for another revision.
func (j *Journal) exhausted() error {
	db, err := j.pool.ReaderNow()
	if err != nil {
		return nil // whoever writes meets it
	}
	var last int64
	if err := db.QueryRow("SELECT seq FROM sqlite_sequence WHERE name = 'revision'").Scan(&last); err == nil && last > lastRevision {
		return &past.Error{Op: "settle", Err: ErrExhausted}
	}
	return nil
}

// lastRevision is the largest number of a revision that is recorded: JSON carries no larger integer exactly.
const lastRevision = 1 << 53

// inSteps repeats step until the work is done. After each step it pauses for as long as the step took, so that other processes get a turn.
func inSteps(step func() (more bool, err error)) error {
	for {
		begin := time.Now()
		more, err := step()
		if err != nil || !more {
			return err
		}
		time.Sleep(max(gather, time.Since(begin)))
	}
}

// settleOpen settles open intents, oldest first, until a step is full; more means that some remain. take returns the part of an
// intent to record, nil for nothing.
func (w *tableWriter) settleOpen(all []*intent, take func(in *intent) (*intent, error)) (more bool, err error) {
	recorded := 0
	for _, in := range all {
		if recorded >= stepChanges {
			return true, nil
		}
		recorded += len(in.changes)
		if in, err = take(in); err != nil {
			return false, err
		}
		if in == nil {
			continue
		}
		if more, err = w.settle(in); err != nil || more {
			return more, err // later intents may depend on the rest of it
		}
	}
	return false, nil
}

// settle turns the changes of an intent into revisions, and drops the intent unless changes remain.
func (w *tableWriter) settle(in *intent) (more bool, err error) {
	total, refused := max(in.total, in.settled+len(in.changes)), false
	if in.group != "" {
		if _, err := w.Row("SELECT id FROM grp WHERE name = ?", []any{in.group}, &in.maker.group); err != nil {
			return false, err
		}
	}
	for i := range in.changes {
		c := &in.changes[i]
		if c.note == notDone {
			refused = true
			continue
		}
		if err := w.catchUp(&in.maker, c); err != nil {
			return false, err
		}
		rev, err := w.record(&in.maker, c)
		if err != nil {
			return false, err
		}
		if in.maker.group == 0 && (in.group != "" || total > 1) {
			if err := w.openGroup(in, rev); err != nil {
				return false, err
			}
		}
	}
	if done := in.settled + len(in.changes); done < total {
		return true, w.Do("UPDATE intent SET settled = ?, first = ? WHERE id = ?", done, schema.Optional(in.maker.group), in.id)
	}
	if refused {
		return false, w.discard(in.id)
	}
	return false, w.drop(in.id)
}

// openGroup lets a group begin with the revision rev.
func (w *tableWriter) openGroup(in *intent, rev int64) error {
	in.maker.group = rev
	if in.group != "" {
		if err := w.Do("INSERT INTO grp (name, id) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET id = excluded.id", in.group, rev); err != nil {
			return err
		}
	}
	return w.Do("UPDATE revision SET grp = ? WHERE rev = ?", rev, rev)
}

// notDone marks a change of an intent that turned out not to be carried out.
const notDone past.Note = "not done"

// stampAt returns the stamp of what a change has left.
func (d *disk) stampAt(c *change) stamp {
	if d.backend == nil || c.shape == past.Removed {
		return stamp{}
	}
	info, err := d.backend.Lstat(c.name)
	if err != nil || info.Kind != c.kind || (c.kind == memstore.KindFile && c.shape != past.Renamed && info.Size != c.size) {
		return stamp{}
	}
	if _, ok := d.backend.(backend.FileBacked); ok {
		// The time is the program's own, and may be years old. It may already be that of what the program has written over the change.
		return stampOf(info, info.ModTime)
	}
	return stampOf(info, time.Now())
}

// settleLeft settles the intents of dead processes and removes what they left behind.
func (s *settler) settleLeft() error {
	var open, left int
	db, err := s.j.pool.ReaderNow()
	if err != nil {
		return err
	}
	if err := db.QueryRow("SELECT count(*), (SELECT count(*) FROM leftover) FROM intent").Scan(&open, &left); err != nil {
		return err
	}
	if open > 0 {
		err = errors.Join(err, inSteps(func() (more bool, err error) {
			err = s.j.disk.locked(context.Background(), lockPatience, func() error {
				return s.j.tx("settle", false, func(w *tableWriter) (err error) {
					more, err = s.settleStep(w)
					return err
				})
			})
			return more, err
		}))
	}
	if left > 0 || open > 0 {
		err = errors.Join(err, s.clearLeftovers())
	}
	return err
}

// settleStep settles open intents of any process; more means that some remain. The caller has the store's turn.
func (s *settler) settleStep(w *tableWriter) (more bool, err error) {
	all, err := w.openBefore(math.MaxInt64)
	if err != nil {
		return false, err
	}
	return w.settleOpen(all, func(in *intent) (*intent, error) { return in, s.judge(w, in, all) })
}

// settleAll settles every open intent in one transaction. The caller has the store's turn.
func (s *settler) settleAll(w *tableWriter) error {
	for {
		if more, err := s.settleStep(w); err != nil || !more {
			return err
		}
	}
}

// judge finds out which changes of an intent of another process were carried out. It is called
// in the store's turn, or for intents older than one that had it. What a live process
// left open, it carried out, since it withdraws before it gives up its turn. A process that died
// carried out all but its last, and that one too if it succeeded (endings). Otherwise the disk decides.
func (s *settler) judge(w *tableWriter, in *intent, all []*intent) error {
	ended := in.lives() || slices.ContainsFunc(all, func(o *intent) bool { return o.owner == in.owner && o.id > in.id }) ||
		sidecar.HasEnded(s.j.path, in.pid, in.owner, in.id)
	for i := range in.changes {
		c := &in.changes[i]
		if err := w.countStored(c); err != nil {
			return err
		}
		if ended {
			continue // it has cleared up behind itself too
		}
		done, sure := follows(c, in, all)
		if !sure {
			done, sure = s.j.disk.looksDone(w, c)
		}
		switch {
		case !sure && s.j.disk.halfMoved(c):
			// The file has both names: killed between the link to the new one and the removal of the old one.
			c.shape, c.oldName, c.before, c.note = past.Made, "", 0, past.NoteUncertain
			c.stamp = s.j.disk.stampAt(c)
		case !sure:
			c.note = past.NoteUncertain
		case !done:
			c.note = notDone
		default:
			c.stamp = s.j.disk.stampAt(c)
		}
	}
	if ended {
		return nil
	}
	return w.leave(in)
}

// sweepEndings removes the notes of processes that died and have left nothing open.
func (s *settler) sweepEndings() {
	sidecar.SweepEndings(s.j.path, func(pid int, owner string) bool {
		if (&intent{pid: pid, owner: owner}).lives() {
			return true
		}
		db, err := s.j.pool.ReaderNow()
		if err != nil {
			return true
		}
		open := true
		err = db.QueryRow("SELECT EXISTS (SELECT 1 FROM intent WHERE owner = ?)", owner).Scan(&open)
		return err != nil || open
	})
}

// halfMoved reports whether the file of a rename is at both names.
func (d *disk) halfMoved(c *change) bool {
	if c.shape != past.Renamed || d.backend == nil {
		return false
	}
	old, errOld := d.backend.Lstat(c.oldName)
	now, errNow := d.backend.Lstat(c.name)
	return errOld == nil && errNow == nil && old.Kind == memstore.KindFile && old.ID == now.ID
}

// living are the owners of the journals that are open in this process.
var living sync.Map

// lives reports whether the process that announced an intent can still settle it.
func (in *intent) lives() bool {
	if in.pid == os.Getpid() {
		_, ok := living.Load(in.owner)
		return ok
	}
	return !backend.ProcessDead(in.pid)
}

// follows judges by the next intent for the same path: it was decided on what c has made, on what
// was there before it, or says nothing.
func follows(c *change, in *intent, all []*intent) (done, sure bool) {
	for _, later := range all {
		if later.id <= in.id {
			continue
		}
		for i := range later.changes {
			l := &later.changes[i]
			at := cmp.Or(l.oldName, l.name)
			switch {
			case at != c.name || c.shape == past.Removed || c.before == c.after:
			case l.before == c.after:
				return true, true
			case l.before == c.before:
				return false, true
			default:
				return false, false
			}
		}
	}
	return false, false
}

// looksDone compares the disk with both sides of a change. sure is false where it is neither.
func (d *disk) looksDone(w *tableWriter, c *change) (done, sure bool) {
	if d.backend == nil {
		return true, false
	}
	switch c.shape {
	case past.Renamed:
		_, gone := d.backend.Lstat(c.oldName)
		_, come := d.backend.Lstat(c.name)
		return errors.Is(gone, fs.ErrNotExist), (gone == nil) != (come == nil)
	case past.Removed:
		info, err := d.backend.Lstat(c.name)
		if memstore.IsAbsent(err) {
			return true, true
		}
		if err != nil || info.Kind != c.kind {
			return true, false
		}
		return false, c.kind != memstore.KindFile || d.holds(w, c.name, c.before)
	}
	if d.holds(w, c.name, c.after) {
		return true, true
	}
	if c.shape == past.Made {
		_, err := d.backend.Lstat(c.name)
		return false, memstore.IsAbsent(err)
	}
	return false, d.holds(w, c.name, c.before)
}

// holds reports whether the file at name has the bytes of a blob.
func (d *disk) holds(w *tableWriter, name string, blob int64) bool {
	var sum []byte
	found, err := w.Row("SELECT sum FROM blob WHERE id = ?", []any{blob}, &sum)
	if err != nil || !found || len(sum) == 0 {
		info, err := d.backend.Lstat(name)
		return blob == 0 && err == nil && info.Kind == memstore.KindDir
	}
	got, _, err := d.digest(name)
	return err == nil && string(got[:]) == string(sum)
}

// countStored counts the changed lines of a change whose bytes are only in the database.
func (w *tableWriter) countStored(c *change) error {
	if c.shape == past.Renamed {
		return nil
	}
	var text [2][]byte
	for i, id := range []int64{c.before, c.after} {
		if id == 0 {
			continue
		}
		if i == 1 && c.text != nil {
			text[i] = c.text
			continue
		}
		data, err := w.blobs.Bytes(id)
		if err != nil && !errors.Is(err, past.ErrNotKept) {
			return err
		}
		text[i] = data
	}
	c.added, c.removed = count(text[0], text[1])
	if c.shape == past.Edited && c.kind == memstore.KindFile && c.before != 0 && text[0] == nil && text[1] == nil {
		was, err := w.blobs.SizeOf(c.before)
		if err != nil {
			return err
		}
		c.grown = c.size > was
	}
	return nil
}
