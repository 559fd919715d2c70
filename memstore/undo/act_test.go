package undo

import (
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// An undo names the act, not the edits and deletions that it consisted of.
func TestActTextNamesTheAct(t *testing.T) {
	t.Parallel()
	of := func(command, path string) past.Revision {
		return past.Revision{Command: command, Path: memstore.Root + "/" + path, Kind: memstore.KindFile}
	}
	for _, c := range []struct {
		title string
		act   []past.Revision
		want  string
	}{
		{"", []past.Revision{of("scrub", "ops/db.md")}, "the redaction in ops/db.md"},
		{"", []past.Revision{of("scrub", "a.md"), of("scrub", "b.md")}, "the redaction in 2 files"},
		{"", []past.Revision{of("restore", "x.md")}, "the restore of x.md"},
		{"", []past.Revision{{Actor: memstore.Replay, Command: "edit", Path: memstore.Root + "/x.md", Kind: memstore.KindFile}},
			"the restore of x.md"},
		{"", []past.Revision{of("revert", "a.md"), of("revert", "b.md"), of("revert", "b.md")}, "the revert in 2 files"},
		{"delete 1 file, merge 1", []past.Revision{of("merge", "b.md"), of("delete", "a.md"), of("delete", "c.md")}, ""},
		{"delete 2 files", []past.Revision{of("delete", "a.md"), of("delete", "b.md")}, ""},
		{"", []past.Revision{of("str_replace", "a.md")}, ""},
	} {
		p := &Plan{Of: commandOf(c.act), Title: c.title, act: c.act}
		if got := p.ActText(); got != c.want {
			t.Errorf("%s: %q, want %q", c.title, got, c.want)
		}
	}
}
