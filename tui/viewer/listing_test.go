package viewer

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memcurator/tui/ui"
)

// largeStage shows a folder that counts as large, with one name in it.
func largeStage(t *testing.T) *stage {
	s := newStage(t, 60, 10)
	if err := os.Mkdir(filepath.Join(s.dir, "many"), 0o700); err != nil {
		t.Fatal(err)
	}
	s.write("many/old.md", "x\n")
	s.write("a.md", "text\n")
	s.p.Weigh(func(path string) int {
		if path == "/memories/many" {
			return largeListing
		}
		return 1
	})
	s.show("/memories/many")
	return s
}

func (s *stage) lists(name string) bool { return strings.Contains(strings.Join(s.rows(), "\n"), name) }

// The listing of a large folder is not read again when the user returns, but whenever the
// store has changed.
func TestLargeListingIsKeptWhileNothingChanges(t *testing.T) {
	s := largeStage(t)
	s.write("many/new.md", "x\n") // no change is reported yet
	s.show("/memories/a.md")
	s.show("/memories/many")
	if s.lists("new.md") || !s.lists("old.md") {
		t.Fatalf("the listing was read again:\n%s", strings.Join(s.rows(), "\n"))
	}
	s.show("/memories/a.md")
	s.p.StoreChanged()
	s.show("/memories/many")
	if !s.lists("new.md") {
		t.Fatal("the listing is that of before the change")
	}
}

// What was read before a change must not come back after it, whichever way it went out of sight.
func TestListingOfBeforeAChangeIsNotKept(t *testing.T) {
	s := largeStage(t)
	s.write("many/new.md", "x\n")
	s.p.StoreChanged() // and the user moves on before it is read again
	s.show("/memories/a.md")
	s.show("/memories/many")
	if !s.lists("new.md") {
		t.Fatal("the listing is that of before the change")
	}
	s.show("/memories/a.md")
	s.Run(s.p.SetStore(s.p.store))
	if s.p.listings.kept != nil {
		t.Fatal("the listing of another dialect is kept")
	}
}

// A large folder that the user only passes is not read.
func TestLargeFolderPassedByIsNotRead(t *testing.T) {
	s := largeStage(t)
	s.show("/memories/a.md")
	s.p.StoreChanged()
	s.Env.Debounce = time.Hour
	passed := s.p.Show("/memories/many")
	s.show("/memories/a.md")
	done, ok := passed().(ui.Done)
	if !ok || !errors.Is(done.Err, context.Canceled) {
		t.Fatalf("the job of the folder that was passed by ended with %v", done)
	}
}

// A large listing that is being read when the user moves on is read to its end, once.
func TestLargeListingIsReadToItsEnd(t *testing.T) {
	s := largeStage(t)
	s.show("/memories/a.md")
	s.p.StoreChanged()
	stay := s.done(s.p.Show("/memories/many"))
	s.Env.Jobs.Current(stay)
	reading := s.p.Receive(stay)
	s.show("/memories/a.md")
	if again := s.p.Show("/memories/many"); again != nil {
		t.Fatal("it is read a second time")
	}
	s.show("/memories/a.md")
	s.Run(reading)
	if s.p.layout.doc.path != "/memories/a.md" || s.p.listings.kept == nil {
		t.Fatalf("the view went to %s", s.p.layout.doc.path)
	}
	os.Remove(filepath.Join(s.dir, "many/old.md"))
	if s.show("/memories/many"); !s.lists("old.md") {
		t.Fatal("what was read meanwhile is not used")
	}
}

// A large folder that keeps changing is left alone for longer than it takes to read.
func TestLargeListingIsReadAgainForAPartOfTheTime(t *testing.T) {
	s := largeStage(t)
	s.Env.Debounce = 80 * time.Millisecond
	for _, c := range []struct {
		took, want time.Duration
		again      bool
	}{
		{time.Millisecond, 80 * time.Millisecond, true},
		{200 * time.Millisecond, 600 * time.Millisecond, true},
		{200 * time.Millisecond, 80 * time.Millisecond, false},
		{time.Minute, restMost, true},
	} {
		s.p.layout.doc.took = c.took
		before := s.p.layout.doc
		if !c.again {
			before = nil
		}
		if wait, large := s.p.listings.patience("/memories/many", before, s.Env.Debounce); wait != c.want || !large {
			t.Errorf("after %v the wait is %v, not %v", c.took, wait, c.want)
		}
	}
	if wait, large := s.p.listings.patience("/memories/a.md", s.p.layout.doc, s.Env.Debounce); wait != 0 || large {
		t.Errorf("a file is waited for by %v", wait)
	}
}
