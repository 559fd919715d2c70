package tui

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
)

// pastes sends a bracketed paste.
func (d *driver) pastes(content string) {
	d.t.Helper()
	d.take(tea.PasteMsg{Content: content})
	d.rest()
}

// holds compares a file on the disk.
func (d *driver) holds(name, want string) {
	d.t.Helper()
	data, err := os.ReadFile(filepath.Join(d.dir, name))
	if err != nil || string(data) != want {
		d.t.Fatalf("%s holds %.200q, %v; want %.200q", name, data, err, want)
	}
}

func (d *driver) absent(name string) {
	d.t.Helper()
	if _, err := os.Lstat(filepath.Join(d.dir, name)); err == nil {
		d.t.Fatalf("%s is there", name)
	}
}

// said waits until the user was told something; the message may be gone from the screen.
func (d *driver) said(text string) {
	d.t.Helper()
	d.until("the messages hold "+text, func() bool { return strings.Contains(d.m.say.logText(), text) })
}

// formNames are the forms with what brings them on the screen, half filled in.
var formNames = []struct {
	name string
	fill func(d *driver)
}{
	{"create", func(d *driver) {
		d.press("1", "g", "c")
		d.types("plan.md")
		d.press("tab")
		d.types("# Plan")
		d.press("enter")
		d.pastes("- tabs\tstay, 日本語 too\r\n- a line that is longer than the box is wide on most of the screens it is shown on, so that it wraps\r\n")
	}},
	{"str_replace", func(d *driver) {
		d.run(d.browse().Select("/memories/progress.md", true))
		d.rest()
		d.m.stage.focus = onDetail
		d.press("g", "j", "j", "j", ":replace-line")
		d.types(" and what was typed behind it")
	}},
	{"insert", func(d *driver) {
		d.run(d.browse().Select("/memories/progress.md", true))
		d.rest()
		d.m.stage.focus = onDetail
		d.press("g", "j", "j", ":insert-here")
		d.types("- a new line")
	}},
	{"error", func(d *driver) {
		d.command("insert /memories/progress.md 9999")
		d.types("- a new line")
	}},
}

func TestGoldenForms(t *testing.T) {
	t.Parallel()
	for _, f := range formNames {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			d := start(t, setup{dir: store(t, "demo"), w: 120, h: 35, theme: dark})
			f.fill(d)
			if f.name != "str_replace" {
				d.golden("form-" + f.name + "-120x35")
				return
			}
			for _, s := range matrixSizes {
				d.resize(s[0], s[1])
				d.golden(fmt.Sprintf("form-str_replace-%dx%d", s[0], s[1]))
			}
			d.press("ctrl+s")
			d.golden("form-str_replace-preview-40x12")
		})
	}
}

func TestFormCreatesExactlyWhatWasTyped(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"notes/a.md": "x\n"}), w: 100, h: 30, theme: dark})
	d.press("j", "c")
	d.sees("/memories/notes/")
	d.types("b.md")
	d.press("tab")
	hostile := "\x1b]0;title\x07\x1b[2J\u202eevil\u200b\xc2\x9b\r\n\ttabbed\r\x00"
	d.pastes(hostile)
	d.types("é😀")
	d.press("ctrl+t")
	d.sees("File created successfully at: /memories/notes/b.md")
	d.absent("notes/b.md")
	d.press("ctrl+s")
	d.sees("create: not written yet")
	d.absent("notes/b.md")
	d.press("enter")
	d.said("create: done, /memories/notes/b.md")
	d.holds("notes/b.md", hostile+"é😀\t")
	if d.m.boxes.Len() != 0 {
		t.Error("the form stays open")
	}
	d.until("the tree goes to the new file", func() bool { path, _ := d.browse().Tree.Selected(); return path == "/memories/notes/b.md" })
}

// An error is the handlers' own text, in the form, and nothing typed is lost.
func TestFormErrorsStayInPlace(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"a.md": "one\ntwo\none\n"})
	d := start(t, setup{dir: dir, w: 100, h: 30, theme: dark})
	for _, c := range []struct{ line, typed, want string }{
		{"create /elsewhere/x", "text", "Error: Path must start with /memories, got: /elsewhere/x"},
		{"create /memories/a.md", "text", "Error: File /memories/a.md already exists"},
		{"insert /memories/a.md 7", "text", "It should be within the range of lines of the file:"},
		{"insert /memories/a.md two", "text", "Error: The field `insert_line` must be an integer"},
		{"insert /memories/none.md 1", "text", "Error: The path /memories/none.md does not exist"},
		{"str_replace /memories/a.md", "three", "did not appear verbatim in /memories/a.md."},
		{"str_replace /memories/a.md", "one", "Multiple occurrences of old_str `one` in lines: 1, 3."},
		{"str_replace /memories/a.md/../../x", "one", "would escape /memories directory"},
	} {
		d.command(c.line)
		d.types(c.typed)
		d.sees(c.want)
		d.sees("the agent would get an error")
		d.press("ctrl+s")
		d.lacks("not written yet")
		d.sees(c.want)
		d.sees(c.typed)
		d.press("esc")
		d.sees("Discard what you typed?")
		d.press("y")
		d.lacks("the agent would get")
	}
	d.holds("a.md", "one\ntwo\none\n")
}

