package tui

import (
	"context"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/overview"
	"memcurator/memstore/past"
)

// S on Stores searches all stores; a match opens its store at the line, and esc leads back from the results.
func TestSearchAllStores(t *testing.T) {
	for _, size := range screenSizes {
		d := start(t, setup{storeless: true, w: size.w, h: size.h, theme: dark, stores: listed()})
		d.sees("ferrybook")
		d.press("S")
		d.sees("search all stores:")
		d.types("ferry")
		d.press("enter")
		d.sees("timetable")
		d.press("}")
		d.golden("stores-search-" + size.name)
		d.press("n")
		if size.w == 40 {
			d.press("tab")
		}
		d.sees("The ferry leaves at 8:15.")
		d.rest()
		d.golden("stores-near-" + size.name)
		if size.w == 40 {
			d.press("tab")
		}
		d.press("n", "n")
		if size.w == 120 {
			d.sees("Can't read it: permission denied")
		}
		d.press("N", "N", "o", "enter")
		d.sees("Can't read /home/ann/.")
		d.press("/")
		d.types("late")
		d.press("enter", "n", "N", "esc", "esc")
		d.sees("stores on this machine")
		if size.w == 120 {
			d.press("S")
			d.types("nothing")
			d.press("enter", "f5", "f", "y", "esc", "i")
		}
	}
}

// "]" lists the changes of all stores, newest first, with the diff of the one under the cursor.
func TestChangesOfAllStores(t *testing.T) {
	for _, size := range screenSizes {
		d := start(t, setup{storeless: true, w: size.w, h: size.h, theme: dark, stores: listed()})
		d.sees("ferrybook")
		d.press("]")
		d.sees("progress.md")
		d.press("j")
		d.rest()
		d.golden("stores-changes-" + size.name)
		if size.w == 40 {
			d.press("tab")
			d.sees("+- waitlist: 1 open")
			d.press("tab")
		}
		d.press("enter")
		d.sees("Can't read /home/ann/")
		d.press("f5", "esc")
		d.sees("stores on this machine")
		d.press("[", "[")
		d.sees("stores on this machine")
	}
}

// Changes that are made while those of all stores are listed appear without a key: only what changed is read again, and the cursor stays.
func TestChangesOfAllStoresAreLive(t *testing.T) {
	s := listed()
	read := s.fake().changes
	var asked atomic.Int32
	var more atomic.Bool
	s.fake().changes = func(ctx context.Context, rows []FoundStore, report func(Searched)) error {
		if !more.Load() {
			return read(ctx, rows, report)
		}
		asked.Add(int32(len(rows)))
		for _, row := range rows {
			report(Searched{Store: row.Path, Found: 1, Matches: []StoreMatch{{Store: row.Path, Path: "/memories/brand-new.md", Change: &past.Revision{
				Rev: 3, Time: time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC), Actor: memstore.Agent, Command: "create", Path: "/memories/brand-new.md",
				Added: 1, Unread: true, Kind: memstore.KindFile, After: past.Side{Exists: true, Kept: true, Size: 1},
			}}}})
		}
		return nil
	}
	s.fake().list = func(_ context.Context, _ overview.Part, report func(FoundStore)) error {
		rows := machine()
		if more.Load() {
			rows[1].Newest = rows[1].Newest.Add(time.Minute)
		}
		for _, row := range rows {
			report(row)
		}
		return nil
	}
	d := start(t, setup{storeless: true, w: 120, h: 35, theme: dark, stores: s})
	d.sees("ferrybook")
	d.press("]")
	d.sees("6 changes in 3 stores")
	d.press("j")
	d.sees("+- waitlist: 1 open")
	d.run(d.w.stores.Reread(""))
	d.rest() // else it may already see what comes next
	more.Store(true)
	d.run(d.w.stores.Reread(""))
	d.sees("brand-new.md")
	d.sees("7 changes in 4 stores")
	d.sees("+- waitlist: 1 open")
	if n := asked.Load(); n != 1 {
		t.Errorf("%d stores are read again", n)
	}
	more.Store(false)
	d.press("f5")
	d.sees("6 changes in 3 stores")
	d.lacks("brand-new.md")
}

// TestAddFolderToTheStores: c adds a folder to the configuration after its diff, and undo removes it.
func TestAddFolderToTheStores(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	dir, file := filepath.Join(home, "notes"), filepath.Join(home, "config.toml")
	const before = "[discover]\npaths = [\"/a\"]\n"
	for name, data := range map[string]string{file: before, filepath.Join(home, "note.md"): "x"} {
		if err := os.WriteFile(name, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	stores := listed()
	stores.Config = ConfigPlace{File: file, Home: home}
	d := start(t, setup{dir: files(t, map[string]string{"x.md": "x\n"}), w: 110, h: 30, theme: dark, journal: t.TempDir(), stores: stores})
	holds := func(text string) func() bool {
		return func() bool {
			data, err := os.ReadFile(file)
			return err == nil && string(data) == text && !d.busy()
		}
	}
	d.press("0")
	for typed, want := range map[string]string{
		"~/gone": "Can't add ~/gone: no such folder", "~/note.md": "Can't add ~/note.md: no such folder", "/a": "Can't add /a: no such folder",
	} {
		d.command("add-folder " + typed)
		d.sees(want)
	}
	d.press("c")
	d.types("~/no")
	d.press("tab", "enter")
	d.sees("Add ~/notes to the stores?")
	d.sees("+ [stores.notes]")
	d.sees(`+ dir = "~/notes"`)
	d.press("y")
	d.sees("Added ~/notes at config.toml:4. u undoes")
	d.until("written", holds("[discover]\npaths = [\"/a\"]\n\n[stores.notes]\ndir = \"~/notes\"\n"))
	d.command("add-folder " + dir)
	d.sees("The configuration lists ~/notes already")
	d.press("u")
	d.until("undone", holds(before))
}
