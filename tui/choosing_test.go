package tui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A value is taken for the class that a list names, alone or with all of its class, and what takes its place is chosen too.
func TestClassesAreChosenFromAList(t *testing.T) {
	t.Parallel()
	d := secretive(t, 120, 35, dark)
	d.press("e")
	d.sees("take ghp_•••• (github-token) for")
	d.types("gitlab tok")
	d.golden("finding-class-120x35")
	d.press("enter")
	d.sees("→gitlab-token")
	d.press("e")
	d.types("nothing is called so")
	d.press("enter")
	d.sees("nothing matches")
	d.press("esc")
	d.sees("→gitlab-token")
	d.press("g", "space", "g")
	d.sees("becomes [REDACTED:gitlab-token]")
	d.press("X", "y")
	d.sees("taken out")
	if got := d.read("people/a.md"); !strings.HasPrefix(got, "again [REDACTED:gitlab-token] and") {
		t.Errorf("%q", got)
	}
}

func TestAllValuesOfAClassAreTakenForAnother(t *testing.T) {
	t.Parallel()
	d := secretive(t, 80, 24, dark)
	d.write("more.md", "password: "+strings.Join([]string{"x9Z", "q7W", "&4y"}, "k")+"\n")
	d.press("f5")
	d.sees("3 values in 5 places")
	d.press("G", "C")
	d.sees("take 2 values of the class password for")
	d.types("api-key")
	d.press("down", "up", "enter")
	if n := strings.Count(d.screen(), "critical →"); n != 2 {
		t.Errorf("%d values changed:\n%s", n, d.screen())
	}
	d.press("e")
	d.types("password")
	for !strings.Contains(d.screen(), "▌ password ") {
		d.press("down")
	}
	d.press("enter") // what it was found as
	if n := strings.Count(d.screen(), "→"); n != 1 {
		t.Errorf("%d values are changed still:\n%s", n, d.screen())
	}
}

func TestWhatTakesThePlaceOfAValueIsChosen(t *testing.T) {
	t.Parallel()
	d := secretive(t, 120, 35, dark)
	d.press("space", "g", "t")
	d.sees("as configured: tag")
	d.types("line")
	d.golden("finding-action-120x35")
	d.press("enter")
	d.sees("becomes the line goes")
	d.press("X", "y")
	d.sees("taken out")
	if got := d.read("ops.md"); strings.Contains(got, "GitHub") || !strings.Contains(got, "Grafana") {
		t.Errorf("%q", got)
	}
	d.press("t")
	d.types("ignore")
	d.press("enter")
	d.sees("[-]")
	d.press("ctrl+a")
	d.sees("1 accepted") // not the rejected one
	d.press("g", "-")
	d.sees("[ ]")
	d.press("ctrl+a")
	d.sees("2 accepted")
	d.press("ctrl+a")
	d.sees("0 accepted")
}

// What the filter leaves out keeps its decision, and all are those that it leaves.
func TestTheListOfValuesIsNarrowed(t *testing.T) {
	t.Parallel()
	d := secretive(t, 120, 35, dark)
	d.press("space", "f")
	d.types("PASSW 日本")
	d.lacks("github-token  ")
	d.press("enter", "ctrl+a")
	d.sees("/PASSW 日本: 1 of 2 values")
	d.sees("2 accepted")
	d.press("f")
	d.types("x")
	d.sees("no value fits the filter")
	d.press("esc")
	d.sees("github-token")
	for filter, values := range map[string]int{"is:accepted": 2, "is:open": 0, "is:rejected": 0, "is:allowed": 0, "is:past": 0, "critical ops.md": 2, "ghp": 1, "is:none": 0} {
		d.press("f")
		d.types(filter)
		if n := strings.Count(d.screen(), "] critical"); n != values {
			t.Errorf("%s leaves %d values, want %d", filter, n, values)
		}
		d.press("esc")
	}
	d.press("f")
	d.types("ghp")
	d.press("enter", "esc")
	d.sees("password")
	if !d.m.secrets.IsOpen() {
		t.Error("the first esc closes the box, not the filter")
	}
	d.press("esc")
	if d.m.secrets.IsOpen() {
		t.Error("the second esc does not close it")
	}
}

// read is a file of the store as it is on the disk.
func (d *driver) read(name string) string {
	d.t.Helper()
	text, err := os.ReadFile(filepath.Join(d.dir, name))
	if err != nil {
		d.t.Fatal(err)
	}
	return string(text)
}
