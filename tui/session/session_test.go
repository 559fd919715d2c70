package session

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"memcurator/memstore/statedir"
)

func full() State {
	return State{
		Version: 1, TreeWidth: 33, Zoom: true, Sort: "age", HideHidden: true, Unfolded: []string{"/memories", "/memories/日記"},
		Selected: "/memories/a.md", Tab: "diff", CutLines: true, MouseOff: true, Places: []Place{{"/memories/a.md", 10, 12}},
		Theme: "light", ThemeOver: "auto", History: map[string][]string{"command": {"theme dark"}, "search": {"a", "b"}},
	}
}

func TestWhatIsSavedIsLoaded(t *testing.T) {
	dir := t.TempDir()
	if s, err := Load(dir); err != nil || !reflect.DeepEqual(s, State{}) {
		t.Errorf("a fresh folder remembers %+v, %v", s, err)
	}
	if err := NewKeeper(dir).Save(full()); err != nil {
		t.Fatal(err)
	}
	if s, err := Load(dir); err != nil || !reflect.DeepEqual(s, full()) {
		t.Errorf("loaded %+v, %v", s, err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 1 {
		t.Fatalf("the folder holds %v, %v", entries, err)
	}
	if info, err := entries[0].Info(); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
}

func TestOtherFilesAreLeftAside(t *testing.T) {
	for name, data := range map[string]string{
		"cut":      `{"version":1,"zoom":tr`,
		"empty":    "",
		"array":    `[]`,
		"newer":    `{"version":2,"zoom":true}`,
		"none":     `{"zoom":true}`,
		"mistyped": `{"version":1,"zoom":"yes"}`,
		"huge":     `{"version":1,"sort":"` + strings.Repeat("x", maxFile) + `"}`,
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, file), []byte(data), 0o600); err != nil {
				t.Fatal(err)
			}
			if s, err := Load(dir); err == nil || !reflect.DeepEqual(s, State{}) {
				t.Errorf("loaded %+v, %v", s, err)
			}
		})
	}
	if s, err := decode([]byte(`{"version":1,"zoom":true,"of_the_future":{"a":[1]}}`)); err != nil || !s.Zoom {
		t.Errorf("a field of the future: %+v, %v", s, err)
	}
}

func TestLimitsHoldInBothDirections(t *testing.T) {
	s := State{TreeWidth: -5, Unfolded: []string{}, Selected: "/memories/\xff"}
	for i := range 20_000 {
		s.Unfolded = append(s.Unfolded, fmt.Sprint("/memories/", i))
		s.Places = append(s.Places, Place{Path: fmt.Sprint(i), Top: i - 1})
	}
	s.History = map[string][]string{"command": {}}
	for i := range 500 {
		s.History["command"] = append(s.History["command"], fmt.Sprint(i))
	}
	s.History["search"] = []string{strings.Repeat("x", maxLine+1), "\xff", "kept"}
	dir := t.TempDir()
	if err := NewKeeper(dir).Save(s); err != nil {
		t.Fatal(err)
	}
	got, err := Load(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got.TreeWidth != 0 || len(got.Unfolded) != maxUnfolded || len(got.Places) != maxPlaces-1 || got.Selected != "" {
		t.Errorf("width %d, %d unfolded, %d places, selected %q", got.TreeWidth, len(got.Unfolded), len(got.Places), got.Selected)
	}
	if h := got.History["command"]; len(h) != maxHistory || h[len(h)-1] != "499" {
		t.Errorf("history of %d lines that ends with %q", len(h), h[len(h)-1])
	}
	if !slices.Equal(got.History["search"], []string{"kept"}) {
		t.Errorf("searches %q", got.History["search"])
	}
}

func FuzzDecode(f *testing.F) {
	data, err := json.Marshal(full())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Add([]byte(`{"version":1,"places":[{"top":-1}],"history":{"x":null}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := decode(data)
		if err != nil {
			return
		}
		again, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if second, err := decode(again); err != nil || !reflect.DeepEqual(s, second) && len(s.History)+len(s.Unfolded)+len(s.Places) > 0 && fmt.Sprint(s) != fmt.Sprint(second) {
			t.Errorf("%+v became %+v, %v", s, second, err)
		}
	})
}

// What a purge removed from the file does not come back from the memory of an open program.
func TestAPurgedLineIsNotWrittenAgain(t *testing.T) {
	for _, own := range []bool{false, true} {
		dir := t.TempDir()
		k := NewKeeper(dir)
		purges := int64(1)
		k.Watch(func() (int64, error) { return purges, nil }, purges)
		s := full()
		s.History["command"] = []string{"create /memories/a the-value", "theme dark"}
		s.Selected = "/memories/the-value.md"
		s.Places = append(s.Places, Place{Path: s.Selected})
		if err := k.Save(s); err != nil {
			t.Fatal(err)
		}
		// Another program rewrites the file, and counts it.
		clean := full()
		clean.History["command"] = []string{"create /memories/a [REDACTED:password]", "theme dark"}
		if err := NewKeeper(dir).Save(clean); err != nil {
			t.Fatal(err)
		}
		if purges++; own {
			kept, err := k.Purged(s)
			if err != nil || kept.Selected != "" || !reflect.DeepEqual(kept.History["command"], []string{"theme dark"}) {
				t.Errorf("%+v, %v", kept, err)
			}
		}
		for _, more := range []string{"one", "two"} {
			s.History["search"] = append(s.History["search"], more)
			s.TreeWidth++
			if err := k.Save(s); err != nil {
				t.Fatal(err)
			}
		}
		data, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil || strings.Contains(string(data), "the-value") || !strings.Contains(string(data), "theme dark") || !strings.Contains(string(data), "two") {
			t.Errorf("own %v: %s, %v", own, data, err)
		}
	}
}

// A purge of another store cleans the file, too.
func TestAPurgeOfAnotherStoreIsFollowed(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	k := NewKeeper(dir)
	s := full()
	s.History["find"] = []string{"the-value", "boats"}
	if err := k.Save(s); err != nil {
		t.Fatal(err)
	}
	clean := full()
	clean.History["find"] = []string{"[REDACTED:password]", "boats"}
	if err := NewKeeper(dir).Save(clean); err != nil {
		t.Fatal(err)
	}
	if err := statedir.NotePurge(filepath.Dir(dir)); err != nil {
		t.Fatal(err)
	}
	s.TreeWidth++
	if err := k.Save(s); err != nil {
		t.Fatal(err)
	}
	got, err := Load(dir)
	if err != nil || !reflect.DeepEqual(got.History["find"], []string{"boats"}) {
		t.Errorf("%q, %v", got.History["find"], err)
	}
}

func TestLinesWithASecretAreNotSaved(t *testing.T) {
	dir := t.TempDir()
	k := NewKeeper(dir)
	k.Hide(func(line string) bool { return strings.Contains(line, "the-value") })
	s := full()
	s.History = map[string][]string{"find": {"the-value", "boats"}, "command": {"create a the-value", "theme dark"}}
	s.Filter, s.Changes = "the-value", "path:the-value"
	if err := k.Save(s); err != nil {
		t.Fatal(err)
	}
	got, err := Load(dir)
	want := map[string][]string{"find": {"boats"}, "command": {"theme dark"}}
	if err != nil || got.Filter+got.Changes != "" || !reflect.DeepEqual(got.History, want) {
		t.Errorf("%+v, %v", got, err)
	}
	if len(s.History["find"]) != 2 {
		t.Error("the user can't recall the line in this run")
	}
}
