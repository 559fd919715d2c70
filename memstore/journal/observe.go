package journal

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// Observation is a difference that a watcher has seen, made by another program or by another
// process of ours: which of both, the journal knows.
type Observation struct {
	Time          time.Time
	Command       string // what it is nearest to; "" where nothing can be said
	Kind          memstore.Kind
	Path, OldPath string // agent paths; OldPath of a rename only
	Before, After *Seen  // nil where the path does not exist, or has no bytes
	Made          bool   // of a folder: it came, it did not go
}

// Seen are the bytes on one side of an observation.
type Seen struct {
	Digest memstore.Digest // zero: not known
	Size   int64
	Read   func() ([]byte, error) // nil: they are gone
}

func (o *Observation) shape() past.Shape {
	switch {
	case o.OldPath != "":
		return past.Renamed
	case o.Before != nil && o.After != nil:
		return past.Edited
	case o.After != nil, o.Made:
		return past.Made
	}
	return past.Removed
}

// observeBatch is how many observations, and observeBytes how many bytes of theirs, are recorded
// in one transaction: its contents are in memory at once.
const (
	observeBatch = 256
	observeBytes = 32 << 20
)

// batchOf is how many of the first observations make one transaction.
func batchOf(list []Observation) int {
	var size int64
	for i := range list {
		for _, s := range []*Seen{list[i].Before, list[i].After} {
			if s != nil {
				size += s.Size
			}
		}
		if i == observeBatch || i > 0 && size > observeBytes {
			return i
		}
	}
	return len(list)
}

// Observe records what other programs have done. What a process of ours has done, or what
// is recorded already, is left out, and so is what git keeps. It returns how many revisions it made. After the end of ctx it stops
// within a batch: what is on the disk of the rest is found by the next comparison.
func (j *Journal) Observe(ctx context.Context, list []Observation) (made int, err error) {
	j.Flush()
	list = slices.DeleteFunc(slices.Clone(list), func(o Observation) bool {
		return memstore.InGit(o.Path) && (o.OldPath == "" || memstore.InGit(o.OldPath))
	})
	if err := j.drainInTurn(ctx); err != nil {
		return 0, err
	}
	for len(list) > 0 && err == nil {
		if err := ctx.Err(); err != nil {
			return made, err
		}
		batch := list[:batchOf(list)]
		list = list[len(batch):]
		contents := make([]sides, len(batch))
		for i := range batch {
			contents[i] = sides{j.seen(&batch[i], batch[i].Before, false), j.seen(&batch[i], batch[i].After, true)}
		}
		err = j.txUntil(ctx, "observe", func(w *writer) error {
			open, err := w.announcements()
			if err != nil {
				return err
			}
			purges, purged, err := w.purges()
			if err != nil {
				return err
			}
			for i := range batch {
				if purges > 0 {
					if old, err := w.forgetPurged(j, &batch[i], &contents[i], purged); err != nil || old {
						if err != nil {
							return err
						}
						continue
					}
				}
				n, err := w.observe(j, &batch[i], contents[i], open)
				if err != nil {
					return err
				}
				made += n
			}
			return nil
		})
		j.checkpoint()
	}
	return made, err
}

// seen reads the bytes of one side. What the watcher did not keep of the newer
// side may still be on disk.
func (j *Journal) seen(o *Observation, s *Seen, newer bool) *content {
	if s == nil {
		return nil
	}
	c := &content{sum: s.Digest, hashed: s.Digest != memstore.Digest{}, size: s.Size, why: whyNotWatched}
	if s.Size > j.options.MaxFile {
		c.why = whyTooBig
	} else if s.Read != nil {
		if data, err := s.Read(); err == nil {
			return contentOf(data)
		}
	}
	if newer && j.options.Backend != nil && o.Kind == memstore.KindFile {
		if got, _, _, err := j.readOnce(memstore.BackendName(o.Path)); err == nil && (!c.hashed || got.sum == c.sum) {
			return got
		}
	}
	return c
}

// forgetPurged keeps bytes that a watcher has read before a purge from coming back by what it tells after
// it. old: the observation is from before the purge, which has recorded what it found on the disk, and
// the disk is not as it says. Of the side before no bytes are taken that the journal does not have: it had them from an
// observation before, and they are gone.
func (w *writer) forgetPurged(j *Journal, o *Observation, s *sides, purged time.Time) (old bool, err error) {
	if s.before != nil && s.before.data != nil {
		id, err := w.find(s.before)
		if err != nil {
			return false, err
		}
		if id == 0 {
			s.before = &content{size: s.before.size, why: whyPurged}
		}
	}
	if o.Time.IsZero() || o.Time.After(purged) || j.options.Backend == nil {
		return false, nil
	}
	if s.after == nil || o.Kind != memstore.KindFile {
		_, err := j.options.Backend.Lstat(memstore.BackendName(o.Path))
		return memstore.IsAbsent(err) != (o.shape() == past.Removed), nil
	}
	sum, _, err := j.digest(memstore.BackendName(o.Path))
	return err != nil || !s.after.hashed || sum != s.after.sum, nil // what cannot be read is told by the next comparison
}

