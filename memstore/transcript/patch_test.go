package transcript

import "testing"

// run carries out edits on files by their paths; false: one of them doesn't fit.
func run(list []pathEdit, files map[string]string) bool {
	for _, e := range list {
		before, exists := files[e.Path]
		switch e.Op {
		case alter:
			after, fits := e.Change(before, exists)
			if !fits {
				return false
			}
			files[e.Path] = after
		case remove:
			if !exists {
				return false
			}
			delete(files, e.Path)
		case move:
			if !exists {
				return false
			}
			files[e.To] = before
			delete(files, e.Path)
		}
	}
	return true
}

func TestPatch(t *testing.T) {
	for _, c := range []struct{ name, patch, before, path, after string }{
		{"add", "*** Add File: b\n+one\n+\n+two\n", "", "b", "one\n\ntwo\n"},
		{"update", "*** Update File: a\n@@\n one\n-two\n+2\n", "one\ntwo\nthree\n", "a", "one\n2\nthree\n"},
		{"two hunks", "*** Update File: a\n@@\n-x\n+1\n@@\n-x\n+2\n", "x\ny\nx\n", "a", "1\ny\n2\n"},
		{"behind a line", "*** Update File: a\n@@ ## Two\n-x\n+2\n", "x\n## Two\nx\n", "a", "x\n## Two\n2\n"},
		{"at the end", "*** Update File: a\n@@\n-x\n+2\n*** End of File\n", "x\ny\nx", "a", "x\ny\n2\n"},
		{"only adds", "*** Update File: a\n@@\n+new\n", "x\n", "a", "x\nnew\n"},
		{"blanks at the ends", "*** Update File: a\n@@\n-x\n+y\n", "x  \n", "a", "y\n"},
		{"move", "*** Update File: a\n*** Move to: c\n@@\n-x\n+y\n", "x\n", "c", "y\n"},
		{"move alone", "*** Update File: a\n*** Move to: c\n", "x\n", "c", "x\n"},
		{"empty line", "*** Update File: a\n@@\n x\n\n-y\n+z\n", "x\n\ny\n", "a", "x\n\nz\n"},
	} {
		files := map[string]string{"a": c.before}
		list := parsePatch("*** Begin Patch\n" + c.patch + "*** End Patch")
		if len(list) == 0 || !run(list, files) || files[c.path] != c.after {
			t.Errorf("%s: %q", c.name, files)
		}
	}
	if list := parsePatch("*** Begin Patch\n*** Delete File: a\n*** End Patch\n"); len(list) != 1 || list[0].Op != remove || list[0].Path != "a" {
		t.Errorf("delete: %+v", list)
	}
	for _, broken := range []string{"",
		"*** Begin Patch\n*** Add File: a\n+x", "*** Begin Patch\nx\n*** End Patch", "*** Begin Patch\n*** End Patch"} {
		if list := parsePatch(broken); list != nil {
			t.Errorf("%q is a patch: %+v", broken, list)
		}
	}
	if list := parsePatch("*** Begin Patch\n*** Update File: a\n@@\n-no\n+x\n*** End Patch"); run(list, map[string]string{"a": "y\n"}) {
		t.Error("a patch that does not fit was carried out")
	}
}
