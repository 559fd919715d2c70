package tui

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/tui/browse"
)

// Two files with one of everything that a diff marks.
const (
	sampleBefore = "# Notes\n\n- deadline: Monday\n- ask Ana about the report\n- 会議は月曜日です\n\tone tab\nsame\n" +
		"This line goes to the end of the file unchanged.\nkept\nonly here\nkept too\n" +
		"A paragraph on one line, as people write them, which is longer than half of an ordinary screen and ends in red.\n"
	sampleAfter = "# Notes\n\n- deadline: Tuesday\n- ask Ana about the report\n- 会議は火曜日です\n    one tab\nsame\n" +
		"kept\nkept too\nonly there \t\n" +
		"A paragraph on one line, as people write them, which is longer than half of an ordinary screen and ends in blue.\n" +
		"This line goes to the end of the file unchanged.\n"
)

// sideBySide compares two files that differ in every way, zoomed.
func sideBySide(d *driver) {
	d.t.Helper()
	had := len(d.m.feed.Revisions())
	for name, content := range map[string]string{"before.md": sampleBefore, "after.md": sampleAfter} {
		d.does(memstore.Command{Name: memstore.CmdCreate, Path: "/memories/" + name, FileText: content})
	}
	d.arrived(had + 2)
	d.run(d.m.marks.ApproveAll())
	d.command("compare /memories/before.md /memories/after.md")
	d.press("s")
	d.m.stage.zoom = true
	d.run(d.m.stage.relayout())
	d.rest()
}

func pairOfFiles(t *testing.T, w, h int) *driver {
	t.Helper()
	return start(t, setup{dir: files(t, map[string]string{"a.md": sampleBefore, "b c.md": sampleAfter, "dir/x.md": "x\n"}), w: w, h: h, theme: dark})
}

func TestCompareByPromptFollowsTheFilesAndKeepsThePlace(t *testing.T) {
	t.Parallel()
	d := pairOfFiles(t, 120, 35)
	d.command(`compare /memories/a.md "/memories/b c.md"`)
	d.sees("/memories/a.md → /memories/b c.md")
	d.sees("-- deadline: Monday")
	d.press("}")
	d.sees("会議は")
	on := func() string {
		for _, row := range strings.Split(d.screen(), "\n") {
			if _, after, ok := strings.Cut(row, "│▌"); ok {
				return after
			}
		}
		return ""
	}
	if !strings.Contains(on(), "月曜日") {
		t.Fatalf("the cursor is on %q", on())
	}
	// Ten lines above, in one of the two: the cursor stays on its line.
	d.write("a.md", strings.Repeat("a new line\n", 10)+sampleBefore)
	d.sees("-a new line")
	if !strings.Contains(on(), "月曜日") || !strings.Contains(on(), "15") {
		t.Fatalf("after an edit the cursor is on %q", on())
	}
	// Both become equal.
	d.write("a.md", sampleAfter)
	d.sees("Both sides have the same text")
	d.write("a.md", strings.ReplaceAll(sampleAfter, "one tab", "one  tab"))
	d.sees("one··tab")
	d.press("W")
	d.sees("Only whitespace differs")
	d.press("W")
	d.sees("one··tab")
	// Another file ends it.
	d.press("1", "j", "j")
	d.lacks("a.md → /memories/b c.md")
}

func TestCompareMarkedFiles(t *testing.T) {
	t.Parallel()
	d := pairOfFiles(t, 120, 35)
	d.press("V")
	d.sees("Select two files with space")
	d.browse().Tree.Select("/memories/a.md")
	d.press("space")
	d.browse().Tree.Select("/memories/b c.md")
	d.press("V")
	d.sees("/memories/a.md → /memories/b c.md")
	d.press("1", "space", "V")
	d.sees("/memories/a.md → /memories/b c.md")
	d.browse().Tree.Select("/memories/dir/x.md")
	d.press("1", "+")
	d.browse().Tree.Select("/memories/dir/x.md")
	d.press("space", "V")
	d.sees("Can't compare 3 files, only two")
	d.press("esc")
	d.command("compare /memories/a.md")
	d.sees("/memories/a.md → /memories/dir/x.md")
}

