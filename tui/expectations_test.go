package tui

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/render/theme"
	"memcurator/tui/browse"
	"memcurator/tui/edits"
	"memcurator/tui/overlay"
	"memcurator/tui/ui"
)

// What people expect of a terminal program, a test for each expectation. What needs a real terminal
// (5, 15, 23, 24, 29, 30) is in cli.

// numbered makes a file of n lines "row 1" to "row n".
func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "row %d\n", i+1)
	}
	return b.String()
}

func TestExpectation01Motions(t *testing.T) {
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

func TestExpectation02Search(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "needle\nhay\nneedle\n"}), w: 100, h: 20, theme: dark})
	d.opens("/memories/a.md")
	d.press("/")
	d.types("needle")
	d.sees("2 matches") // live, before enter
	d.press("enter", "n", "n")
	d.sees("went on from the start")
	d.press("esc")
	if d.browse().View.Finder.Query() != "" || d.m.stage.focus != onDetail {
		t.Fatal("esc did not only clear the search")
	}
	d.press("esc") // the zoom
	d.press("esc")
	if d.m.stage.focus != onList {
		t.Fatal("the next esc did not leave the pane")
	}
}

func TestExpectation03Help(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: store(t, "demo"), w: 80, h: 24, theme: dark})
	for _, f := range []struct {
		focus focus
		title keymap.Scope
	}{{onList, keymap.Tree}, {onDetail, keymap.View}, {onStrip, keymap.Strip}} {
		d.m.stage.focus = f.focus
		d.run(d.m.stage.relayout())
		d.press("?")
		rows := strings.Split(d.screen(), "\n")
		if first := strings.Trim(rows[2]+rows[3], " │┃┏━╭─"); !strings.Contains(first, f.title.Title()) {
			t.Errorf("the help begins with %q, not with %s", first, f.title.Title())
		}
		d.press("/")
		d.types("clipboard-nothing")
		d.press("esc", "esc")
	}
	for _, a := range d.m.env.Keys.Actions() {
		if a.Help == "" || len(a.Keys) == 0 && a.Name == "" {
			t.Errorf("%s/%s cannot be reached or is not explained", a.Scope, a.ID)
		}
	}
}

func TestExpectation04PromptAndPalette(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: store(t, "demo"), w: 100, h: 30, theme: dark})
	d.press(":")
	d.types("nonsense")
	d.press("enter")
	if !d.m.line.Active() {
		t.Fatal("a mistake closed the line")
	}
	d.sees("nonsense")
	d.press("esc", ":")
	d.types("zo")
	d.press("tab", "enter")
	if !d.m.stage.zoom {
		t.Error("tab did not complete :zoom")
	}
	d.press(":", "up", "enter")
	if d.m.stage.zoom {
		t.Error("the history did not bring :zoom back")
	}
	for _, a := range d.m.env.Keys.Actions() {
		if !a.Scope.OnScreen() || a.Name == "" {
			continue
		}
		d.press("ctrl+p")
		d.types(a.Name)
		if p, ok := ui.OpenOverlay[*overlay.Palette](&d.m.boxes.Boxes); !ok {
			t.Fatal("no palette")
		} else if _, ok := p.Chosen(); !ok {
			t.Errorf("the palette does not find %q", a.Name)
		}
		d.press("esc")
	}
}

func TestExpectation05BackPeelsOneLayer(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "a\n"}), w: 100, h: 20, theme: dark})
	d.press("f")
	d.types("a")
	d.press("enter", "enter", "z", "/")
	d.types("a")
	d.press("enter", "?", ":")
	if d.m.line.Active() {
		t.Fatal("the prompt opened behind a box")
	}
	layers := func() string {
		return fmt.Sprint(d.m.boxes.Len(), d.browse().View.Finder.Query() != "", d.m.stage.zoom, d.m.stage.focus != onList, d.browse().Tree.Filter() != "")
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
	for _, typing := range []string{":", "/", "f", "ctrl+p", "S"} {
		d.press("1", typing, "a", "ctrl+c")
		if d.quit || d.m.line.Active() || d.m.boxes.Len() > 0 {
			t.Errorf("ctrl+c while typing after %s: quit %v, typing %v, %d boxes", typing, d.quit, d.m.line.Active(), d.m.boxes.Len())
		}
	}
	d.press("?", "ctrl+c")
	d.until("ctrl+c quits from a box", func() bool { return d.quit })
}

