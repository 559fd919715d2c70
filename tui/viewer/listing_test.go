package viewer

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
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