func TestCompareIsBounded(t *testing.T) {
	t.Parallel()
	d := pairOfFiles(t, 120, 35)
	huge := filepath.Join(d.dir, "huge.md")
	if err := os.WriteFile(huge, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(huge, 1<<30); err != nil {
		t.Skip("no sparse files here: ", err)
	}
	for name, head := range map[string]string{"one.bin": "\x00\x01\x02", "two.bin": "\x00\x01\x03"} {
		d.write(name, strings.Repeat("\x00", 100)+head+strings.Repeat("\xff", 100))
	}
	d.until("the files are there", func() bool { return d.browse().Files.Node("/memories/two.bin") != nil })
	d.command("compare /memories/a.md /memories/huge.md")
	d.sees("is too large to compare; the limit is 64")
	d.command("compare /memories/one.bin /memories/two.bin")
	d.sees("Binary: 203 bytes before, 203 bytes after")
	d.sees("First difference at offset 102 (0x66)")
}

func TestEnterOpensTheFileAtTheLineOfTheDiff(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: files(t, map[string]string{"a.md": numbered(200), "b.md": strings.ReplaceAll(numbered(300), "row 15\n", "")}), w: 120, h: 35, theme: dark})
	d.browse().Tree.Select("/memories/a.md")
	d.run(d.browse().Select("/memories/a.md", true))
	d.rest()
	d.does(memstore.Command{Name: memstore.CmdStrReplace, Path: "/memories/a.md", OldStr: "row 120\n", NewStr: "new row\n"})
	d.arrived(1)
	d.run(d.browse().ShowChange(d.m.feed.Revisions()[0]))
	d.rest()
	for _, keys := range [][]string{{}, {"j"}} { // the removed line, then the added one
		d.press("]", "[", "tab")
		d.browse().Tabs.Show(browse.Diff)
		d.m.stage.focus = onDetail
		d.press(keys...)
		d.press("enter")
		if place := d.browse().View.Place(); d.browse().Tabs.At() != browse.View || !strings.HasPrefix(place, "120/") {
			t.Errorf("enter leads to tab %d, %s", d.browse().Tabs.At(), place)
		}
	}
	// Of two files the one that has the line is opened.
	d.command("compare /memories/a.md /memories/b.md")
	d.sees("-row 15")
	d.press("enter")
	if path := d.browse().View.Path(); path != "/memories/a.md" || !strings.HasPrefix(d.browse().View.Place(), "15/") {
		t.Errorf("enter on a removed line leads to %s %s", path, d.browse().View.Place())
	}
	d.command("compare /memories/a.md /memories/b.md")
	d.press("G", "enter")
	if path := d.browse().View.Path(); path != "/memories/b.md" {
		t.Errorf("enter on an added line leads to %s", path)
	}
}

func TestSearchInTheDiff(t *testing.T) {
	t.Parallel()
	d := pairOfFiles(t, 120, 35)
	d.command(`compare /memories/a.md "/memories/b c.md"`)
	d.press("/")
	d.types("only")
	d.sees("2 matches")
	d.press("enter")
	d.sees("1 of 2")
	d.press("n")
	d.sees("2 of 2")
	d.press("n")
	d.sees("search went on from the start")
	d.m.say.forget()
	d.sees("1 of 2")
	d.press("esc")
	d.lacks("of 2")
	if d.m.stage.focus != onDetail || d.browse().Tabs.At() != browse.Diff {
		t.Error("esc left the diff before it ended the search")
	}
	d.press("/")
	d.types("ÜBER")
	d.press("enter")
	d.sees("No match for")
}

// What y d and y h copy is what git applies.
func TestCopiedPatchesApply(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git here to apply patches with")
	}
	d := pairOfFiles(t, 120, 35)
	apply := func(before, want, path string) {
		t.Helper()
		dir := t.TempDir()
		file := filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if before != "" {
			if err := os.WriteFile(file, []byte(before), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		git := exec.Command("git", "apply", "--whitespace=nowarn", "-")
		git.Dir = dir
		git.Env = append(os.Environ(), "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir), "GIT_CONFIG_GLOBAL="+os.DevNull)
		git.Stdin = strings.NewReader(d.clip)
		if out, err := git.CombinedOutput(); err != nil {
			t.Fatalf("git apply: %v\n%s\n%s", err, out, d.clip)
		}
		got, err := os.ReadFile(file)
		if os.IsNotExist(err) {
			got, err = nil, nil
		}
		if err != nil || string(got) != want {
			t.Fatalf("%v\n%q, want\n%q", err, got, want)
		}
	}
	for _, before := range []string{"one\ntwo\nthree\n", "one\ntwo", "tab\there \r\n日本\xff\n"} {
		for _, after := range []string{"one\n2\nthree", "one\ntwo\nthree\nfour\n", "", "one\ntwo  \nthree\n"} {
			d.write("p.md", before)
			d.write("q.md", after)
			d.command("compare /memories/p.md /memories/q.md")
			d.rest()
			for _, space := range []string{"space counts", "space is ignored"} {
				d.clip = ""
				d.press("y", "d")
				apply(before, after, "memories/p.md")
				if space == "space counts" {
					d.press("W")
				}
			}
			d.press("W")
		}
	}
	// A file that was made, changed, renamed and deleted by the agent.
	path := "/memories/new file.md"
	for i, c := range []struct {
		command      memstore.Command
		before, want string
	}{
		{memstore.Command{Name: memstore.CmdCreate, Path: path, FileText: "one\ntwo\n"}, "", "one\ntwo\n"},
		{memstore.Command{Name: memstore.CmdStrReplace, Path: path, OldStr: "two", NewStr: "2"}, "one\ntwo\n", "one\n2\n"},
		{memstore.Command{Name: memstore.CmdDelete, Path: path}, "one\n2\n", ""},
	} {
		seen := d.m.feed.Newest()
		d.does(c.command)
		var change past.Revision
		d.until(fmt.Sprintf("change %d is there", i), func() bool {
			list := d.m.feed.Since(seen)
			at := slices.IndexFunc(list, func(r past.Revision) bool { return r.Path == path })
			if at >= 0 {
				change = list[at]
			}
			return at >= 0
		})
		d.run(d.browse().ShowChange(change))
		d.rest()
		d.press("y", "d")
		apply(c.before, c.want, "memories/new file.md")
	}
}