func TestExpectation06FocusIsVisibleWithoutColour(t *testing.T) {
	t.Parallel()
	for _, o := range []theme.Options{{Name: theme.Mono}, {Name: theme.Mono, ASCII: true}} {
		d := start(t, setup{dir: store(t, "demo"), w: 100, h: 30, theme: o})
		seen := map[string]bool{}
		for range 3 {
			seen[d.screen()] = true
			d.press("tab")
		}
		if len(seen) != 3 {
			t.Errorf("three panes with the focus look like %d (ASCII %v)", len(seen), o.ASCII)
		}
		d.press("shift+tab")
		if d.m.stage.focus != onStrip {
			t.Error("shift+tab does not go back")
		}
	}
}

func TestExpectation08DeleteNamesWhatGoes(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"d/a.md": "12345", "d/b.md": "1234567"}), w: 100, h: 20, theme: dark})
	d.command("delete /memories/d")
	d.sees("2 files")
	d.sees("12B")
	d.press("enter") // the default is no
	if d.m.disk.Snapshot.Find("/memories/d/a.md") == nil {
		t.Fatal("enter deleted")
	}
	d.lacks("[y] Delete")
}

func TestExpectation09UndoAndRedo(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	dir := files(t, map[string]string{"d/a.md": "a\n", "d/b.md": "b\n", "c.md": "one\n"})
	first := start(t, setup{dir: dir, w: 110, h: 30, theme: dark, journal: state})
	first.command("str_replace /memories/c.md one two")
	first.press("esc")
	first.browse().Tree.Select("/memories/d")
	first.press("d")
	first.sees("u undoes")
	first.press("y")
	first.sees("Deleted d, 4B. u undoes")
	first.absent("d/a.md")
	first.leaves()

	d := start(t, setup{dir: dir, w: 110, h: 30, theme: dark, journal: state}) // a restart in between
	d.press("u")
	d.sees("Undid 2 deletions. ctrl+r redoes")
	d.holds("d/a.md", "a\n")
	d.holds("d/b.md", "b\n")
	d.press("u")
	d.sees("Undid the edit of c.md")
	d.holds("c.md", "one\n")
	d.press("ctrl+r", "ctrl+r")
	d.holds("c.md", "two\n")
	d.absent("d/b.md")
	d.press("ctrl+r")
	d.sees(edits.TextNothingToRedo)
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
	d.sees("conflict 1 of 1, unresolved")
	d.sees("< three")
	d.sees("> one")
	d.until("the tree shows it", func() bool { return d.m.disk.Snapshot.Find("/memories/c.md").Size == 6 })
	d.golden("undo-conflict-110x30")
	d.press("a")
	d.sees("1 conflict unresolved")
	d.press("esc")
	d.holds("c.md", "three\n")
	d.press("u", "l", "space", "a")
	d.sees("Undid the edit of c.md")
	d.holds("c.md", "one\n")
}

func TestExpectation10KeysThatCannotWorkSayWhy(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: store(t, "demo"), w: 110, h: 30, theme: dark})
	own := map[string]bool{}
	for _, s := range d.m.scopes() {
		for _, a := range d.m.env.Keys.InScope(s) {
			for _, k := range a.Keys {
				own[k] = true
			}
		}
	}
	for _, a := range d.m.env.Keys.Actions() {
		for _, k := range a.Keys {
			if own[k] || !a.Scope.OnScreen() {
				continue
			}
			d.m.say.forget()
			d.press(k)
			if msg, ok := d.m.say.current(); !ok || !strings.Contains(msg.text, k) {
				t.Errorf("%q (%s) does nothing here and does not say why: %q", k, a.ID, msg.text)
			}
		}
	}
}

func TestExpectation11Mouse(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": numbered(99), "b.md": "b\n"}), w: 100, h: 30, theme: dark})
	d.clicks(4, 4)
	d.sees("content of /memories/a.md")
	d.take(tea.MouseWheelMsg{X: 80, Y: 9, Button: tea.MouseWheelDown}) // under the pointer, not under the focus
	d.rest()
	if d.browse().View.Place() == "0/99" || d.m.stage.focus != onList {
		t.Error("the wheel does not scroll the pane under the pointer")
	}
	d.command("mouse")
	if d.m.View().MouseMode != tea.MouseModeNone {
		t.Error("the terminal's own selection does not get the mouse back")
	}
}

func TestExpectation12StatusNeverWraps(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("long-名前-", 15) + ".md"
	d := start(t, setup{dir: files(t, map[string]string{long: "x\n"}), w: 100, h: 20, theme: dark})
	d.press("j")
	d.sees("● live")
	for w := minWidth; w < 240; w += 7 {
		d.resize(w, 20) // the driver checks each row's width
		rows := strings.Split(d.screen(), "\n")
		if !strings.HasSuffix(rows[len(rows)-1], "? help") {
			t.Errorf("the bottom bar at %d: %q", w, rows[len(rows)-1])
		}
	}
}

