package watch

import (
	"slices"
	"testing"

	"memcurator/memstore"
)

// What is forgotten gives no bytes any more, in changes of before and of after; what is kept does.
func TestForgottenCopiesGiveNoBytes(t *testing.T) {
	t.Parallel()
	f, s := recorded(t, "a.md", "b.md")
	f.do(s, memstore.Command{Name: memstore.CmdCreate, Path: "/memories/n.md", FileText: "secret\n"})
	f.do(s, memstore.Command{Name: memstore.CmdStrReplace, Path: "/memories/n.md", OldStr: "secret", NewStr: "clean"})
	f.quiet()
	edit := f.changes[len(f.changes)-1]
	if content(t, edit.Before) != "secret\n" {
		t.Fatalf("%q", content(t, edit.Before))
	}
	gone := memstore.Sum([]byte("secret\n"))
	if !slices.Contains(f.w.Copies(), gone) {
		t.Error("the copy is not listed")
	}
	f.w.Forget(func(d memstore.Digest) bool { return d != gone })
	if ok, why := edit.Before.Kept(); ok || why != whyPurged || slices.Contains(f.w.Copies(), gone) {
		t.Errorf("%v, %q", ok, why)
	}
	f.w.Forget(func(d memstore.Digest) bool { return d == memstore.Sum([]byte("clean\n")) })
	f.do(s, memstore.Command{Name: memstore.CmdInsert, Path: "/memories/n.md", InsertText: "more\n"})
	f.do(s, memstore.Command{Name: memstore.CmdInsert, Path: "/memories/b.md", InsertText: "more\n"})
	f.quiet()
	last := f.changes[len(f.changes)-2:]
	if content(t, last[0].Before) != "clean\n" || content(t, last[0].After) != "more\nclean\n" {
		t.Errorf("%q, %q", content(t, last[0].Before), content(t, last[0].After))
	}
	if ok, _ := last[1].After.Kept(); !ok {
		t.Error("a copy that was made after is not kept")
	}
	f.checkReplay()
	f.checkModel()
}
