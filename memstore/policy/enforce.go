package policy

import (
	"context"
	"errors"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/config"
	"memcurator/render/loadlimit"
)

// Enforcer holds the handlers of a store to the configuration: locks, caps and the read cap. A store
// gets it by its options:
//
//	e := policy.NewEnforcer(backend, settings)
//	store := memstore.New(backend, memstore.Options{Guards: []memstore.Guard{e.Guard()}, MaxViewChars: e.ViewChars()})
//
// Where the configuration says nothing about limits, the store answers byte for byte as without it,
// and does no work for it. What is too large already can always be made smaller or deleted. Locks
// apply to every actor except the curator. Safe for concurrent use.
type Enforcer struct {
	backend memstore.Backend
	idle    bool // no lock and no cap is set
	policy  *Policy
}

// NewEnforcer enforces what the configuration says for the store over b.
func NewEnforcer(b memstore.Backend, s config.Settings) *Enforcer {
	p := New(s)
	idle := !p.capsStore()
	for i := range s.Rules {
		idle = idle && !s.Rules[i].Keys.Lock.Value && !s.Rules[i].Keys.Caps()
	}
	return &Enforcer{backend: b, policy: p, idle: idle}
}

// Guard is what a store is given.
func (e *Enforcer) Guard() memstore.Guard {
	return memstore.Guard{Check: e.check}
}

// ViewChars is the read cap, for [memstore.Options]; 0: none.
func (e *Enforcer) ViewChars() int {
	l := e.policy.settings.Limits
	if l.Mode.Or(config.ModeRefuse) == config.ModeOff {
		return 0
	}
	return int(l.ReadChars.Value)
}

// checking is the check of one edit.
type checking struct {
	*Enforcer
	ctx   context.Context
	edit  *memstore.Edit
	notes []string
	// by the user in an editor of their own: caps only warn then, since it is the user's word that they are
	lenient bool
}

func (e *Enforcer) check(ctx context.Context, edit *memstore.Edit) (string, error) {
	if e.idle {
		return "", nil
	}
	c := &checking{Enforcer: e, ctx: ctx, edit: edit}
	c.lenient = edit.Origin.Actor == memstore.Curator && edit.Command.Name == memstore.CmdEdit
	for i := range edit.Changes {
		if err := c.change(&edit.Changes[i]); err != nil {
			return "", err
		}
	}
	if err := c.store(); err != nil {
		return "", err
	}
	return strings.Join(c.notes, "; "), nil
}

// change checks one change, of a folder that moves with all that is in it.
func (c *checking) change(ch *memstore.Change) error {
	if err := c.locked(ch.Path, ch.OldPath); err != nil {
		return err
	}
	switch {
	case ch.Kind == memstore.KindDir && ch.OldPath != "":
		return c.folder(ch)
	case ch.After != nil:
		return c.file(ch)
	}
	return nil
}

// locked refuses what the user has locked, for all but the user.
func (c *checking) locked(paths ...string) error {
	if c.edit.Origin.Actor == memstore.Curator {
		return nil
	}
	for _, path := range paths {
		if path != "" && c.policy.Rules(path).Lock.Value {
			return errors.New(path + " is locked by the user and cannot be changed, moved or deleted. Leave it as it is and write to another path")
		}
	}
	return nil
}

// file checks a file that is made, edited or moved against the caps of its path.
func (c *checking) file(ch *memstore.Change) error {
	rules := c.policy.Rules(ch.Path)
	if !rules.capped {
		return nil
	}
	now, err := measureOf(ch.Path, ch.After, rules)
	if err != nil {
		return nil // bytes that cannot be read were refused already, or are the disk's
	}
	if ch.Before == nil {
		return c.caps(rules, now, nil, measure{})
	}
	before := rules
	was := measure{path: ch.Path}
	if ch.OldPath != "" {
		was.path, before = ch.OldPath, c.policy.Rules(ch.OldPath)
	}
	if was, err = measureOf(was.path, ch.Before, before); err != nil {
		return nil
	}
	return c.caps(rules, now, before, was)
}

// measureOf counts lines only where a cap asks for them.
func measureOf(path string, content *memstore.Content, rules *Rules) (measure, error) {
	m := measure{path: path, bytes: content.Size()}
	if rules.counts(m.bytes) {
		data, err := content.Bytes()
		if err != nil {
			return m, err
		}
		m.lines = loadlimit.LineCount(data)
	}
	return m, nil
}

// caps refuses, or notes, what is over a cap. before and was are the rules and the measure that the
// file had, nil where there was none: what was over the cap already and does not grow passes, with a
// note where something can be done about it.
func (c *checking) caps(rules *Rules, now measure, before *Rules, was measure) error {
	for i := range allFileCaps {
		one := &allFileCaps[i]
		if !one.passed(rules, now) {
			continue
		}
		worse := before == nil || !one.passed(before, was) || one.have(now) > one.have(was)
		if !worse && one.key == "max_depth" {
			continue // nothing about the path is new
		}
		text := now.path + " would have " + one.say(one.have(now), one.limit(rules).Value) + ". " + one.advice
		if err := c.judge(rules.Mode.Or(config.ModeRefuse), worse, text); err != nil {
			return err
		}
	}
	return nil
}

// judge refuses or notes, by the mode. text is a sentence for the agent without its full stop, that says the limit, by how much it is
// passed, and what to do.
func (c *checking) judge(mode config.Mode, worse bool, text string) error {
	switch {
	case mode == config.ModeOff:
	case mode == config.ModeRefuse && worse && !c.lenient:
		return errors.New(text)
	default:
		c.notes = append(c.notes, "Note: "+strings.Replace(text, " would have ", " has ", 1))
	}
	return nil
}

// folder checks what moves with a folder: nothing locked may, and every path gets longer or deeper.
func (c *checking) folder(ch *memstore.Change) error {
	name := memstore.BackendName(ch.OldPath)
	snapshot, err := memstore.New(c.backend, memstore.Options{}).Scan(c.ctx, memstore.ScanOptions{Name: name})
	if errors.Is(err, context.Canceled) {
		return err
	}
	if err != nil {
		return nil // the move itself reports what is wrong
	}
	snapshot.Walk(func(at string, n *memstore.Node) bool {
		if err != nil {
			return false // siblings follow anyway
		}
		below := strings.TrimPrefix(at, memstore.Root)
		from, to := ch.OldPath+below, ch.Path+below
		if err = c.locked(from, to); err != nil || n.Kind != memstore.KindFile {
			return err == nil
		}
		if rules := c.policy.Rules(to); rules.capped {
			now := measure{path: to, bytes: n.Size}
			if rules.counts(n.Size) {
				if text, err := NewReader(c.backend).content(from, n.Info); err == nil {
					now.lines = text.lines
				}
			}
			was := now
			was.path = from
			err = c.caps(rules, now, c.policy.Rules(from), was)
		}
		return err == nil
	})
	return err
}
