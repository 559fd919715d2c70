package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"memcurator/render/theme"
	"memcurator/tui/act"
	"memcurator/tui/kit"
)

// What people expect of every terminal program.

// numbered makes a file of n lines "row 1" to "row n".
func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "row %d\n", i+1)
	}
	return b.String()
}

func TestMotions(t *testing.T) {
	t.Parallel()
	contents := map[string]string{"a.md": numbered(400)}
	for i := range 60 {
		contents[fmt.Sprintf("n%02d.md", i)] = "x\n"
	}
	d := start(t, setup{dir: files(t, contents), w: 110, h: 30, theme: dark})
	d.opens("/memories/a.md")
	d.m.stage.zoom = false
	d.run(d.m.stage.relayout())
	at := func() string { return strings.SplitN(d.browse().View.Place(), "/", 2)[0] }
	tree := func() string { path, _ := d.browse().Tree.Selected(); return path }
	for _, pair := range [][2]string{{"j", "down"}, {"k", "up"}, {"G", "end"}, {"g", "home"}, {"ctrl+d", "ctrl+d"}, {"ctrl+u", "ctrl+u"}, {"pgdown", "ctrl+f"}, {"pgup", "ctrl+b"}} {
		for _, place := range []struct {
			focus focus
			at    func() string
		}{{onDetail, at}, {onList, tree}} {
			d.m.stage.focus = place.focus
			var got [2]string
			for i, key := range pair {
				d.press("g")
				if pair[0] == "g" {
					d.press("G")
				}
				if pair[0] == "k" || pair[0] == "ctrl+u" || pair[0] == "pgup" {
					d.press("ctrl+f", "ctrl+f")
				}
				before := place.at()
				d.press(key)
				if got[i] = place.at(); got[i] == before {
					t.Errorf("%q does nothing in pane %d", key, place.focus)
				}
			}
			if got[0] != got[1] {
				t.Errorf("%q leads to %s, %q to %s", pair[0], got[0], pair[1], got[1])
			}
		}
	}
}

func TestBackPeelsOneLayer(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "a\n"}), w: 100, h: 20, theme: dark})
	d.press("f")
	d.types("a")
	d.press("enter", "enter", "z", "/")
	d.types("a")
	d.press("enter", "M")
	layers := func() string {
		return fmt.Sprint(d.m.boxes.Len(), d.browse().View.Search().Query() != "", d.m.stage.zoom, d.m.stage.focus != onList, d.browse().Tree.Filter() != "")
	}
	for _, want := range []string{"0 true true true true", "0 false true true true", "0 false false true true", "0 false false false true", "0 false false false false"} {
		d.press("esc")
		if got := layers(); got != want {
			t.Fatalf("after esc: %s, want %s", got, want)
		}
	}
	d.press("q")
	d.until("q quits", func() bool { return d.quit })
	d.quit = false
	for _, typing := range []string{":", "/", "f", "S"} {
		d.press("1", typing, "a", "ctrl+c")
		if d.quit || d.m.line.Active() || d.m.boxes.Len() > 0 {
			t.Errorf("ctrl+c while typing after %s: quit %v, typing %v, %d boxes", typing, d.quit, d.m.line.Active(), d.m.boxes.Len())
		}
	}
	d.press("?", "ctrl+c")
	d.until("ctrl+c quits from a box", func() bool { return d.quit })
}

