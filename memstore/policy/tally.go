package policy

import (
	"fmt"
	"strconv"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/render/loadlimit"
)

// tally is how much a store holds, counted by a scan and kept up with the edits since, those of other processes too where it is shared.
type tally struct {
	files, bytes int64
	tokens       int64 // below 0: not counted
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
	return l.Mode.Or(config.ModeRefuse) != config.ModeOff && l.Caps()
}

// store checks an edit against the caps of the whole store. What does not add to it passes.
func (c *checking) store() error {
	if !c.policy.capsStore() {
		return nil
	}
	more := c.added()
	c.takeUp()
	if c.edit.Origin.Actor != memstore.Curator { // whose edits are tried without the store's lock too
		defer c.handOn()
	}
	if more.files <= 0 && more.bytes <= 0 && more.tokens <= 0 {
		c.count.add(more)
		return nil
	}
	have, ok := c.tally(more)
	if !ok {
		return nil // a store that cannot be counted is not refused for its size
	}
	mode := c.policy.settings.Limits.Mode.Or(config.ModeRefuse)
	for _, one := range c.policy.storeLimits(have, more) {
		total := one.have + one.more
		if one.more <= 0 || total <= one.limit {
			continue
		}
		text := fmt.Sprintf("The memory would have %s, %s over the %s that it may have. %s", one.amount(total), one.part(total-one.limit),
			one.part(one.limit), advice[one.key])
		if err := c.judge(mode, true, &Refusal{memstore.Root, one.key, text}); err != nil {
			return err
		}
	}
	c.count.add(more)
	return nil
}

// storeLimit is a cap of the whole store, with what the store has of it and what an edit adds.
type storeLimit struct {
	key               string
	limit, have, more int64
	amount, part      func(int64) string // with its unit, and without where that is clear
}

// storeLimits are the caps of the whole store that are set.
func (p *Policy) storeLimits(have, more tally) (list []storeLimit) {
	plain := func(n int64) string { return strconv.FormatInt(n, 10) }
	in := func(format string) func(int64) string { return func(n int64) string { return fmt.Sprintf(format, n) } }
	l := p.settings.Limits
	for _, one := range []storeLimit{
		{"max_files", l.MaxFiles.Value, have.files, more.files, in("%d files"), plain},
		{"max_bytes", l.MaxBytes.Value, have.bytes, more.bytes, size, size},
		{"max_tokens", l.MaxTokens.Value, have.tokens, more.tokens, in("about %d tokens"), plain},
	} {
		if one.limit > 0 {
			list = append(list, one)
		}
	}
	return list
}

func (t *tally) add(more tally) {
	t.files += more.files
	t.bytes += more.bytes
	if t.tokens >= 0 {
		t.tokens = max(0, t.tokens+more.tokens)
	}
}

// added is what the edit adds to the store. Tokens count where they are limited.
func (c *checking) added() (more tally) {
	limited := c.policy.settings.Limits.MaxTokens.Value > 0
	count := func(content *memstore.Content, sign int64) {
		if content == nil {
			return
		}
		more.files += sign
		more.bytes += sign * content.Size()
		if !limited {
			return
		}
		if data, err := content.Bytes(); err == nil { // else the edit fails anyway
			more.tokens += sign * loadlimit.EstimatePart(data[:min(len(data), loadlimit.TokenPart)], int64(len(data)))
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

// tally counts the store, or believes the last count where that cannot change the answer.
func (c *checking) tally(more tally) (tally, bool) {
	t, age := c.count, time.Since(c.count.at)
	limited := c.policy.settings.Limits.MaxTokens.Value > 0
	over, near := false, false
	for _, one := range c.policy.storeLimits(t, more) {
		total := one.have + one.more
		over = over || one.more > 0 && total > one.limit
		near = near || one.more > 0 && total*10 > one.limit*9
	}
	switch {
	case t.at.IsZero(), limited && t.tokens < 0, over, age < 0:
	case near:
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
	now := tally{tokens: -1}
	if limited {
		now.tokens = 0
		if c.reader == nil || len(c.reader.known) > 2*snapshot.Root.Files+knownSpare {
			c.reader = NewReader(c.backend)
		}
	}
	snapshot.Walk(func(at string, n *memstore.Node) bool {
		if n.Kind == memstore.KindFile {
			now.files++
			now.bytes += n.Size
			if limited && !memstore.InGit(at) {
				if tokens, err := c.reader.tokens(at, n.Info); err == nil {
					now.tokens += tokens
				}
			}
		}
		return true
	})
	now.at, now.cost = time.Now(), time.Since(begun)
	c.count = now
	return c.count, true
}
