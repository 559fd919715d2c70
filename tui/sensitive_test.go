package tui

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/memstore/findings"
	"memcurator/memstore/scrub"
	"memcurator/render/theme"
)

// Values are made at run time, so that no token is in the repository.
var (
	hiddenToken    = "ghp_" + strings.Repeat("a1B2c3", 6)
	hiddenPassword = strings.Join([]string{"Tr0ub4dor", "3x"}, "&")
)

// scrubbingIn is what looks for values, with its memory in a state folder.
func scrubbingIn(t *testing.T, state, dir string) *Scrubbing {
	t.Helper()
	memory, err := findings.OpenMemory(state)
	if err != nil {
		t.Fatal(err)
	}
	return &Scrubbing{
		Engine: func() *scrub.Engine { e, _ := scrub.New(scrub.Options{}); return e }, Memory: memory, StateDir: state, Dir: dir,
	}
}

func secretive(t *testing.T, w, h int, th theme.Options) *driver {
	t.Helper()
	state := t.TempDir()
	dir := files(t, map[string]string{
		"ops.md":      "# Ops\n\nGitHub token: " + hiddenToken + "\nThe Grafana password is " + hiddenPassword + ".\n",
		"people/a.md": "again " + hiddenToken + " and a\x1b[31mb\n",
		"日本.md":       "パスワードは" + hiddenPassword + "です。\n",
	})
	d := start(t, setup{dir: dir, w: w, h: h, theme: th, journal: state, scrub: scrubbingIn(t, state, dir)})
	d.press("6")
	if w < 60 {
		d.sees("0/2 values accepted, 4+0 places")
	} else {
		d.sees("2 values in 4 places")
	}
	return d
}

