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

// changes shows the diff of a file that is written twice.
func (d *driver) changes(name, before, after string) {
	d.t.Helper()
	had := d.m.feed.Newest()
	for i, text := range []string{before, after} {
		d.write(name, text)
		d.until("it is recorded", func() bool { return len(d.m.feed.Since(had)) > i })
	}
	d.run(d.browse().ShowChange(d.m.feed.Revisions()[len(d.m.feed.Revisions())-1]))
	d.run(d.m.stage.focusOn(onDetail))
	d.rest()
}

// sideBySide shows a change of everything that a diff marks, zoomed.
func sideBySide(d *driver) {
	d.t.Helper()
	d.changes("before.md", sampleBefore, sampleAfter)
	d.run(d.m.marks.ApprovePaths("/memories"))
	d.press("s")
	d.m.stage.zoom = true
	d.run(d.m.stage.relayout())
	d.rest()
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
}

// A changed word is in sight in a line of any length, on either side, side by side and where lines are cut.
func TestChangeInALongLineIsInSight(t *testing.T) {
	t.Parallel()
	line := func(word string) string {
		return strings.Repeat("words before ", 1500) + word + strings.Repeat(" and words after", 1500) + "\n"
	}
	d := start(t, setup{dir: files(t, map[string]string{"x.md": "x\n"}), w: 120, h: 35, theme: dark})
	d.changes("a.md", line("Monday"), line("Tuesday"))
	d.sees("Monday")
	d.press("}")
	d.sees("Tuesday")
	for _, key := range []string{"w", "s", "w"} {
		d.press(key)
		d.sees("Monday")
		d.sees("Tuesday")
	}
}

// What y d and y h copy is what git applies.
func TestCopiedPatchesApply(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git here to apply patches with")
	}
	d := start(t, setup{dir: files(t, map[string]string{"x.md": "x\n"}), w: 120, h: 35, theme: dark})
	apply := func(before, want, path string) {
		t.Helper()
		dir := t.TempDir()
		file := filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if before != "" {
			writeText(t, file, before)
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
			d.changes("p.md", before, after)
			d.clip = ""
			d.press("y", "d")
			apply(before, after, "memories/p.md")
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
