package tui

import (
	"testing"

	"memcurator/memstore"
)

// What an agent reads, and what fails, is shown between its edits.
func TestStripShowsReadsAndFailures(t *testing.T) {
	t.Parallel()
	dir := store(t, "demo")
	d := start(t, setup{dir: dir, w: 120, h: 35, theme: dark, journal: t.TempDir()})
	do := func(c memstore.Command) {
		d.agent.Do(memstore.WithOrigin(t.Context(), memstore.Origin{Actor: memstore.Agent, Session: "7f3a"}), c)
	}
	do(memstore.Command{Name: memstore.CmdInsert, Path: "/memories/progress.md", InsertText: "one\n"})
	d.arrived(1)
	do(memstore.Command{Name: memstore.CmdView, Path: "/memories/progress.md"})
	d.sees("read")
	do(memstore.Command{Name: memstore.CmdStrReplace, Path: "/memories/README.md", OldStr: "not there", NewStr: "x"})
	d.sees("failed: old_str not found or not unique")
	d.golden("strip-calls-120x35")
	d.command("live")
	d.press("enter")
	d.until("the file of the call is shown", func() bool { return d.browse().View.Path() == "/memories/README.md" })
}
