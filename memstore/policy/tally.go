package policy

import (
	"fmt"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/config"
)

// tally is how much a store holds, counted by a scan and kept up with the edits since, those of other processes too where it is shared.
type tally struct {
	files, bytes int64
	at           time.Time
	cost         time.Duration // of the scan
}

// How long a tally is believed. A refusal never goes by an old one, and near a cap none is believed
// unless counting is slow; far below it programs that count nothing may have added what a second brings.
const (
	tallyFar  = time.Second
	tallyNear = 20 // times the cost of a scan: it may take a twentieth of the time
	quickScan = time.Millisecond
)

// capsStore reports whether a cap of the whole store is on.
func (p *Policy) capsStore() bool {
	l := p.settings.Limits
	return l.Mode.Or(config.ModeRefuse) != config.ModeOff && (l.MaxFiles.Value > 0 || l.MaxBytes.Value > 0)
}

// store checks an edit against the caps of the whole store. What does not add to it passes.
func (c *checking) store() error {
	if !c.policy.capsStore() {
		return nil
	}
	files, bytes := added(c.edit)
	c.takeUp()
	if c.edit.Origin.Actor != memstore.Curator { // whose edits are tried without the store's lock too
		defer c.handOn()
	}
	if files <= 0 && bytes <= 0 {
		c.count.files += files
		c.count.bytes += bytes
		return nil
	}
	have, ok := c.tally(files, bytes)
	if !ok {
		return nil // a store that cannot be counted is not refused for its size
	}
	l := c.policy.settings.Limits
	mode := l.Mode.Or(config.ModeRefuse)
	if limit := l.MaxFiles.Value; limit > 0 && files > 0 && have.files+files > limit {
		text := fmt.Sprintf("The memory would have %d files, %d over the %d that it may have. %s", have.files+files, have.files+files-limit,
			limit, advice["max_files"])
		if err := c.judge(mode, true, &Refusal{memstore.Root, "max_files", text}); err != nil {
			return err
		}
	}
	if limit := l.MaxBytes.Value; limit > 0 && bytes > 0 && have.bytes+bytes > limit {
		total := have.bytes + bytes
		text := fmt.Sprintf("The memory would have %s, %s over the %s that it may have. %s", size(total), size(total-limit), size(limit),
			advice["max_bytes"])
		if err := c.judge(mode, true, &Refusal{memstore.Root, "max_bytes", text}); err != nil {
			return err
		}
	}
	c.count.files += files
	c.count.bytes += bytes
	return nil
}

// added is what an edit adds to a store.
func added(e *memstore.Edit) (files, bytes int64) {
	for i := range e.Changes {
		ch := &e.Changes[i]
		if ch.OldPath != "" || ch.Kind != memstore.KindFile {
			continue
		}
		if ch.After != nil {
			files++
			bytes += ch.After.Size()
		}
		if ch.Before != nil {
			files--
			bytes -= ch.Before.Size()
		}
	}
	return files, bytes
}

// tally counts the store, or believes the last count where that cannot change the answer.
func (c *checking) tally(files, bytes int64) (tally, bool) {
	l := c.policy.settings.Limits
	over := func(limit, have, more int64) bool { return limit > 0 && more > 0 && have+more > limit }
	near := func(limit, have, more int64) bool { return limit > 0 && more > 0 && (have+more)*10 > limit*9 }
	t, age := c.count, time.Since(c.count.at)
	switch {
	case t.at.IsZero(), over(l.MaxFiles.Value, t.files, files), over(l.MaxBytes.Value, t.bytes, bytes), age < 0:
	case near(l.MaxFiles.Value, t.files, files), near(l.MaxBytes.Value, t.bytes, bytes):
		if t.cost > quickScan && age < min(tallyNear*t.cost, tallyFar) {
			return t, true
		}
	case age < max(tallyFar, tallyNear*t.cost):
		return t, true
	}
	begun := time.Now()
	look := memstore.New(c.backend, memstore.Options{ReadOnly: true, Origin: memstore.Origin{Actor: memstore.Curator}, Workers: 2})
	snapshot, err := look.Scan(c.ctx, nil)
	if err != nil {
		return t, false
	}
	c.count = tally{at: time.Now(), cost: time.Since(begun)}
	snapshot.Walk(func(_ string, n *memstore.Node) bool {
		if n.Kind == memstore.KindFile {
			c.count.files++
			c.count.bytes += n.Size
		}
		return true
	})
	return c.count, true
}
