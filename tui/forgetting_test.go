package tui

import (
	"context"
	"slices"
	"testing"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/findings"
	"memcurator/memstore/journal"
	"memcurator/memstore/memtest"
	"memcurator/memstore/past"
	"memcurator/memstore/scrub"
	"memcurator/tui/browse"
	"memcurator/tui/kit"
)

// lookedAround is a user interface that has shown a value in every tab and on every screen that shows texts.
func lookedAround(t *testing.T) (d *driver, state string, was []string) {
	t.Helper()
	state = t.TempDir()
	dir := files(t, map[string]string{"ops.md": "# Ops\n\nnothing yet\n", "clean.md": "one\ntwo\n"})
	d = start(t, setup{dir: dir, w: 120, h: 35, theme: dark, journal: state, state: state, scrub: scrubbingIn(t, state, dir)})
	was = []string{"# Ops\n\nGitHub token: " + hiddenToken + "\n", "# Ops\n\nGitHub token: " + hiddenToken + "\nmore\n"}
	d.does(memstore.Command{Name: memstore.CmdStrReplace, Path: "/memories/ops.md", OldStr: "nothing yet", NewStr: "GitHub token: " + hiddenToken})
	d.does(memstore.Command{Name: memstore.CmdInsert, Path: "/memories/ops.md", InsertLine: 3, InsertText: "more\n"})
	d.arrived(2)
	d.browse().Tree.Select("/memories/ops.md")
	d.run(d.browse().Select("/memories/ops.md", true))
	d.rest()
	d.finds(hiddenToken[:12])
	for _, tab := range []browse.TabName{browse.Diff, browse.Rendered, browse.Blame, browse.History, browse.View} {
		showTab(tab)(d)
	}
	d.press("/")
	d.types(hiddenToken)
	d.press("enter")
	for _, screen := range []string{"2", "5", "3", "1"} {
		d.press(screen)
	}
	showTab(browse.Diff)(d)
	d.press("*") // masked else
	d.sees(hiddenToken)
	return d, state, was
}

// Replay has texts of transcripts only, which a purge leaves as they are.
func TestEveryScreenOfTheStoreForgets(t *testing.T) {
	t.Parallel()
	d := start(t, setup{dir: store(t, "demo"), w: 80, h: 24, theme: dark, journal: t.TempDir()})
	for _, row := range d.m.stage.screens {
		if _, forgets := row.screen.(kit.Forgetter); !forgets && row.id != keymap.ScreenReplay {
			t.Errorf("a purge does not reach the screen %s: %T has no Forget() tea.Cmd", row.name, row.screen)
		}
	}
}

// lacksEverywhere goes through the tabs and screens again.
func (d *driver) lacksEverywhere(value string) {
	d.t.Helper()
	d.press("1")
	for _, tab := range []browse.TabName{browse.View, browse.Diff, browse.Rendered, browse.Blame, browse.History} {
		showTab(tab)(d)
		d.lacks(value)
		d.lacks(value[:12])
	}
	for _, screen := range []string{"2", "5", "3", "1"} {
		d.press(screen)
		d.lacks(value[:12])
		d.press("enter")
		d.lacks(value[:12])
		d.press("esc")
	}
	d.press(":", "up", "up")
	d.lacks(value[:12])
	d.press("esc")
	d.press("/", "up")
	d.lacks(value[:12])
	d.press("esc")
}

// noCopyOf fails where the record has the bytes of texts that were purged.
func (d *driver) noCopyOf(texts []string) {
	d.t.Helper()
	keeps := func(text string) bool {
		sum := memstore.Sum([]byte(text))
		_, err := d.m.options.Journal.Bytes(d.t.Context(), past.Side{Exists: true, Digest: sum})
		return err == nil
	}
	if slices.ContainsFunc(texts, keeps) {
		d.t.Error("the record has a copy of what was purged")
	}
	if !keeps("one\ntwo\n") {
		d.t.Error("the record lost a copy that was not purged")
	}
}

func TestAPurgeIsForgottenOnTheScreen(t *testing.T) {
	t.Parallel()
	d, state, was := lookedAround(t)
	d.press("esc", "esc", "1", "6")
	d.sees("1 value, ")
	d.press("ctrl+a", "a", "p")
	d.types("purge")
	d.press("enter")
	d.sees("no trace left")
	d.lacksEverywhere(hiddenToken)
	d.noCopyOf(was)
	d.m.saveLayout() // the remembered state is written again
	if n := memtest.FilesHolding(t, hiddenToken, d.dir, state); n != 0 {
		t.Errorf("%d files hold the value", n)
	}
}

// Another program purges while this one is idle.
func TestAPurgeOfAnotherProgramIsNoticed(t *testing.T) {
	t.Parallel()
	d, state, was := lookedAround(t)
	d.press("shift+tab") // the menu of copies
	purgeElsewhere(t, d.dir, state)
	d.sees(textPurgedElsewhere)
	if d.m.boxes.Len() != 0 {
		t.Error("a box is open still")
	}
	d.lacks(hiddenToken)
	d.press("2")
	d.sees("GitHub token: REDACTED:github-token") // the revision under the cursor is shown redacted
	d.lacksEverywhere(hiddenToken)
	d.noCopyOf(was)
	d.press("6")
	d.sees("No secrets in")
	d.press("1", "u")
	d.m.saveLayout()
	if n := memtest.FilesHolding(t, hiddenToken, d.dir, state); n != 0 {
		t.Errorf("%d files hold the value", n)
	}
	d.does(memstore.Command{Name: memstore.CmdCreate, Path: "/memories/new.md", FileText: "new\n"})
	d.sees("new.md")
}

// A journey into the past ends with a purge.
func TestAPurgeEndsWhatShowsTheTimeBefore(t *testing.T) {
	t.Parallel()
	d, state, _ := lookedAround(t)
	d.press("1")
	d.command("at 1")
	d.until("the journey has begun", func() bool { return d.m.browse.Away() })
	purgeElsewhere(t, d.dir, state)
	d.sees(textPurgedElsewhere)
	if d.m.browse.Away() {
		t.Error("the past is still on the screen")
	}
	d.lacks(hiddenToken)
}

// purgeElsewhere is a purge of everything by another program.
func purgeElsewhere(t *testing.T, dir, state string) {
	t.Helper()
	b, err := memstore.OpenDir(dir, memstore.DirOptions{})
	if err != nil {
		t.Fatal(err)
	}
	j, err := journal.Open(state, journal.Options{Backend: b, Process: "cli"})
	if err != nil {
		t.Fatal(err)
	}
	memory, err := findings.OpenState(state)
	if err != nil {
		t.Fatal(err)
	}
	e, _ := scrub.New(scrub.Options{})
	survey, err := findings.Scan(context.Background(), findings.Options{Engine: e, State: memory, Backend: b, Journal: j})
	if err != nil || len(survey.Secrets) == 0 {
		t.Fatalf("%v: %+v", err, survey)
	}
	s := &findings.Scrubber{Engine: e, State: memory, Journal: j, StateDir: state, Dir: dir,
		Store: memstore.New(b, memstore.Options{Origin: memstore.Origin{Actor: memstore.Curator}, Recorders: []memstore.Recorder{j}})}
	s.Accept(survey.Secrets)
	done, err := s.Purge(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range done.Left.Left {
		t.Errorf("left: %s (%s)", l.Where, l.Form)
	}
	if err := j.Close(); err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err != nil {
		t.Fatal(err)
	}
}
