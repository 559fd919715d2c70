package tui

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/discover"
	"memcurator/memstore/findings"
	"memcurator/memstore/memtest"
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
	memory, err := findings.OpenState(state)
	if err != nil {
		t.Fatal(err)
	}
	return &Scrubbing{
		Engine: func() *scrub.Engine { e, _ := scrub.New(scrub.Options{}); return e }, State: memory, StateDir: state, Dir: dir,
		Machine: discover.Local(t.TempDir(), nil),
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
	written := time.Date(2026, 10, 2, 10, 0, 0, 0, time.UTC)
	for _, name := range []string{"ops.md", "people/a.md", "日本.md"} {
		if err := os.Chtimes(filepath.Join(dir, name), written, written); err != nil {
			t.Fatal(err)
		}
	}
	d := start(t, setup{dir: dir, w: w, h: h, theme: th, journal: state, scrub: scrubbingIn(t, state, dir)})
	d.press("6")
	d.sees("2 values")
	return d
}

func TestSecretsAreMaskedUntilAskedFor(t *testing.T) {
	t.Parallel()
	d := secretive(t, 120, 35, dark)
	d.sees("GitHub token")
	d.lacks(hiddenToken)
	d.lacks(hiddenPassword)
	d.golden("secrets-120x35")
	d.press("l", "j")
	d.sees("REDACTED:github-token")
	d.sees("The Grafana password is ••••.") // nor does the preview show the value beside it
	d.lacks(hiddenToken)
	d.lacks(hiddenPassword)
	d.golden("secrets-places-120x35")
	d.press("j", "enter")
	d.sees("redaction preview people/a.md:1")
	if d.m.stage.focus != onDetail {
		t.Error("enter does not go to the preview")
	}
	d.press("enter")
	d.sees("people/a.md")
	if d.m.stage.focus != onDetail || d.browse().View.Path() != "/memories/people/a.md" {
		t.Errorf("enter shows %s", d.browse().View.Path())
	}
	if !strings.Contains(d.screen(), "◆") {
		t.Error("the tree does not mark the files")
	}
	d.press("6", "esc", "g", "j", "enter", "enter")
	d.sees("GitHub token: ")
	if line, ok := d.browse().View.Line(); !ok || line != 3 || d.browse().View.Path() != "/memories/ops.md" {
		t.Errorf("enter shows line %d of %s", line, d.browse().View.Path())
	}
}

func TestSecretsFitEveryScreen(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{80, 24}, {40, 12}} {
		d := secretive(t, size[0], size[1], theme.Options{Name: theme.Mono, ASCII: true})
		d.golden(fmt.Sprintf("secrets-%dx%d", size[0], size[1]))
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
	d.press("f")
	d.types("no such value")
	d.press("enter", "a")
	d.sees("Nothing selected")
	d.press("esc")
	d.press("space", "a")
	d.sees("Redact 1 selected value?")
	d.golden("secrets-question-120x35")
	d.press("f")
	d.sees("Redacted 1 value in 2 files. u undoes; older versions keep the value")
	d.sees("2 values, 2 places, 3 in older versions")
	for _, size := range screenSizes {
		d.resize(size.w, size.h)
		d.sees("was in ops.md:3")
	}
	d.resize(120, 35)
	if n := memtest.FilesHolding(t, hiddenToken, d.dir); n != 0 {
		t.Errorf("%d files still hold the token", n)
	}
	if n := memtest.FilesHolding(t, hiddenPassword, d.dir); n != 2 {
		t.Errorf("%d files hold the password, which was not selected", n)
	}
	d.press("u")
	d.sees(": rewrote 2 files. ctrl+r redoes")
	d.sees("2 values, 4 places")
	if n := memtest.FilesHolding(t, hiddenToken, d.dir); n != 2 {
		t.Errorf("the undo restored %d files", n)
	}
}

// A purge can't be undone, so u after it must not silently undo what the user did before.
func TestUndoAfterAPurgeAsks(t *testing.T) {
	t.Parallel()
	d := secretive(t, 120, 35, dark)
	d.chooses("/memories/people/a.md")
	d.press("d", "y")
	d.absent("people/a.md")
	now := d.m.env.Now
	d.m.env.Now = func() time.Time { return now().Add(time.Minute) }
	d.press("6", "ctrl+a", "a", "p")
	d.types("purge")
	d.press("enter")
	d.sees("Purged 2 values. Searched")
	d.press("esc", "u")
	d.sees("Undo ")
	d.sees("[n/esc/q] Cancel")
	d.absent("people/a.md")
}