// observe records one observation unless it is known.
func (w *writer) observe(j *Journal, o *Observation, s sides, open map[string][]announcement) (int, error) {
	known, err := w.known(j, o, s, open)
	if err != nil || known {
		return 0, err
	}
	c := change{kind: o.Kind, shape: o.shape(), name: memstore.BackendName(o.Path)}
	if o.OldPath != "" {
		c.oldName = memstore.BackendName(o.OldPath)
	}
	if c.before, err = w.put(s.before, 0); err != nil {
		return 0, err
	}
	near, err := w.nearTo(&c)
	if err != nil {
		return 0, err
	}
	if c.after, err = w.put(s.after, near); err != nil {
		return 0, err
	}
	if c.shape == past.Renamed && c.after == 0 {
		c.after = c.before
	}
	if s.after != nil {
		c.size = s.after.size
	}
	m := maker{time: o.Time, actor: memstore.External, command: cutText(o.Command), process: j.options.Process}
	if m.command == "" {
		m.command = commandOf(c.shape)
	}
	if m.time.IsZero() {
		m.time = j.options.Now()
	}
	if err := w.meet(&m, &c); err != nil {
		return 0, err
	}
	if c.shape != past.Renamed {
		c.added, c.removed = count(s.before.text(), s.after.text())
		before, after := s.before.text(), s.after.text()
		if m.command == cmdEdit && w.resembles != nil && before != nil && after != nil && max(len(before), len(after)) < countLimit {
			m.command = cmp.Or(w.resembles(before, after), cmdEdit) // the watcher came too late to see how they differ
		}
	}
	c.stamp = j.stampAt(&c)
	more := 0
	if c.shape == past.Removed && c.kind == memstore.KindDir {
		// A watcher tells the topmost folder: what is still known below it went with it.
		if more, err = w.loseBelow(&m, c.name); err != nil {
			return 0, err
		}
	}
	_, err = w.record(&m, &c)
	return more + 1, err
}

// nearTo is the blob of the version before, as the watcher or the journal knows it; 0: neither does.
func (w *writer) nearTo(c *change) (int64, error) {
	if c.before != 0 {
		return c.before, nil
	}
	e, err := w.current(c.name)
	if err != nil || e == nil {
		return 0, err
	}
	return e.blob, nil
}

// meet takes what the journal has as the side before: the watcher may have started later, or
// have lost the bytes.
func (w *writer) meet(m *maker, c *change) error {
	name := c.name
	if c.shape == past.Renamed {
		name = c.oldName
	}
	e, err := w.current(name)
	if err != nil {
		return err
	}
	switch {
	case e == nil && c.before != 0:
		return w.catchUp(m, c)
	case e == nil && c.shape == past.Edited:
		c.shape = past.Made
	case e == nil && c.shape == past.Renamed:
		return w.catchUp(m, c)
	case e == nil:
	case e.kind == c.kind && e.blob != 0:
		c.before = e.blob
		if c.shape == past.Made {
			c.shape = past.Edited
		}
	case e.kind == c.kind && c.before != 0:
		return w.catchUp(m, c)
	}
	if e != nil && e.hasMode {
		c.beforeMode, c.hasMode, c.beforeTime = e.mode, true, e.modTime
	}
	return nil
}

