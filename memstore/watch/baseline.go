package watch

import (
	"slices"
	"time"

	"memcurator/memstore"
)

// One step of the baseline reads at most stepFiles files and stepBytes bytes, so
// that a preferred file is never far away.
const (
	stepFiles = 64
	stepBytes = 8 << 20
)

// baseline is the queue of the files whose content is not known yet. It belongs
// to the owner; one step at a time is read by another goroutine.
type baseline struct {
	queue   []string // names; what has gone or is known meanwhile is skipped
	kept    int      // looked at, or no longer to be
	added   int
	running bool
	why     string // why a file that is not read yet has no bytes
	full    bool   // nothing more is read
	results chan []copied
}

type copied struct {
	name    string
	version *Version // nil: it vanished
}

func (b *baseline) add(name string) {
	if b.why == "" {
		b.why = whyUnread
	}
	b.added++
	if b.full {
		b.kept++
		return
	}
	b.queue = append(b.queue, name)
}

func (b *baseline) total() int { return b.added }

// prefer puts name first if it is still waiting.
func (b *baseline) prefer(name string) {
	if i := slices.Index(b.queue, name); i > 0 {
		copy(b.queue[1:i+1], b.queue[:i])
		b.queue[0] = name
	}
}

// copyMore starts the next step.
func (o *owner) copyMore() {
	b := &o.base
	if b.running || len(b.queue) == 0 || !o.loaded {
		return
	}
	var step []*reading
	var size int64
	for len(b.queue) > 0 && len(step) < stepFiles && size < stepBytes {
		name := b.queue[0]
		b.queue = b.queue[1:]
		n := o.told.Lookup(name)
		if n == nil || n.Kind != memstore.KindFile || o.versions[name] != nil {
			b.kept++
			continue
		}
		step = append(step, &reading{name: name, kind: n.Kind})
		if n.Size <= o.w.options.MaxFile {
			size += n.Size
		}
	}
	if len(b.queue) == 0 {
		b.queue = nil
		o.changed()
	}
	if len(step) == 0 {
		return
	}
	b.running = true
	r := o.reader(false)
	o.group.Go(func() {
		out := make([]copied, 0, len(step))
		for _, one := range step {
			r.read(o.ctx, one)
			if o.ctx.Err() != nil {
				return
			}
			out = append(out, copied{one.name, one.version})
		}
		select {
		case b.results <- out:
		case <-o.ctx.Done():
		}
	})
}

// takeCopies keeps what was read of files that are still as they were told.
func (o *owner) takeCopies(all []copied) {
	b := &o.base
	b.running = false
	b.kept += len(all)
	for _, c := range all {
		n := o.told.Lookup(c.name)
		if c.version == nil {
			continue
		}
		if n == nil || o.versions[c.name] != nil || !sameStat(&n.Info, &c.version.stat) {
			o.w.spill.unref(c.version)
			continue
		}
		if c.version.why == whyFull && !b.full {
			b.full, b.why = true, whyFull
			b.kept += len(b.queue)
			b.queue = nil
		}
		o.setVersion(c.name, c.version)
	}
	o.changed()
}

// sameStat reports whether two looks at a path saw the same file with the same stamp.
func sameStat(a, b *memstore.Info) bool {
	return a.Kind == b.Kind && a.ID == b.ID && a.Size == b.Size && a.ModTime.Equal(b.ModTime)
}

// racyFor is the coarsest step of the clocks of file systems: a file that was
// read less than that after its stamp may have changed since under the same stamp.
const racyFor = 2 * time.Second

func (v *Version) racy(stamp time.Time) bool {
	return v != nil && v.known() && v.seen.Sub(stamp) < racyFor
}
