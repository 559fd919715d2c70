package tui

import (
	"context"
	"strings"
	"testing"
	"time"

	"memcurator/memstore/discover"
	"memcurator/memstore/overview"
	"memcurator/tui/stores"
)

// A list without a column for the state says it in place of the load, as wide lists do.
func TestStatesOfStoresInNarrowLists(t *testing.T) {
	states := []overview.State{overview.Unreadable, overview.Damaged, overview.Stranded, overview.OverLimit, overview.Waiting, overview.OutOfStep,
		overview.NotLoaded, overview.Encrypted}
	s := listed()
	s.List = func(_ context.Context, _ overview.Part, report func(FoundStore)) error {
		for i, state := range append(states, overview.Running) {
			row := listedRow("/home/ann/"+string(rune('a'+i)), "Codex", "", 1, 10, time.Hour)
			row.State, row.Done, row.Kind = state, overview.Everything, discover.KindDir
			report(row)
		}
		return nil
	}
	for _, w := range []int{120, 80, 40} {
		d := start(t, setup{storeless: true, w: w, h: 40, theme: dark, stores: s})
		d.sees("Codex")
		for _, state := range states {
			d.sees(string(state))
		}
		if w < 100 {
			d.lacks("running")
			d.sees("on demand")
		}
	}
}

// Blanks in a filter are no condition: the offers below the stores are filtered, too.
func TestBlanksInTheFilterOfStores(t *testing.T) {
	d := start(t, setup{storeless: true, w: 120, h: 35, theme: dark, stores: listed()})
	d.sees("ferrybook")
	d.press("f")
	d.types("sample  work")
	d.press("enter")
	d.sees("a sample store with an agent at work")
	d.press("f", "ctrl+u")
	d.types("is:stranded")
	d.press("enter")
	d.lacks("a sample store")
}

// The changes of all stores leave a wide terminal's room to the diff, and give it back to the columns of the stores.
func TestWideDiffOfAllStores(t *testing.T) {
	d := start(t, setup{storeless: true, w: 200, h: 40, theme: dark, stores: listed()})
	d.sees("ferrybook")
	if w := d.m.stage.layout.list.W; w < 127 {
		t.Errorf("the stores have %d columns", w)
	}
	d.press("]")
	d.sees("6 changes in 3 stores")
	if w := d.m.stage.layout.detail.W; w < 110 {
		t.Errorf("the diff has %d columns", w)
	}
	d.press("j")
	d.sees("+- waitlist: 1 open")
	if strings.Contains(d.screen(), "at start") {
		t.Error("the columns of the stores are drawn")
	}
	d.press("esc")
	d.sees("stores on this machine")
	if w := d.m.stage.layout.list.W; w < 127 {
		t.Errorf("the stores have %d columns after the changes", w)
	}
}

// The ages of the rows in sight move on by themselves, with a message each time that one of them changes and none between.
func TestAgesOfStoresMoveOn(t *testing.T) {
	for _, size := range [][2]int{{120, 35}, {50, 20}} {
		d := start(t, setup{storeless: true, w: size[0], h: size[1], theme: dark, stores: listed()})
		d.sees("10 s ago")
		ages := func() (list []waited) {
			for _, w := range d.waiting {
				if _, is := w.msg.(stores.Message); is {
					list = append(list, w)
				}
			}
			return list
		}
		now := d.w.env.Now()
		d.w.env.Now = func() time.Time { return now }
		for _, want := range []struct {
			in   time.Duration
			says string
		}{{time.Second, "11 s ago"}, {time.Second, "12 s ago"}} {
			if got := ages(); len(got) != 1 || got[0].after != want.in {
				t.Fatalf("messages wait: %v, want one in %v", got, want.in)
			}
			now = now.Add(want.in)
			d.passes(want.in)
			d.sees(want.says)
		}
		now = now.Add(50 * time.Second)
		d.passes(time.Second)
		d.sees("1 min ago")
		d.press("f5", "j", "k")
		if got := ages(); len(got) != 1 || got[0].after != 8*time.Second {
			t.Fatalf("messages wait: %v, want one when 2 min become 3", got)
		}
	}
}
