package timeline

import (
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/render/theme"
	"memcurator/tui/ui"
)

// On a narrow screen a row keeps its space for the path; what a row shows in front of it stays in order.
func TestHeadLeavesRoomForThePath(t *testing.T) {
	today := past.Revision{Rev: 7, Time: noon, Actor: memstore.External, Command: memstore.CmdStrReplace, Note: past.NoteUnseen}
	older := today
	older.Time, older.Note = noon.AddDate(0, 0, -3), ""
	clock := noon.Format("15:04")
	for _, test := range []struct {
		r     past.Revision
		short string
	}{{today, "by " + clock}, {older, "11-18"}} {
		if got := shortClock(test.r, noon); got != test.short {
			t.Errorf("%q, want %q", got, test.short)
		}
	}
	for width, most := range map[int]int{38: 16, 45: 16, 46: 26, 58: 36, 66: 42} {
		d := &painter{env: &ui.Env{Now: func() time.Time { return noon }}, w: width, unseen: true}
		if got := len(d.headAt(today)); got > most {
			t.Errorf("in %d cells %d precede the path, more than %d", width, got, most)
		}
	}
}

// The history of one file has number and actor on a narrow screen too, and its counts are never cut.
func TestTheHistoryOfAFileHasNumberAndActor(t *testing.T) {
	today := past.Revision{Rev: 1234, Path: "/memories/a.md", Time: noon, Actor: memstore.External, Command: memstore.CmdStrReplace, Added: 1}
	older, large, moved := today, today, today
	older.Time, large.Added, large.Removed, moved.OldPath = noon.AddDate(0, 0, -3), 120, 45, "/memories/b.md"
	large.Time = older.Time
	clock, date := noon.Format("15:04:05"), older.Time.Format("01-02 15:04")
	for _, test := range []struct {
		r    past.Revision
		w    int
		want string
	}{
		{today, 49, "#1234 " + clock + " external str_replace"},
		{older, 49, "#1234 " + date + " external str_replace"},
		{large, 49, "#1234 11-18 external str_replace"},
		{moved, 49, clock + " str_replace"},
		{today, 40, noon.Format("15:04") + " str_re"},
	} {
		st := theme.New(theme.Options{Name: "nocolor"})
		d := &painter{env: &ui.Env{Now: func() time.Time { return noon }, Styles: st}, w: test.w, of: today.Path}
		d.measure([]past.Revision{test.r}, []past.Revision{test.r})
		row := ansi.Strip(d.row(test.r, false, false))
		counts := strings.TrimSpace(ansi.Strip(ui.Counts{Added: test.r.Added, Removed: test.r.Removed}.Text(st)))
		if !strings.Contains(row, test.want) || !strings.HasSuffix(strings.TrimRight(row, " "), counts) {
			t.Errorf("%d: %q, want %q and %q", test.w, row, test.want, counts)
		}
	}
}

func TestTrashNamesTheDeletionsOfAnUndo(t *testing.T) {
	undone := past.Revision{Rev: 7, Time: noon, Actor: memstore.Curator, Command: "undo"}
	for removed, want := range map[bool]string{true: " delete ", false: " undo "} {
		d := &painter{env: &ui.Env{Now: func() time.Time { return noon }}, w: 80, removed: removed}
		if got := d.headAt(undone); !strings.Contains(got, want) {
			t.Errorf("%q does not name %q", got, want)
		}
	}
}

func TestDescribe(t *testing.T) {
	r := past.Revision{Rev: 7, Time: noon, Actor: memstore.External, Command: "edit", Path: "/memories/a.md", Note: past.NoteUnseen, Added: 2, Kind: memstore.KindFile}
	got := Describe(r, theme.New(theme.Options{Name: "dark"}), time.UTC)
	if !strings.HasSuffix(got, "  external  edit  a.md  +2 −0") {
		t.Errorf("%q", got)
	}
}

// In a git store, the heading of a change names the commit that has it, as git shortens its hash.
func TestAHeadingNamesTheCommit(t *testing.T) {
	st := theme.New(theme.Options{Name: "nocolor"})
	r := past.Revision{Rev: 7, Path: "/memories/a.md", Time: noon, Actor: memstore.External, Commit: strings.Repeat("0123456789", 4)}
	if got := ansi.Strip(HeadingOf(r, st, noon).Text(st)); !strings.Contains(got, "  commit 0123456  ") {
		t.Errorf("%q", got)
	}
	if r.Commit = ""; strings.Contains(HeadingOf(r, st, noon).Text(st), "commit") {
		t.Error("a change that git doesn't have names a commit")
	}
}
