package policy

import (
	"fmt"
	"strconv"

	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/render/loadlimit"
)

// tally is how much a store holds, or an edit adds to it.
type tally struct{ files, bytes, tokens int64 }

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
	if more.files <= 0 && more.bytes <= 0 && more.tokens <= 0 {
		return nil
	}
	have, err := c.tally()
	if err != nil {
		return nil // a store that cannot be counted is not refused for its size
	}
	mode := c.policy.settings.Limits.Mode.Or(config.ModeRefuse)
	for _, one := range c.policy.storeLimits(have, more) {
		total := one.have + one.more
		if one.more <= 0 || total <= one.limit {
			continue
		}
		text := fmt.Sprintf("The memory would have %s, %s over the %s that it may have. %s", one.amount(total), one.part(total-one.limit),
			one.part(one.limit), one.advice)
		if err := c.judge(mode, true, text); err != nil {
			return err
		}
	}
	return nil
}

// storeLimit is a cap of the whole store, with what the store has of it and what an edit adds.
type storeLimit struct {
	limit, have, more int64
	amount, part      func(int64) string // with its unit, and without where that is clear
	advice            string             // what the agent can do about it
}

const deleteFirst = "Delete or shorten first what is not needed any more"

// storeLimits are the caps of the whole store that are set.
func (p *Policy) storeLimits(have, more tally) (list []storeLimit) {
	plain := func(n int64) string { return strconv.FormatInt(n, 10) }
	in := func(format string) func(int64) string { return func(n int64) string { return fmt.Sprintf(format, n) } }
	l := p.settings.Limits
	for _, one := range []storeLimit{
		{l.MaxFiles.Value, have.files, more.files, in("%d files"), plain, "Delete a file that is not needed any more, or add to one that exists"},
		{l.MaxBytes.Value, have.bytes, more.bytes, size, size, deleteFirst},
		{l.MaxTokens.Value, have.tokens, more.tokens, in("about %d tokens"), plain, deleteFirst},
	} {
		if one.limit > 0 {
			list = append(list, one)
		}
	}
	return list
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

// tally counts the store, in its lock: other processes may have added to it since the last edit.
func (c *checking) tally() (now tally, err error) {
	limited := c.policy.settings.Limits.MaxTokens.Value > 0
	look := memstore.New(c.backend, memstore.Options{ReadOnly: true, Origin: memstore.Origin{Actor: memstore.Curator}, Workers: 2})
	snapshot, err := look.Scan(c.ctx, nil)
	if err != nil {
		return now, err
	}
	if limited && (c.reader == nil || len(c.reader.known) > 2*snapshot.Root.Files+knownSpare) {
		c.reader = NewReader(c.backend)
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
	return now, nil
}
