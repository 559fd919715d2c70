package tui

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"
)

// A change among those of all stores is approved where it is listed, and u makes it unread again.
func TestApproveAmongTheChangesOfAllStores(t *testing.T) {
	var mu sync.Mutex
	var marks []string
	broken := false
	s := listed()
	s.Mark = func(_ context.Context, row FoundStore, read bool, revs ...int64) error {
		mu.Lock()
		defer mu.Unlock()
		if broken {
			return errors.New("Can't write to its journal: the journal is read-only")
		}
		marks = append(marks, fmt.Sprint(row.Project, " ", read, " ", revs))
		return nil
	}
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "a\n"}), w: 120, h: 35, theme: dark, stores: s})
	d.press("0")
	d.sees("ferrybook")
	d.press("a")
	d.lacks("read already")
	d.press("]")
	d.sees("6 changes in 3 stores")
	d.sees("a approve")
	d.press("f")
	d.types("is:unread")
	d.press("enter")
	d.sees("3 of 6")
	d.press("esc", "a")
	d.press("a")
	d.sees("This change is read already")
	d.press("u")
	d.rest()
	mu.Lock()
	want := "[user, all projects true [1] user, all projects false [1]]"
	if got := fmt.Sprint(marks); got != want {
		t.Errorf("marked were %s, want %s", got, want)
	}
	broken = true
	mu.Unlock()
	d.press("a")
	d.sees("Can't write to its journal")
	d.press("g", "a")
	d.sees("Can't write to its journal")
}

// On Stores, u asks before it undoes an edit of the open store, and names that.
func TestUndoOnStoresAsks(t *testing.T) {
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "a\n", "b.md": "b\n"}), w: 120, h: 35, theme: dark, stores: listed(), session: true})
	d.press("j", "d", "y")
	d.sees("Deleted")
	d.press("0")
	d.sees("ferrybook")
	d.press("u")
	d.sees(" in ~/agent/memories?")
	d.press("n", "1", "u")
	d.sees("a.md")
}
