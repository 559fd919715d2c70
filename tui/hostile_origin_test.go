package tui

import (
	"context"
	"reflect"
	"testing"

	"memcurator/memstore"
)

// hostileText has what a terminal acts on: C1 and C0 forms of OSC 52 and 8, SGR, bidirectional controls, a newline.
const hostileText = "ag\u009d52;c;YQ==\u009c\x1b]8;;http://x\x1b\\\x1b[31m\u202egnp\u2066\n9 forged\x07\u009b2J"

// hostileOrigin has that in each of its texts, those that are added later too.
func hostileOrigin() memstore.Origin {
	var o memstore.Origin
	v := reflect.ValueOf(&o).Elem()
	for i := range v.NumField() {
		if f := v.Field(i); f.Kind() == reflect.String {
			f.SetString(hostileText)
		}
	}
	return o
}

// The maker of an edit chose the names of actor, session and model: none of them reaches the terminal unfiltered.
func TestHostileOriginsAreHarmlessOnEveryScreen(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{120, 35}, {80, 24}, {64, 20}} {
		d := start(t, setup{dir: files(t, map[string]string{"a.md": "one\ntwo\n"}), w: size[0], h: size[1], theme: dark, journal: t.TempDir()})
		ctx := memstore.WithOrigin(context.Background(), hostileOrigin())
		for _, c := range []memstore.Command{
			{Name: memstore.CmdStrReplace, Path: "/memories/a.md", OldStr: "one", NewStr: "1"},
			{Name: memstore.CmdCreate, Path: "/memories/b.md", FileText: "b\n"},
			{Name: memstore.CmdInsert, Path: "/memories/a.md", InsertLine: 1, InsertText: "between"},
			{Name: memstore.CmdDelete, Path: "/memories/b.md"},
		} {
			if r := d.agent.Do(ctx, c); r.IsError {
				t.Fatal(r.Content)
			}
		}
		d.until("the changes are there", func() bool { return len(d.m.feed.Unread()) > 0 })
		d.harmless()
		for _, keys := range [][]string{
			{"j", "enter"}, {"3"}, {"4"}, {"B"}, {"esc"}, {"2"}, {"1"}, {"h"}, {"["}, {"esc"}, {"-"}, {"enter"}, {"L"}, {"b"}, {"esc"}, {"esc"}, {"T"}, {"enter"}, {"esc"}, {"esc"}, {"g", "shift+tab"}, {"esc"}, {"u"}, {"esc"},
		} {
			d.press(keys...)
			d.harmless()
		}
		for _, line := range []string{"changes", "trash", "history", "blame", "at 1", "at", "review", "undo"} {
			d.command(line)
			d.harmless()
			d.press("enter")
			d.harmless()
			d.press("esc")
		}
	}
}