func TestUndoAndRedo(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	dir := files(t, map[string]string{"d/a.md": "a\n", "d/b.md": "b\n", "c.md": "one\n"})
	first := start(t, setup{dir: dir, w: 110, h: 30, theme: dark, journal: state})
	first.curates(edit("/memories/c.md", "one", "two"))
	first.browse().Tree.Select("/memories/d")
	first.press("d")
	first.sees("u undoes")
	first.press("y")
	first.sees("Deleted d, 4B. u undoes")
	first.absent("d/a.md")
	first.leaves()

	d := start(t, setup{dir: dir, w: 110, h: 30, theme: dark, journal: state}) // a restart in between
	d.press("u")
	d.sees(": brought back 2 files. ctrl+r redoes")
	d.holds("d/a.md", "a\n")
	d.holds("d/b.md", "b\n")
	d.press("u")
	d.sees(": rewrote c.md")
	d.holds("c.md", "one\n")
	d.press("ctrl+r", "ctrl+r")
	d.holds("c.md", "two\n")
	d.absent("d/b.md")
	d.press("ctrl+r")
	d.sees(act.TextNothingToRedo)
	d.lacks("Can't")
	d.press("u")
	d.sees("Undid ")

	// Later changes are kept; if they conflict, they are shown and nothing is lost.
	d.press("u")
	d.holds("c.md", "one\n")
	d.press("ctrl+r")
	d.holds("c.md", "two\n")
	d.write("c.md", "three\n")
	d.unread(1)
	d.press("u")
	d.sees("1 conflict in c.md")
	d.sees("- the file now, + the text after the undo")
	d.sees("-three")
	d.sees("+one")
	d.until("the tree shows it", func() bool { return d.m.store.Snapshot.Find("/memories/c.md").Size == 6 })
	d.sees("- keep all - lines  + use all + lines  e edit both  esc leave")
	d.press("esc")
	d.holds("c.md", "three\n")
	d.press("u", "+")
	d.sees(": rewrote c.md")
	d.holds("c.md", "one\n")
}

func TestJobsShowAndEnd(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "a\n"}), w: 100, h: 20, theme: dark})
	release := make(chan struct{})
	d.run(kit.Start(d.m.env.Jobs, kit.Job[int]{
		Owner: "test.slow", Label: "counting sheep",
		Work: func(context.Context, *kit.Progress) (int, error) { <-release; return 0, nil },
	}))
	d.run(d.m.jobs.keepTicking())
	for !strings.Contains(d.bottomRow(), "counting sheep") {
		d.take(<-d.messages) // progress updates
		d.run(d.m.jobs.keepTicking())
	}
	d.take(keyPress("G")) // keys are answered meanwhile
	if path, _ := d.browse().Tree.Selected(); path != "/memories/a.md" {
		t.Error("a key waits for the job")
	}
	close(release)
	d.rest()
	if strings.Contains(d.bottomRow(), "counting sheep") {
		t.Error("the job is shown after its end")
	}
	d.cancelsWithEsc()
}

// cancelsWithEsc waits for a job that does not end by itself until esc may end it.
func (d *driver) cancelsWithEsc() {
	d.t.Helper()
	ended := make(chan error, 1)
	d.run(kit.Start(d.m.env.Jobs, kit.Job[int]{
		Owner: ownerCopy, Label: "copying the sea",
		Work: func(ctx context.Context, _ *kit.Progress) (int, error) {
			<-ctx.Done()
			ended <- ctx.Err()
			return 0, ctx.Err()
		},
	}))
	d.take(keyPress("esc"))
	if !d.m.env.Jobs.Running(ownerCopy) {
		d.t.Error("esc ends a job that has only begun, and leaves nothing")
	}
	for job, _ := d.m.env.Jobs.Oldest(); job.Since < cancelAfter; job, _ = d.m.env.Jobs.Oldest() {
		d.take(<-d.messages)
		d.run(d.m.jobs.keepTicking())
	}
	d.take(keyPress("esc"))
	if err := <-ended; !errors.Is(err, context.Canceled) {
		d.t.Errorf("the job ended with %v", err)
	}
	d.sees("Stopped copying the sea")
}

func (d *driver) bottomRow() string {
	rows := strings.Split(d.screen(), "\n")
	return rows[len(rows)-1]
}

func TestDarkAndLight(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: store(t, "demo"), w: 100, h: 20, theme: theme.Options{Name: theme.Auto, Dark: true}})
	darkScreen := d.m.View().Content
	d.take(tea.BackgroundColorMsg{Color: ansi.BrightWhite})
	d.rest()
	if d.m.View().Content == darkScreen {
		t.Error("the answer of a light terminal changes nothing")
	}
}
