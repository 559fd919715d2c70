package policy

import (
	"memcurator/memstore"
	"memcurator/memstore/config"
)

// tally is how much a store holds, or an edit adds to it.
type tally struct{ files, bytes int64 }

// capsStore reports whether a cap of the whole store is on.
func (p *Policy) capsStore() bool {
	l := p.settings.Limits
	return l.Mode.Or(config.ModeRefuse) != config.ModeOff && l.Caps()
}

// store checks an edit against the caps of the whole store. What does not add to it passes.
func (c *checking) store() error {
	if !c.policy.capsStore() {
		return nil
	}
	more := c.added()
	if more.files <= 0 && more.bytes <= 0 {
		return nil
	}
	have, err := c.tally()
	if err != nil {
		return nil // a store that cannot be counted is not refused for its size
	}
	mode := c.policy.settings.Limits.Mode.Or(config.ModeRefuse)
	for _, one := range c.policy.storeLimits(have, more) {
		if one.more <= 0 || one.have+one.more <= one.limit.Value {
			continue
		}
		if err := c.judge(mode, true, "The memory would have "+one.reason()+". "+one.advice); err != nil {
			return err
		}
	}
	return nil
}

// added is what the edit adds to the store.
func (c *checking) added() (more tally) {
	count := func(content *memstore.Content, sign int64) {
		if content != nil {
			more.files += sign
			more.bytes += sign * content.Size()
		}
	}
	for i := range c.edit.Changes {
		if ch := &c.edit.Changes[i]; ch.OldPath == "" && ch.Kind == memstore.KindFile {
			count(ch.After, 1)
			count(ch.Before, -1)
		}
	}
	return more
}

// tally counts the store, in its lock: other processes may have added to it since the last edit.
func (c *checking) tally() (now tally, err error) {
	snapshot, err := memstore.New(c.backend, memstore.Options{}).Scan(c.ctx, memstore.ScanOptions{})
	if err != nil {
		return now, err
	}
	snapshot.Walk(func(_ string, n *memstore.Node) bool {
		if n.Kind == memstore.KindFile {
			now.files++
			now.bytes += n.Size
		}
		return true
	})
	return now, nil
}
