package timeline

import (
	"strings"
	"testing"
	"time"

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
