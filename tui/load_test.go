package tui

import (
	"strings"
	"testing"

	"memcurator/memstore/load"
	"memcurator/tui/browse"
)

// The load tab shows what a session starts with, cut where the agent's limit cuts it. L shows it, and then the listing.
func TestTheLoadTabShowsWhatASessionStartsWith(t *testing.T) {
	t.Parallel()
	memory := "---\nname: x\n---\n<!-- not loaded -->\n" + strings.Repeat("- a line of the index\n", 201) + "- the line that is cut\n"
	dir := files(t, map[string]string{"MEMORY.md": memory, "topic.md": "a topic\n"})
	rule := load.Rule{Files: []string{"MEMORY.md"}, Lines: 200, Bytes: 25_000, Stripped: true, Source: "the documentation"}
	d := start(t, setup{dir: dir, w: 120, h: 35, theme: dark, journal: t.TempDir(), summary: true, rule: rule})
	d.sees("Load 202 of 200 lines")
	d.sees("[#########>]  2 lines cut, MEMORY.md")
	d.press("L")
	d.sees("[load]")
	d.sees("202 of 200 lines, 2 lines cut, 4.3K, about 1.1k tokens (4")
	d.sees("bytes each)")
	d.sees("Source: the documentation")
	d.sees("MEMORY.md  200 lines, 4.3K, about 1.1k tokens of 202 lines, 4.3K")
	d.sees("    5 - a line of the index")
	d.lacks("not loaded -->")
	d.press("G")
	d.sees("cut here by the limit of 200 lines: 2 lines, 45B not loaded")
	d.sees("  204 - a line of the index")
	d.lacks("the line that is cut")
	d.press("k", "enter")
	d.sees("[view]")
	d.sees("204/")
	d.press("]") // diff
	at := d.browse().Tabs.At()
	d.press("L", "L")
	if now := d.browse().Tabs.At(); now != at || at == browse.View {
		t.Errorf("L twice goes from tab %d to %d", at, now)
	}
	d.press("L", "/")
	d.types("cut here")
	d.press("enter")
	d.sees("match 1 of 1")
}

// The agent of a store without a rule reads on demand: there is no load tab, and L shows the listing, which it asks for first.
func TestAStoreReadOnDemandHasNoLoadTab(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "a\n"}), w: 120, h: 35, theme: dark, journal: t.TempDir(), summary: true})
	d.sees("No changes by others yet")
	d.lacks("Session start")
	d.press("L")
	d.sees("Here're the files and directories")
	d.lacks("[load]")
	d.press("j", "[")
	d.sees("[rendered]")
	d.press("L")
	d.sees("Here're the files and directories")
	d.press("L")
	d.sees("[rendered]")
	d.sees("▌     a.md")
}