func TestExpectation13MessagesStay(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "x\n"}), w: 100, h: 20, theme: dark})
	d.m.say.tell(ui.Fail, "something failed")
	d.m.say.tell(ui.Info, "something else")
	d.press("M")
	d.sees("something failed")
	d.press("y")
	if !strings.Contains(d.clip, "something failed") {
		t.Errorf("the log was not copied: %q", d.clip)
	}
}

func TestExpectation16EverySizeAndStableLayout(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: store(t, "demo"), w: 120, h: 35, theme: dark})
	d.opens("/memories/progress.md")
	d.m.stage.zoom = false
	d.resize(120, 35)
	before := d.screen()
	for _, s := range [][2]int{{1, 1}, {3, 2}, {19, 4}, {40, 12}, {1000, 3}, {20, 5}, {200, 60}, {120, 35}} {
		d.resize(s[0], s[1])
		if s[0] < minWidth && s[0] > 8 && !strings.Contains(d.screen(), "too small") {
			t.Errorf("%v does not say that it is too small", s)
		}
	}
	if after := d.screen(); after != before {
		t.Errorf("the screen is another one after resizing there and back:\n%s\n%s", before, after)
	}
}

func TestExpectation17ExternalChangeKeepsThePlace(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": numbered(200), "m.md": numbered(300)}), w: 110, h: 30, theme: dark})
	d.opens("/memories/m.md")
	d.m.stage.zoom = false
	d.resize(110, 31)
	d.press("ctrl+d", "ctrl+d", "ctrl+d")
	row := d.cursorLine()
	d.write("0-new.md", "new\n")
	d.sees("0-new.md")
	if path, _ := d.browse().Tree.Selected(); path != "/memories/m.md" || d.cursorLine() != row {
		t.Errorf("the place moved to %s, %q", path, d.cursorLine())
	}
	d.sees("✎")
}

// cursorLine is the text of the screen row that the terminal's cursor stands on.
func (d *driver) cursorLine() string {
	d.t.Helper()
	rows, cursor := d.m.frame()
	if cursor == nil {
		d.t.Fatalf("no cursor:\n%s", d.screen())
	}
	return ansi.Strip(rows[cursor.Y])
}

func TestExpectation18StateWithoutColour(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "one\ntwo\n"}), w: 100, h: 20, theme: theme.Options{Name: theme.Mono}})
	d.does(edit("/memories/a.md", "two", "three"))
	d.unread(1)
	d.press(".")
	d.sees("-two")
	d.sees("+three")
	if strings.Contains(d.m.View().Content, "\x1b[3") || strings.Contains(d.m.View().Content, ";38;") {
		t.Error("a color in the theme without colors")
	}
}

func TestExpectation19DarkAndLight(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: store(t, "demo"), w: 100, h: 20, theme: theme.Options{Name: theme.Auto, Dark: true}})
	darkScreen := d.m.View().Content
	d.take(tea.BackgroundColorMsg{Color: ansi.BrightWhite})
	d.rest()
	if d.m.View().Content == darkScreen {
		t.Error("the answer of a light terminal changes nothing")
	}
	d.command("theme dark")
	d.m.say.forget()
	d.take(tea.BackgroundColorMsg{Color: ansi.BrightWhite})
	d.rest()
	if d.m.View().Content != darkScreen {
		t.Error("the theme that the user chose does not stand")
	}
}

func TestExpectation20ColumnsStayAligned(t *testing.T) {
	t.Parallel()
	lines := []string{"中文", "👩‍👩‍👧", "e\u0301e\u0301", "שלום", "a\tb\tc", "\xff\xfe", "🇯🇵🇩🇪", "plain"}
	d := start(t, setup{dir: files(t, map[string]string{"a.md": strings.Join(lines, "\n")}), w: 60, h: 20, theme: dark})
	d.opens("/memories/a.md") // the driver checks each row's width
	for _, want := range []string{"中文", `\xff`, "plain", "שלום"} {
		d.sees(want)
	}
}

func TestExpectation21NothingIsExecuted(t *testing.T) {
	t.Parallel()
	bad := "\x1b]52;c;eA==\a\x1b[2J\x1b[31mred\rhidden\u202eright\u200bto\x9bleft"
	d := start(t, setup{dir: files(t, map[string]string{"a.md": bad + "\n"}), w: 110, h: 20, theme: dark})
	for _, key := range []string{"j", "]", "]", "]", "]", ":live", "1"} {
		d.press(key)
		d.harmless()
	}
	if d.clip != "" {
		t.Errorf("the clipboard got %q", d.clip)
	}
}