func TestPurgeFromTheScreen(t *testing.T) {
	t.Parallel()
	d := secretive(t, 120, 35, dark)
	d.press("ctrl+a", "a", "p")
	d.sees("This cannot be undone")
	d.golden("secrets-purge-120x35")
	d.press("enter", "y") // the word is not typed
	d.sees("Type purge first")
	d.press("esc")
	if n := memtest.FilesHolding(t, hiddenToken, d.dir); n != 2 {
		t.Error("it was purged without the word")
	}
	d.press("a", "p")
	d.types("purge")
	d.press("enter")
	d.sees("Purged 2 values. Searched")
	d.sees("No secrets in")
	d.press("1", "tab", "tab", "enter") // no change of this run shows what was there before
	d.lacks(hiddenToken)
	d.press("esc", "esc", "2", "enter")
	d.lacks(hiddenToken)
	d.press("1", "u")
	if n := memtest.FilesHolding(t, hiddenToken, d.dir, d.m.options.Scrub.StateDir) + memtest.FilesHolding(t, hiddenPassword, d.dir, d.m.options.Scrub.StateDir); n != 0 {
		t.Errorf("%d files still hold a value", n)
	}
	d.lacks("◆")

	// A transcript still has a value. No tab shows it, and it comes back only after a question.
	chat := filepath.Join(t.TempDir(), "s1.jsonl")
	input := fmt.Sprintf(`{"command":"create","path":"/memories/back.md","file_text":"The Grafana password is %s.\n"}`, hiddenPassword)
	writeText(t, chat, told(t, []spoken{{input: input, result: "File created successfully at: /memories/back.md"}}, 0))
	d.command("replay " + filepath.ToSlash(chat))
	d.sees("1 call")
	d.sees("password is ••••")
	for range 3 {
		d.lacks(hiddenPassword)
		d.press("]")
	}
	d.press("R")
	d.sees("/memories/back.md gets a purged value back: password")
	d.lacks(hiddenPassword)
	d.press("y")
	d.sees("Restored")
	d.press("1", "u")
	d.absent("back.md")
	d.press("ctrl+r")
	d.sees("back.md gets a purged value back: password")
}

// Esc stops the work, and says so instead of leaving.
func TestEscStopsARemoval(t *testing.T) {
	t.Parallel()
	d := secretive(t, 120, 35, dark)
	d.press("ctrl+a", "a")
	d.take(keyPress("f"))
	d.take(keyPress("esc"))
	d.sees("Stopping after this file")
	d.rest()
	if d.m.env.Jobs.Busy() || !d.m.stage.shows(keymap.ScreenSecrets) {
		t.Error("the work has not ended, or the screen was left")
	}
}

func TestDismissedValuesDoNotCount(t *testing.T) {
	t.Parallel()
	d := secretive(t, 120, 35, dark)
	d.press("j", "D")
	d.sees(". H shows it; u undoes")
	d.sees("1 value, 2 places")
	d.sees("1 dismissed  (H shows them)")
	d.lacks(hiddenPassword) // in the preview of the other value in its file
	d.press("H", "G")
	d.sees("[-] critical")
	d.press("D")
	d.sees("No longer dismissed")
	d.sees("2 values, 4 places")
	d.press("u")
	d.sees("1 value, 2 places")
	d.press("1", "u", "6")
	d.sees("2 values, 4 places")
}

// A purge cannot be undone, so it leaves out what was selected on another screen, out of sight.
func TestSelectedFilesSelectNoSecrets(t *testing.T) {
	t.Parallel()
	d := secretive(t, 120, 35, dark)
	d.press("1")
	d.browse().Tree.Select("/memories/日本.md")
	d.press("space", "6")
	d.sees("2 values, 4 places")
	d.lacks("selected of")
}

// The agent writes a secret: the next scan, soon after it, says so.
func TestASecretIsReportedAsItIsWritten(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	dir := files(t, map[string]string{"a.md": "one\n"})
	d := start(t, setup{
		dir: dir, w: 120, h: 35, theme: dark, journal: state, scrub: scrubbingIn(t, state, dir),
	})
	d.press("6")
	d.sees("No secrets in 1 file")
	d.press("1")
	d.does(memstore.Command{Name: memstore.CmdCreate, Path: "/memories/log.md", FileText: "token: " + hiddenToken + "\n"})
	d.sees("Found 1 secret. Press 6 to review it")
	d.lacks(hiddenToken[:12])
	d.press("6")
	d.lacks("Press 6 to review it")
}

// The tree marks a file as soon as an edit leaves a secret in it, and unmarks it as soon as one removes it, whoever made the edit.
func TestTheMarkOfASecretFollowsEachEdit(t *testing.T) {
	t.Parallel()
	state := t.TempDir()
	dir := files(t, map[string]string{"a.md": "one\n"})
	d := start(t, setup{dir: dir, w: 120, h: 35, theme: dark, journal: state, scrub: scrubbingIn(t, state, dir)})
	marked := func(want bool) {
		t.Helper()
		d.until(fmt.Sprintf("mark: %v", want), func() bool { return strings.Contains(d.screen(), d.m.env.Styles.Glyphs.Sensitive) == want })
	}
	edit := func(from, to string) {
		t.Helper()
		d.does(memstore.Command{Name: memstore.CmdStrReplace, Path: "/memories/a.md", OldStr: from, NewStr: to})
	}
	edit("one", "token: "+hiddenToken)
	marked(true)
	edit("token: "+hiddenToken, "one")
	marked(false)
	edit("one", "token: "+hiddenToken)
	marked(true)
}