// holding counts the files below the folders that hold a value as it is.
func holding(t *testing.T, value string, dirs ...string) (n int) {
	t.Helper()
	for _, dir := range dirs {
		if err := filepath.WalkDir(dir, func(at string, e os.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() {
				return err
			}
			data, err := os.ReadFile(at)
			if bytes.Contains(data, []byte(value)) {
				n++
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	return n
}

func TestSensitiveValuesAreMaskedUntilAskedFor(t *testing.T) {
	t.Parallel()
	d := secretive(t, 120, 35, dark)
	d.sees("github-token")
	d.lacks(hiddenToken)
	d.lacks(hiddenPassword)
	d.golden("findings-120x35")
	d.press("l", "d")
	d.sees("[REDACTED:github-token]")
	d.lacks(hiddenToken)
	d.press("esc")
	d.sees("values in 4 places")
	d.press("enter")
	d.sees("people/a.md")
	if d.m.stage.focus != onDetail || d.browse().View.Path() != "/memories/people/a.md" {
		t.Errorf("enter shows %s", d.browse().View.Path())
	}
	if !strings.Contains(d.screen(), "◆") {
		t.Error("the tree does not mark the files")
	}
}

func TestSensitiveValuesFitSmallScreens(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{80, 24}, {40, 12}} {
		d := secretive(t, size[0], size[1], theme.Options{Name: theme.Mono, ASCII: true})
		d.golden(fmt.Sprintf("findings-%dx%d", size[0], size[1]))
	}
	d := secretive(t, 120, 35, dark)
	for _, size := range [][2]int{{200, 60}, {60, 8}, {30, 6}, {20, 5}, {12, 4}} {
		d.resize(size[0], size[1])
		d.check()
	}
}

func TestOneDecisionForAllPlaces(t *testing.T) {
	t.Parallel()
	d := secretive(t, 120, 35, dark)
	d.press("a")
	d.sees("accept a value first")
	d.press("R")
	d.sees("nothing was purged")
	d.press("space", "X")
	d.sees("1 value: 2 places in files")
	d.press("y")
	d.sees("taken out")
	d.sees("2 values in 2 places")
	if n := holding(t, hiddenToken, d.dir); n != 0 {
		t.Errorf("%d files still hold the token", n)
	}
	if n := holding(t, hiddenPassword, d.dir); n != 2 {
		t.Errorf("%d files hold the password, which nobody accepted", n)
	}
	d.press("u")
	d.sees("undo")
	d.sees("2 values in 4 places")
	if n := holding(t, hiddenToken, d.dir); n != 2 {
		t.Errorf("the undo brought %d files back", n)
	}
}

// The diff stays on the screen, so that it shows no value: neither one that is taken out nor one beside it that stays.
func TestTheDiffOfAValueShowsNone(t *testing.T) {
	t.Parallel()
	d := secretive(t, 120, 35, dark)
	d.press("d")
	d.sees("[REDACTED:github-token]")
	d.sees("The Grafana password is ••••.")
	for _, value := range []string{hiddenToken, hiddenPassword} {
		if strings.Contains(d.screen(), value) {
			t.Errorf("the diff shows a value:\n%s", d.screen())
		}
	}
}

func TestPurgeFromTheScreen(t *testing.T) {
	t.Parallel()
	d := secretive(t, 120, 35, dark)
	d.press("ctrl+a", "a")
	d.sees("This cannot be undone")
	d.golden("findings-question-120x35")
	d.press("enter") // no is what enter says
	if n := holding(t, hiddenToken, d.dir); n != 2 {
		t.Error("no did something")
	}
	d.press("a", "y")
	d.sees("nothing is left")
	d.sees("Change these now")
	d.press("esc")
	d.sees("No sensitive value was found")
	d.press("R")
	d.sees("Change these now")
	d.press("esc")
	d.press("esc", ":live", "enter") // no change of this run shows what was there before
	d.lacks(hiddenToken)
	d.press("esc", "esc", "2", "enter")
	d.lacks(hiddenToken)
	d.press("1", "u")
	if n := holding(t, hiddenToken, d.dir, d.m.options.Scrub.StateDir) + holding(t, hiddenPassword, d.dir, d.m.options.Scrub.StateDir); n != 0 {
		t.Errorf("%d files still hold a value", n)
	}
	d.lacks("◆")
}

// The question before a purge offers what can be taken back, and esc ends the work.
func TestTheQuestionOffersFilesOnly(t *testing.T) {
	t.Parallel()
	d := secretive(t, 40, 12, dark)
	d.press("ctrl+a", "a")
	d.press("G")
	d.sees("both.")
	d.press("f")
	d.sees("values accepted, 0+4 places")
	d.press("esc", "u")
	d.sees("undo")
	if n := holding(t, hiddenToken, d.dir); n != 2 {
		t.Errorf("the undo brought %d files back", n)
	}
	d.press("6")
	d.sees("2/2 values accepted, 4+") // what was decided stays
	d.press("a")
	d.take(keyPress("y"))
	d.take(keyPress("esc"))
	d.sees("stopping")
	d.rest()
	if d.m.secrets.Busy() {
		t.Error("the work has not ended")
	}
}

func TestAllowedValuesAreHarmless(t *testing.T) {
	t.Parallel()
	d := secretive(t, 120, 35, dark)
	d.press("j", "D")
	d.sees("[a] harmless")
	d.sees("1 value in 2 places")
	d.press("D")
	d.sees("2 values in 4 places")
	d.press("?")
	d.sees("dismiss the value as not a secret")
}

func TestMarkedFilesHaveTheirValuesAccepted(t *testing.T) {
	t.Parallel()
	d := secretive(t, 120, 35, dark)
	d.press("esc")
	d.browse().Tree.Select("/memories/日本.md")
	d.press("space", "6")
	d.sees("2 values in 4 places, 0 more in the past; 1 accepted")
	d.press("X")
	d.sees("1 value: 2 places in files")
}

func TestCurateLeadsToSensitiveValues(t *testing.T) {
	t.Parallel()
	d := secretive(t, 120, 35, dark)
	d.press("esc", "3")
	d.sees("2 sensitive values: 6")
	d.sees("Sensitive values  2")
	d.press("G", "enter")
	d.sees("critical github-token")
	d.golden("curate-values-120x35")
	d.press("G", "space")
	d.sees("in their own box")
	d.press("enter")
	d.sees("2 values in 4 places")
	if at, _ := d.m.secrets.Box().Cursor(); at.Y != 2 {
		t.Errorf("the cursor is in row %d", at.Y)
	}
	d.press("esc", "f")
	d.types("github")
	d.sees("github-token")
	d.lacks("critical password")
	d.press("esc")
	d.press("6")
	d.sees("2 values in 4 places")
	d.resize(40, 12)
	d.press("esc")
	d.check()
}

func TestSensitiveValuesOfAStoreForLookingOnly(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	dir := files(t, map[string]string{"a.md": "token: " + hiddenToken + "\n"})
	d := start(t, setup{dir: dir, w: 120, h: 35, theme: dark, readOnly: true, scrub: scrubbingIn(t, state, dir)})
	d.press("6")
	d.sees("1 value in 1 place")
	d.press("space", "a")
	d.lacks("This cannot be undone")
	none := start(t, setup{dir: dir, w: 120, h: 35, theme: dark})
	none.press("6")
	none.sees("not looked for here")
}
