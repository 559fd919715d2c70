package act_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/keymap"
	"memcurator/tui/act"
	"memcurator/tui/kit"
)

// desk is a queue without a screen around it.
type desk struct {
	jobs  *kit.Jobs
	queue *act.Queue
	did   []string
	told  []kit.Say
}

// shell keeps what it is told.
type shell struct {
	act.Shell
	d *desk
}

func (s shell) WhyPast() kit.Say { return kit.Say{} }
func (s shell) Tell(l kit.Level, said string) {
	s.d.told = append(s.d.told, kit.Say{Level: l, Text: said})
}

func newDesk(store act.Store) *desk {
	d := &desk{jobs: kit.NewJobs(context.Background())}
	d.queue = act.New(&kit.Env{Jobs: d.jobs, Keys: new(keymap.Map), Now: time.Now}, shell{d: d}, &store)
	return d
}

// edit does one that ends with err.
func (d *desk) edit(name string, err error) tea.Cmd {
	note := func(s string) { d.did = append(d.did, s) }
	return act.Do(d.queue, act.Edit[string]{
		Label: name, Work: func(context.Context, *kit.Progress) (string, error) { return name, err },
		Done: func(s string) tea.Cmd { note(s); return nil },
	})
}

// take carries a command out, and what its outcome asks for.
func (d *desk) take(cmd tea.Cmd) {
	if cmd == nil {
		return
	}
	switch msg := cmd().(type) {
	case kit.Done:
		next, _ := msg.Take()
		d.take(next)
	case tea.BatchMsg:
		for _, one := range msg {
			d.take(one)
		}
	}
}

func TestEditsFollowEachOther(t *testing.T) {
	d := newDesk(act.Store{})
	first := d.edit("delete", nil)
	if cmd := d.edit("undo", nil); cmd != nil || !d.queue.Busy() {
		t.Error("the second edit began beside the first")
	}
	d.take(first)
	if want := []string{"delete", "undo"}; !slices.Equal(d.did, want) || d.queue.Busy() {
		t.Errorf("did %q, want %q; busy %v", d.did, want, d.queue.Busy())
	}
}

func TestWhatWaitsForAFailedEditIsDropped(t *testing.T) {
	d := newDesk(act.Store{})
	first := d.edit("delete", errors.New("no room"))
	d.edit("undo", nil)
	d.take(first)
	d.take(d.edit("move", nil)) // after the failure
	if want := []string{"move"}; !slices.Equal(d.did, want) {
		t.Errorf("did %q, want %q", d.did, want)
	}
}

func TestNothingIsRemovedThatCannotComeBack(t *testing.T) {
	for _, c := range []struct {
		why       string
		noJournal string
		level     kit.Level
		refuses   bool
	}{
		{"", "", kit.Info, false}, // started without a journal on purpose
		{"", "the disk is full", kit.Warn, true},
		{"read-only", "", kit.Info, true},
	} {
		d := newDesk(act.Store{NoJournal: c.noJournal, WhyReadOnly: c.why})
		if got := d.queue.RefusesRemoval(); got != c.refuses || len(d.told) > 0 != c.refuses {
			t.Errorf("%+v: refuses %v, told %v", c, got, d.told)
		}
		if c.refuses && d.told[0].Level != c.level {
			t.Errorf("%+v: told %+v", c, d.told[0])
		}
	}
}
