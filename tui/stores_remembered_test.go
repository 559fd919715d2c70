package tui

import (
	"os"
	"path/filepath"
	"testing"
)

// The list of stores is as it was when the program was left: order, filter, folded agents, empty stores, the row of the cursor.
func TestTheListOfStoresIsRemembered(t *testing.T) {
	state := t.TempDir()
	run := func() *driver {
		s := listed()
		s.StateDir = state
		d := start(t, setup{storeless: true, w: 120, h: 35, theme: dark, stores: s})
		d.rest()
		return d
	}
	again := func(d *driver, what string) *driver {
		t.Helper()
		d.w.end(true)
		left := d.screen()
		next := run()
		if got := next.screen(); withoutMessage(got) != withoutMessage(left) {
			t.Errorf("%s: left as\n%s\nfound as\n%s", what, left, got)
		}
		return next
	}
	d := run()
	d.press("o", "H", "g", "j", "j", "h", "j", "j")
	d = again(d, "order, folds, empty stores")
	d.lacks("tide-tables")
	d.press("f")
	d.types("ferry")
	d.press("enter", "j")
	d = again(d, "filter")
	d.press("esc", "o", "H")
	again(d, "neither")

	// A damaged file is a new start.
	if err := os.WriteFile(filepath.Join(state, "stores.json"), []byte("{broken"), 0o600); err != nil {
		t.Fatal(err)
	}
	run().sees("tide-tables")
	if err := os.Remove(filepath.Join(state, "stores.json")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(state, "stores.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	d = run()
	d.press("o")
	d.w.end(true)
}

// A store that another program changed between two runs is found as it was left, as far as what was there still is.
func TestAStoreIsRememberedAcrossRuns(t *testing.T) {
	d, ferry, _ := switching(t)
	d.press("enter")
	d.sees("alpha.md")
	d.press("f")
	d.types("a.md")
	d.press("enter", "G")
	d.press("2", "f")
	d.types("is:unread")
	d.press("enter", "1")
	state := d.m.options.StateDir
	d.w.end(true)
	for _, name := range []string{"aaa.md", "gamma.md"} {
		if err := os.WriteFile(filepath.Join(ferry, name), []byte("x\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	again := start(t, setup{dir: ferry, w: 120, h: 35, theme: dark, state: state, journal: t.TempDir()})
	again.sees("gamma.md")
	if got := again.m.travel.Present().Tree.Filter(); got != "a.md" {
		t.Errorf("the filter is %q", got)
	}
	if selected, _ := again.m.travel.Present().Tree.Selected(); selected != "/memories/beta.md" {
		t.Errorf("the cursor is on %s", selected)
	}
	if got := again.m.changes.Revisions().Filter(); got != "is:unread" {
		t.Errorf("the filter of Changes is %q", got)
	}
}
