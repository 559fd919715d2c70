package tui

import (
	"os"
	"path/filepath"
	"testing"

	"memcurator/memstore/memtest"
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
		d.press("n", "n")
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

// TestAddFolderToTheStores: c adds a folder to the configuration after its diff, and undo removes it.
func TestAddFolderToTheStores(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	dir, file := filepath.Join(home, "notes"), filepath.Join(home, "config.toml")
	const before = "[discover]\npaths = [\"/a\"]\n"
	memtest.WriteFiles(t, home, map[string]string{"config.toml": before, "note.md": "x", "notes/a.md": "a"})
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
		d.press("esc")
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