func TestExpectation22Copy(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "one\ntwo\n"}), w: 100, h: 20, theme: dark})
	d.opens("/memories/a.md")
	d.press("j", "j")
	for key, want := range map[string]string{"p": "/memories/a.md", "l": "two", "o": "Here's the content"} {
		d.press("y", key)
		if !strings.Contains(d.clip, want) {
			t.Errorf("y %s copied %q", key, d.clip)
		}
		d.sees("Copied")
	}
}

func TestExpectation14JobsShowAndEnd(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "a\n"}), w: 100, h: 20, theme: dark})
	release := make(chan struct{})
	d.run(d.m.env.Jobs.Start("test.slow", "counting sheep", func(context.Context, *ui.Progress) (any, error) {
		<-release
		return nil, nil
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
	d.run(d.m.env.Jobs.Start(ownerCopy, "copying the sea", func(ctx context.Context, _ *ui.Progress) (any, error) {
		<-ctx.Done()
		ended <- ctx.Err()
		return nil, ctx.Err()
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

func TestExpectation25CursorOnTheSelectedRow(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "one\n", "b.md": "two\n"}), w: 100, h: 20, theme: theme.Options{Name: theme.Mono, ASCII: true}})
	d.press("j", "j")
	if row := d.cursorLine(); !strings.Contains(row, "b.md") {
		t.Errorf("the terminal's cursor is on %q", row)
	}
	d.press("enter", "j")
	if row := d.cursorLine(); !strings.Contains(row, "two") {
		t.Errorf("the terminal's cursor is on %q", row)
	}
}

func TestExpectation26ASCIITwins(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "one\n"}), w: 100, h: 24, theme: theme.Options{Dark: true, ASCII: true}})
	d.does(edit("/memories/a.md", "one", "two"))
	d.unread(1)
	for _, key := range []string{".", ":live", "?", "esc", "]", "]", "1", "S", "esc"} {
		d.press(key)
		for _, r := range d.screen() {
			if r > 0x7e {
				t.Fatalf("%q after %q on an ASCII screen:\n%s", r, key, d.screen())
			}
		}
	}
}

func TestExpectation27EmptyStatesSayWhatNext(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": ""}), w: 110, h: 24, theme: dark})
	d.sees("No edits since you opened the store. New ones appear here")
	d.press("f")
	d.types("zzz")
	d.sees(d.m.env.Keyed("No names match. {global/back} clears the filter"))
	d.press("esc", "]")
	d.sees("Choose a file to see its last change")
}

func TestExpectation31ReadOnlyBadge(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "one\n"}), w: 110, h: 24, theme: dark, readOnly: true})
	for _, s := range [][2]int{{200, 60}, {80, 24}, {40, 12}, {minWidth, minHeight}} {
		d.resize(s[0], s[1])
		if !strings.Contains(d.screen(), "READ-ONLY") {
			t.Errorf("no badge at %v:\n%s", s, d.screen())
		}
	}
	d.resize(110, 24)
	d.command("delete /memories/a.md")
	d.command(`str_replace /memories/a.md one two`)
	if r := d.browse().Store.Do(t.Context(), memstore.Command{Name: memstore.CmdDelete, Path: "/memories/a.md"}); !errors.Is(r.Err, memstore.ErrReadOnly) {
		t.Errorf("%+v", r)
	}
	if d.m.disk.Snapshot.Find("/memories/a.md") == nil {
		t.Error("the file is gone")
	}
}

func TestExpectation32NoLostUpdate(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "one\n"}), w: 110, h: 24, theme: dark})
	d.opens("/memories/a.md")
	d.browse().Tabs.Show(browse.Diff) // the user does not look at the file, and the diff has only just come
	d.hasty = true
	d.write("a.md", "one\nanother\n")
	d.unread(1)
	d.command("str_replace /memories/a.md one two")
	d.sees(edits.TextConflictTitle)
	d.sees("+another")
	d.m.boxes.ignoreKeysUntil = time.Now().Add(time.Hour) // as if it had just opened by itself
	d.press("y", "enter")
	d.sees(edits.TextConflictTitle)
	d.m.boxes.ignoreKeysUntil = time.Time{}
	d.press("n")
	if r := d.agent.Do(t.Context(), memstore.Command{Name: memstore.CmdView, Path: "/memories/a.md"}); !strings.Contains(r.Content, "another") || strings.Contains(r.Content, "two") {
		t.Errorf("the file is %q", r.Content)
	}
}
