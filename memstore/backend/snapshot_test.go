package backend

import "testing"

func TestFind(t *testing.T) {
	s := SnapshotOf(func(yield func(string, Info) bool) {
		_ = yield("a%2f", Info{Name: "a%2f", Kind: KindFile, Size: 3}) && yield("d/.x/y", Info{Name: "y", Kind: KindFile, Size: 4})
	}, 2)
	for path, want := range map[string]string{
		"/memories": ".", "/memories/": ".", "/memories/a%2f": "a%2f", "/memories/d/.x/y": "y",
		"/memories/d/none": "", "/memories/a%2f/below": "", "/memoriesd": "", "": "", "/": "",
	} {
		got := s.Find(path)
		if (got == nil) != (want == "") || got != nil && got.Name != want {
			t.Errorf("Find(%q) = %v, want %q", path, got, want)
		}
	}
	if n := s.Find("/memories/d/.x/y"); !n.Hidden {
		t.Error("an entry below a dot name is hidden")
	}
	if s.Root.Files != 2 || s.Root.Bytes != 7 {
		t.Errorf("totals %d, %d", s.Root.Files, s.Root.Bytes)
	}
	if (*Snapshot)(nil).Find("/memories") != nil {
		t.Error("no snapshot, no node")
	}
}
