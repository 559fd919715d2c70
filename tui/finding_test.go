package tui

import (
	"fmt"
	"strings"
	"testing"

	"memcurator/memstore"
)

// finds searches the store and waits for the end of the search.
func (d *driver) finds(query string) {
	d.t.Helper()
	d.press("S")
	d.types(query)
	d.press("enter")
}

var findable = map[string]string{
	"alpha.md":       "first\nneedle one, needle two\nlast\n",
	"needle/beta.md": "Needle in a folder\nnothing\n",
	"needle.txt":     "nothing\n",
	"zeta.md":        strings.Repeat("line\n", 40) + "the last needle\n",
	"日本.md":          "日本語のメモ\ncafe\u0301\n",
}

func TestFindListsNamesAndLines(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, findable), w: 110, h: 24, theme: dark})
	d.finds("needle")
	for _, want := range []string{
		`needle: 4 matches in 3 files, 2 names`, "/memories/needle/", "/memories/needle.txt", "/memories/alpha.md",
		"2  needle one, needle two", "1  Needle in a folder", "41  the last needle", "[search]",
	} {
		d.sees(want)
	}
	rows, _ := d.m.frame()
	if want := d.m.env.Styles.Text.With(d.m.env.Styles.MatchCurrent).Apply("needle"); !strings.Contains(strings.Join(rows, "\n"), want) {
		t.Errorf("the matches are not marked: %q", rows)
	}
	d.finds("Needle")
	d.sees(`Needle: 1 match in 1 file`)
	d.command("find /nee+dle (one|two)/")
	d.sees("/nee+dle (one|two)/: 2 matches in 1 file")
	d.finds("日本語")
	d.sees("1  日本語のメモ")
	d.finds("café")
	d.sees(`café: 1 match in 1 file`)
}

func TestAMatchOfTheStoreIsShown(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, findable), w: 110, h: 24, theme: dark})
	d.finds("needle")
	d.press("G", "enter")
	d.until("the last match is shown", func() bool { return d.browse().View.Path() == "/memories/zeta.md" })
	d.sees("▌    41  the last needle")
	d.sees(`"needle": match 1 of 1`)
	d.press("n") // from the last file to the first
	d.sees("▌     2  needle one, needle two")
	d.press("n", "n")
	d.sees("▌     1  Needle in a folder")
	d.press("N")
	d.sees("▌     2  needle one, needle two")
	d.press("esc")
	d.sees("[search]")
	d.press("esc")
	d.lacks("search]")
}

func TestFindAtEverySizeOnHostileText(t *testing.T) {
	t.Parallel()
	hostile := "x\x1b[31mneedle\x07\r\u202eneedle\u200b" + strings.Repeat("界", 200) + "needle👨‍👩‍👧 e\u0301needle\xff\xfe"
	contents := map[string]string{"dir\x1b[2J/needle\u202e.md": hostile, "bin": "\x00needle", "long": strings.Repeat("z", 5000) + "needle" + strings.Repeat("界", 5000)}
	for i := range 30 {
		contents[fmt.Sprintf("n%02d.md", i)] = strings.Repeat(hostile+"\n", i+1)
	}
	d := start(t, setup{dir: files(t, contents), w: 110, h: 24, theme: dark})
	for _, query := range []string{"needle", "/[^a]needle./", "界", "\xff"} {
		d.finds(query)
		for _, w := range []int{1, 20, 21, 33, 40, 41, 59, 60, 80, 119, 1000} {
			for _, h := range []int{1, 5, 6, 12, 24} {
				d.resize(w, h)
				for range 4 {
					d.press("j", "pgdown", "}", "k", "{")
				}
				d.press("G", "g")
			}
		}
		d.resize(110, 24)
	}
}

func TestGoldenFind(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: store(t, "demo"), w: 80, h: 24, theme: dark})
	d.press("S")
	d.golden("find-line-80x24")
	d.types("memory")
	d.press("enter", "j", "j")
	d.press("enter")
	d.m.say.forget()
	d.golden("find-match-80x24")
}

// What the agent deleted or overwrote is found in the journal; enter shows the change that removed it, and r brings it back.
func TestFindListsRemovedLines(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, findable), w: 110, h: 24, theme: dark, journal: t.TempDir()})
	d.does(edit("/memories/zeta.md", "the last needle", "nothing"))
	d.does(edit("/memories/alpha.md", "last", "end"))
	d.does(memstore.Command{Name: memstore.CmdDelete, Path: "/memories/needle/beta.md"})
	d.arrived(3)
	d.finds("needle")
	d.sees("needle: 2 matches in 1 file, 2 names, 2 removed lines")
	d.sees("past  /memories/zeta.md  1 match")
	d.sees("#1  the last needle")
	d.sees("deleted  /memories/needle/beta.md  1 match")
	d.command("find Needle in")
	d.press("j", "enter")
	d.until("the diff of the deletion is shown", func() bool { return d.browse().Diff.Reviewed() == 3 })
	d.sees("Needle in a folder")
	d.press("esc")
	d.sees("[search]")
	d.press("enter", "r")
	d.until("the file is back", func() bool { return d.browse().Files.Node("/memories/needle/beta.md") != nil })
}

// The user who goes on in the tree sees its files; what was found stays in its tab.
func TestMovingInTheTreeLeavesTheSearchTab(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, findable), w: 110, h: 24, theme: dark})
	d.finds("needle")
	d.press("tab", "j", "j", "j")
	d.sees("[view] diff rendered search")
	d.sees("1  Needle in a folder")
	d.press("[")
	d.sees("needle: 4 matches in 3 files, 2 names")
}