// known reports whether an observation is recorded, or announced, already.
func (w *writer) known(j *Journal, o *Observation, s sides, open map[string][]announcement) (bool, error) {
	name, shape := memstore.BackendName(o.Path), o.shape()
	if ours, err := w.isOurs(name); err != nil || ours {
		return ours, err
	}
	if shape == past.Made && o.Kind == memstore.KindDir {
		if left, err := w.isLeftFolder(name); err != nil || left {
			return left, err
		}
	}
	e, err := w.current(name)
	if err != nil {
		return false, err
	}
	after, err := w.find(s.after)
	if err != nil {
		return false, err
	}
	switch shape {
	case past.Renamed:
		old, err := w.current(memstore.BackendName(o.OldPath))
		if err != nil {
			return false, err
		}
		if old == nil && e != nil && (e.kind == memstore.KindDir || e.blob == after) {
			return true, nil
		}
	case past.Removed:
		if e == nil {
			return true, nil
		}
		if b := j.options.Backend; b != nil {
			if _, err := b.Lstat(name); err == nil {
				return true, nil // it is there again, which is told later
			}
		}
	default:
		if e != nil && e.kind == o.Kind && (o.Kind == memstore.KindDir || e.blob != 0 && e.blob == after) {
			return true, nil
		}
	}
	if announced(open[name], name, shape, after) {
		return true, nil
	}
	if over, err := w.overtaken(j, o, s); err != nil || over {
		return over, err
	}
	if e == nil && shape != past.Removed {
		// Nothing is there as far as the journal knows: so it is, or this is new.
		if j.options.Backend == nil {
			return false, nil
		}
		_, err := j.options.Backend.Lstat(name)
		return memstore.IsAbsent(err), nil
	}
	before, err := w.find(s.before)
	if err != nil {
		return false, err
	}
	if before == 0 && shape != past.Made {
		return false, nil // what the watcher knew before is not known here
	}
	return w.passed(name, shape, before, after)
}

// find is the number of the blob with these bytes, 0 if there is none.
func (w *writer) find(c *content) (id int64, err error) {
	if c == nil || !c.hashed {
		return 0, nil
	}
	_, err = w.row("SELECT id FROM blob WHERE sum = ?", []any{c.sum[:]}, &id)
	return id, err
}

// announcement is one change of an open intent.
type announcement struct {
	shape  past.Shape
	path   string
	moves  bool  // it has an old path
	after  int64 // blob, 0 for none
	folder bool  // that it makes, or that is made for it
}

// announcements are the changes of the open intents by their paths, old ones too. There are a few, or
// those of one large edit: then one reading serves many observations.
func (w *writer) announcements() (map[string][]announcement, error) {
	rows, err := w.query(`SELECT c.shape, c.kind, c.path, coalesce(c.old_path, ''), coalesce(c.after, 0), CASE WHEN c.n = 0 THEN coalesce(i.made, 0) ELSE 0 END
		FROM intent_change c JOIN intent i ON i.id = c.intent`)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	open := map[string][]announcement{}
	for rows.Next() {
		var a announcement
		var old string
		var made int
		var kind memstore.Kind
		if err := rows.Scan(&a.shape, &kind, &a.path, &old, &a.after, &made); err != nil {
			return nil, err
		}
		a.folder = kind == memstore.KindDir && a.shape == past.Made
		dirs := parents(a.path)
		for _, dir := range dirs[max(0, len(dirs)-max(0, made)):] {
			open[dir] = append(open[dir], announcement{shape: past.Made, path: dir, folder: true})
		}
		a.moves = old != ""
		open[a.path] = append(open[a.path], a)
		if a.moves {
			open[old] = append(open[old], a)
		}
	}
	return open, errors.Join(rows.Err(), rows.Close())
}

// announced reports whether an open intent is about to do, or has done, this.
func announced(open []announcement, name string, shape past.Shape, after int64) bool {
	return slices.ContainsFunc(open, func(a announcement) bool {
		switch shape {
		case past.Removed:
			return a.shape == past.Removed || a.path != name
		case past.Renamed:
			return a.moves || a.path == name && after != 0 && a.after == after
		}
		return a.path == name && (after != 0 && a.after == after || shape == past.Made && a.folder)
	})
}

// passed reports whether the journal has gone through this state since the one that the watcher
// knew before: then it has recorded the observation, and more after it.
func (w *writer) passed(name string, shape past.Shape, before, after int64) (bool, error) {
	var since int64
	var err error
	if before != 0 {
		_, err = w.row("SELECT coalesce(max(r.rev), 0) FROM revision r JOIN path p ON p.id = r.path WHERE p.name = ? AND r.after = ?", []any{name, before}, &since)
	} else {
		_, err = w.row("SELECT coalesce(max(r.rev), 0) FROM revision r JOIN path p ON p.id = r.path WHERE p.name = ? AND r.shape = ?", []any{name, int(past.Removed)}, &since)
	}
	if err != nil {
		return false, err
	}
	if shape == past.Removed {
		return w.row(`SELECT 1 FROM revision r JOIN path p ON p.name = ?1 WHERE (r.path = p.id AND r.shape = ?2 OR r.old_path = p.id) AND r.rev > ?3 LIMIT 1`,
			[]any{name, int(past.Removed), since}, new(int))
	}
	if after == 0 {
		return false, nil
	}
	return w.row(`SELECT 1 FROM revision r JOIN path p ON p.id = r.path WHERE p.name = ? AND r.rev > ? AND (r.before = ? OR r.after = ?) LIMIT 1`,
		[]any{name, since, after, after}, new(int))
}