func TestLeavingAFormAsksOnlyForWhatWasTyped(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "one\n"}), w: 100, h: 30, theme: dark})
	d.press("c", "esc")
	if d.m.boxes.Len() != 0 {
		t.Fatal("leaving an untouched form asks")
	}
	d.press("c")
	d.types("x")
	d.press("esc")
	d.sees("Discard what you typed?")
	d.press("n")
	d.sees("/memories/x")
	d.press("backspace", "esc")
	if d.m.boxes.Len() != 0 {
		t.Fatal("what was typed and deleted again is asked about")
	}
	d.press("c")
	d.types("x")
	d.press("ctrl+c", "ctrl+c")
	if !d.quit {
		t.Error("ctrl+c twice did not leave")
	}
}

// R takes the line under the cursor, and neighbors where the line alone is ambiguous.
func TestReplaceLine(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"a.md": "first\r\nsame\r\nmiddle\r\nsame\r\n"})
	d := start(t, setup{dir: dir, w: 100, h: 30, theme: dark})
	d.opens("/memories/a.md")
	d.press("g", "j", "j", ":replace-line")
	box := d.m.commands.FormOnTop()
	if box == nil {
		t.Fatalf("no form is open:\n%s", d.screen())
	}
	d.sees("The memory file has been edited.")
	d.types("!") // the cursor is in the line, not in its neighbors
	d.press("ctrl+s", "ctrl+s")
	d.said("str_replace: done")
	d.holds("a.md", "first\r\nsame!\r\nmiddle\r\nsame\r\n")
}

func TestInsertBelowTheLineUnderTheCursor(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "one\ntwo\n", "empty.md": ""}), w: 100, h: 30, theme: dark})
	for _, c := range []struct{ keys, want string }{{"g", "0"}, {"gj", "1"}, {"gjj", "2"}, {"G", "2"}} {
		d.opens("/memories/a.md")
		for _, k := range c.keys {
			d.press(string(k))
		}
		d.press(":insert-here")
		d.sees("insert_line " + c.want)
		d.press("esc")
	}
	d.opens("/memories/empty.md")
	d.press("G", ":insert-here")
	d.sees("insert_line 0")
	d.types("text")
	d.press("ctrl+s", "enter")
	d.said("insert: done")
	d.holds("empty.md", "text\n")
}

// A file that changes between preview and apply is a conflict; the text comes back.
func TestFormConflictKeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"a.md": "colour: blue\nsize: 1\n"})
	d := start(t, setup{dir: dir, w: 100, h: 30, theme: dark})
	d.command("str_replace /memories/a.md")
	d.types("blue")
	d.press("tab")
	d.types("green and typed")
	d.press("ctrl+s")
	d.sees("+colour: green and typed")
	d.write("a.md", "colour: blue\nsize: 1\nmore: by another\n")
	d.arrived(1)
	d.sees("The file changed meanwhile: writing asks first")
	d.press("enter")
	d.sees("Changed since you looked")
	d.sees("+more: by another")
	d.holds("a.md", "colour: blue\nsize: 1\nmore: by another\n")
	d.press("n")
	d.sees("green and typed")
	d.sees("The memory file has been edited.")
	d.press("ctrl+s", "enter")
	d.said("str_replace: done")
	d.holds("a.md", "colour: green and typed\nsize: 1\nmore: by another\n")
}

func TestGuardsSpeakInTheForm(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "x\n"}), w: 100, h: 30, theme: dark})
	guard := memstore.Guard{Check: func(_ context.Context, e *memstore.Edit) (string, error) {
		return "", fmt.Errorf("%s is locked", e.Changes[0].Path)
	}}
	d.browse().Store = memstore.New(d.browse().Store.Backend(), memstore.Options{Guards: []memstore.Guard{guard}})
	d.command("create /memories/new.md")
	d.types("text")
	d.sees("Error: /memories/new.md is locked")
	d.press("ctrl+s")
	d.lacks("not written yet")
	d.absent("new.md")
}

// A paste of a megabyte is accepted, a larger one refused with a message; keys still work.
func TestFormTakesLargePastes(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "x\n"}), w: 80, h: 24, theme: dark})
	d.command("create /memories/big.md")
	big := strings.Repeat(strings.Repeat("x", 249)+"\n", 4000)
	d.pastes(big)
	d.pastes(strings.Repeat("more ", 20000))
	d.sees("This field holds at most 1 MiB and 10,000 lines.")
	d.types("end")
	d.press("ctrl+s")
	d.sees("not written yet")
	d.press("enter")
	d.said("create: done")
	d.holds("big.md", big+"end")
}

// A file that another made at the path of a new one is not replaced.
func TestFormCreateMeetsAFileThatCameMeanwhile(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "x\n"}), w: 100, h: 30, theme: dark})
	d.command("create /memories/new.md")
	d.types("mine")
	d.press("ctrl+s")
	d.write("new.md", "theirs\n")
	d.take(keyPress("enter"))
	d.sees("Error: File /memories/new.md already exists")
	d.sees("mine")
	d.holds("new.md", "theirs\n")
}

func TestFormTakesTheMouse(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": "one\ntwo\n"}), w: 80, h: 24, theme: dark})
	d.command("create /memories/new.md")
	d.pastes("first line\n日本語 line\n")
	in := inner(d.m.boxes.rect(d.m.commands.FormOnTop()))
	click := func(x, y int) {
		d.take(tea.MouseClickMsg{X: in.X + x, Y: in.Y + y, Button: tea.MouseLeft})
		d.rest()
	}
	click(3, 3) // the second character of the second line
	d.types("x")
	click(27, 0)
	d.types("y")
	click(1, 3)
	d.types("z")
	d.press("ctrl+s", "enter")
	d.said("create: done")
	d.holds("new.ymd", "first line\nz日x本語 line\n")
}
