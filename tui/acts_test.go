package tui

import (
	"context"
	"testing"

	"memcurator/tui/act"
)

// hold keeps every writer of the store waiting until the returned func is called.
func (d *driver) hold() (release func()) {
	d.t.Helper()
	release, err := d.browse().Store.Backend().Lock(context.Background())
	if err != nil {
		d.t.Fatal(err)
	}
	return release
}

// stops begins an act that waits for its turn, and ends it as soon as esc means it.
func (d *driver) stops(key string) {
	d.t.Helper()
	d.take(keyPress(key))
	for job, ok := d.m.env.Jobs.Of(act.Owner); ok && job.Since < cancelAfter; job, ok = d.m.env.Jobs.Of(act.Owner) {
		d.take(<-d.messages)
		d.run(d.m.jobs.keepTicking())
	}
	d.press("esc")
}

// TestABulkDeletionStopsBetweenTwoFiles: esc ends it once it takes long, and the rest stays.
func TestABulkDeletionStopsBetweenTwoFiles(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"a.md": "a", "b.md": "b", "c.md": "c"})
	d := start(t, setup{dir: dir, w: 110, h: 30, theme: dark, journal: t.TempDir()})
	release := d.hold()
	d.press("j", "space", "space", "space", "d")
	d.sees("3 files, ")
	d.stops("y")
	d.sees("Stopped with 3 steps to go")
	release()
	for _, name := range []string{"a.md", "b.md", "c.md"} {
		d.holds(name, name[:1])
	}
}

// TestWhatIsTypedWaitsForItsTurn: an undo behind a typed deletion means that deletion.
func TestWhatIsTypedWaitsForItsTurn(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"a.md": "a", "b.md": "b"})
	d := start(t, setup{dir: dir, w: 110, h: 30, theme: dark, journal: t.TempDir()})
	d.browse().Tree.Select("/memories/b.md")
	d.press("d", "y")
	d.sees("Deleted b.md")
	release := d.hold()
	d.chooses("/memories/a.md")
	d.press("d")
	d.sees("[y/enter] Delete")
	d.take(keyPress("y"))
	d.take(keyPress("u"))
	release()
	d.sees(": brought back a.md")
	d.press("esc")
	d.holds("a.md", "a")
	d.absent("b.md")
	d.press("u")
	d.sees(": brought back b.md")
}

// A key that is pressed before the question of a deletion is there answers it.
func TestKeysWaitForTheQuestion(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "a\n"}), w: 110, h: 30, theme: dark, journal: t.TempDir()})
	d.press("j")
	d.take(keyPress("d"))
	d.take(keyPress("y"))
	d.sees("Deleted a.md")
}
