package tui

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/discover"
	"memcurator/memstore/journal"
	"memcurator/memstore/load"
	"memcurator/memstore/policy"
	"memcurator/memstore/transfer"
	"memcurator/tui/transfers"
)

// neighbor is a machine with another store beside the open one.
func neighbor(t *testing.T, dir string, f discover.Found) *transfers.Machine {
	t.Helper()
	state, rules := t.TempDir(), rulesOf(t, setup{dir: dir, rules: "preset = \"claude-code\"\n"})
	m := &transfers.Machine{
		Title:  func(string) string { return "~/other" },
		Stores: func(context.Context) ([]discover.Found, error) { return []discover.Found{f}, nil },
		Open: func(ctx context.Context, path string, edits bool) (transfer.Place, func(), error) {
			b, err := memstore.OpenDir(path, memstore.DirOptions{})
			if err != nil {
				return transfer.Place{}, nil, err
			}
			p := transfer.Place{Path: path, Title: "~/other", Policy: policy.New(rules), Store: memstore.New(b, memstore.Options{ReadOnly: true}),
				Load: load.Source{Limits: policy.NewEnforcer(b, rules).Loaded}}
			if !edits {
				return p, func() { _ = b.Close() }, nil
			}
			at := filepath.Join(state, filepath.Base(path))
			if err := os.MkdirAll(at, 0o700); err != nil {
				return p, nil, err
			}
			j, err := journal.Open(at, journal.Options{Backend: b, Process: "test"})
			if err != nil {
				return p, nil, err
			}
			if _, err := j.Reconcile(ctx, nil); err != nil {
				return p, nil, err
			}
			p.Record, p.Store = j, memstore.New(b, memstore.Options{Recorders: []memstore.Recorder{j}})
			return p, func() {
				_ = j.Close()
				_ = b.Close()
			}, nil
		},
	}
	m.Recorded = func(ctx context.Context, at string) (transfer.Place, func(), error) {
		if home, _ := os.UserHomeDir(); at == filepath.Join(home, "other") { // its title
			at = f.Path
		}
		return m.Open(ctx, at, true)
	}
	return m
}

// TestMoveToAnotherStore: the user chooses a store, sees the plan, decides the conflict with both texts in view, and one key undoes both halves.
func TestMoveToAnotherStore(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"a.md": "# A\n", "b.md": "1\nmine\n3\n"})
	other := files(t, map[string]string{"b.md": "1\ntheirs\n3\n"})
	text := func(dir, name string) string {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return "-"
		}
		return string(data)
	}
	d := start(t, setup{dir: dir, w: 110, h: 30, theme: dark, journal: t.TempDir(), machine: neighbor(t, other,
		discover.Found{Path: other, Dir: other, Kind: discover.KindDir, Agent: "Codex", Project: "/home/ann/ferry", Files: 1})})
	move := func() {
		t.Helper()
		d.until("the tree lists both", func() bool { // it may hear of an undo after the message
			return d.browse().Files.Node("/memories/a.md") != nil && d.browse().Files.Node("/memories/b.md") != nil
		})
		d.press("ctrl+a")
		d.command("move-to")
		d.sees("Move to which store?")
		d.press("enter")
		d.sees("Move 2 notes to ~/other (Codex)?")
	}
	move()
	d.golden("transfer-question-110x30")
	d.press("y")
	d.sees("Move: 1 conflict in b.md, current against incoming")
	d.golden("transfer-conflict-110x30")
	d.press("o")
	d.sees("Moved 2 notes (13B) to ~/other (Codex). u undoes")
	if text(other, "a.md") != "# A\n" || text(other, "b.md") != "1\nmine\n3\n" || text(dir, "a.md")+text(dir, "b.md") != "--" {
		t.Errorf("%q %q", text(other, "b.md"), text(dir, "b.md"))
	}
	for range 2 {
		d.press("u")
		d.sees("Undid the move of 2 notes to ~/other. ctrl+r redoes")
		if text(other, "a.md") != "-" || text(other, "b.md") != "1\ntheirs\n3\n" || text(dir, "a.md") != "# A\n" || text(dir, "b.md") != "1\nmine\n3\n" {
			t.Errorf("after the undo: %q %q", text(other, "b.md"), text(dir, "b.md"))
		}
		d.press("ctrl+r")
		d.sees("Redid the move of 2 notes to ~/other. u undoes")
		if text(other, "b.md") != "1\nmine\n3\n" || text(dir, "a.md") != "-" {
			t.Errorf("after the redo: %q %q", text(other, "b.md"), text(dir, "a.md"))
		}
	}
	d.press("u")
	d.sees("Undid the move of 2 notes")
	move()
	d.press("y")
	d.sees("Move: 1 conflict in b.md")
	d.press("?")
	d.sees("? does nothing here. esc closes")
	d.press("c")
	d.sees("Moved 1 note (4B) to ~/other (Codex); 1 skipped, b.md: it has other text there. u undoes")
	if text(other, "b.md") != "1\ntheirs\n3\n" || text(dir, "b.md") != "1\nmine\n3\n" {
		t.Errorf("the skipped note changed: %q %q", text(other, "b.md"), text(dir, "b.md"))
	}
}

// TestAConflictCancelsTheWholeMove: esc and q at a conflict change nothing.
func TestAConflictCancelsTheWholeMove(t *testing.T) {
	t.Parallel()
	dir := files(t, map[string]string{"a.md": "mine\n", "b.md": "mine\n", "c.md": "# C\n"})
	other := files(t, map[string]string{"a.md": "theirs\n", "b.md": "theirs\n"})
	d := start(t, setup{dir: dir, w: 110, h: 30, theme: dark, journal: t.TempDir(), machine: neighbor(t, other,
		discover.Found{Path: other, Dir: other, Kind: discover.KindDir, Agent: "Codex", Files: 2})})
	same := func() {
		t.Helper()
		for name, want := range map[string]string{
			filepath.Join(dir, "a.md"): "mine\n", filepath.Join(dir, "b.md"): "mine\n", filepath.Join(dir, "c.md"): "# C\n",
			filepath.Join(other, "a.md"): "theirs\n", filepath.Join(other, "b.md"): "theirs\n",
		} {
			if data, err := os.ReadFile(name); err != nil || string(data) != want {
				t.Errorf("%s: %q %v", name, data, err)
			}
		}
	}
	move := func() {
		t.Helper()
		d.press("ctrl+a")
		d.command("move-to")
		d.sees("Move to which store?")
		d.press("enter")
		d.sees("Move 3 notes to user (Codex)?")
		d.press("y")
		d.sees("Move 1 of 2: 1 conflict in a.md")
	}
	for _, key := range []string{"q", "esc"} {
		move()
		d.press(key)
		d.sees("Canceled the move. Nothing changed")
		same()
		d.press("esc")
	}
	move()
	d.press("o")
	d.sees("Move 2 of 2: 1 conflict in b.md")
	d.press("q")
	d.sees("Canceled the move. Nothing changed")
	same()
	if _, err := os.Lstat(filepath.Join(other, "c.md")); err == nil {
		t.Error("c.md was moved")
	}
}

// TestAddFolderToTheStores: c adds a folder to the configuration after its diff, and undo removes it.
func TestAddFolderToTheStores(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	dir, file := filepath.Join(home, "notes"), filepath.Join(home, "config.toml")
	const before = "[discover]\npaths = [\"/a\"]\n"
	for name, data := range map[string]string{file: before, filepath.Join(home, "note.md"): "x"} {
		if err := os.WriteFile(name, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	stores := listed()
	stores.Config = ConfigPlace{File: file, Home: home}
	d := start(t, setup{dir: files(t, map[string]string{"x.md": "x\n"}), w: 110, h: 30, theme: dark, journal: t.TempDir(), stores: stores})
	holds := func(text string) func() bool {
		return func() bool {
			data, err := os.ReadFile(file)
			return err == nil && string(data) == text && !d.busy()
		}
	}
	d.press("0")
	for typed, want := range map[string]string{
		"~/gone": "Can't add ~/gone: no such folder", "~/note.md": "Can't add ~/note.md: no such folder", "/a": "Can't add /a: no such folder",
	} {
		d.command("add-folder " + typed)
		d.sees(want)
	}
	d.press("c")
	d.types("~/no")
	d.press("tab", "enter")
	d.sees("Add ~/notes to the stores?")
	d.sees("+ [stores.notes]")
	d.sees(`+ dir = "~/notes"`)
	d.press("y")
	d.sees("Added ~/notes at config.toml:4. u undoes")
	d.until("written", holds("[discover]\npaths = [\"/a\"]\n\n[stores.notes]\ndir = \"~/notes\"\n"))
	d.command("add-folder " + dir)
	d.sees("The configuration lists ~/notes already")
	d.press("u")
	d.until("undone", holds(before))
}

// TestUndoOfAMoveAfterARestart: the undo asks, and reaches both stores. Without the other one it undoes what it can, and the next undo
// finishes.
func TestUndoOfAMoveAfterARestart(t *testing.T) {
	t.Parallel()
	dir, other, state := files(t, map[string]string{"a.md": "# A\n"}), files(t, map[string]string{"b.md": "b\n"}), t.TempDir()
	m := neighbor(t, other, discover.Found{Path: other, Dir: other, Kind: discover.KindDir, Agent: "Codex", Files: 1})
	m.Title = func(path string) string { return path }
	open := m.Open
	m.Open = func(ctx context.Context, path string, edits bool) (transfer.Place, func(), error) {
		p, done, err := open(ctx, path, edits)
		p.Title = path
		return p, done, err
	}
	d := start(t, setup{dir: dir, w: 200, h: 30, theme: dark, journal: state, machine: m})
	d.press("ctrl+a")
	d.command("move-to")
	d.sees("Move to which store?")
	d.press("enter")
	d.sees("Move 1 note to ")
	d.press("y")
	d.sees("Moved 1 note (4B) to ")
	d.leaves()
	d = start(t, setup{dir: dir, w: 200, h: 30, theme: dark, journal: state, machine: m, late: time.Hour})
	d.press("u")
	d.sees("Undo the move of a.md from ")
	d.sees("delete   a.md in " + other)
	d.press("y")
	d.sees("Undid the move of a.md. ctrl+r redoes")
	has := func(in, want string) {
		t.Helper()
		if data, _ := os.ReadFile(filepath.Join(in, "a.md")); string(data) != want {
			t.Errorf("%s has %q, want %q", in, data, want)
		}
	}
	has(dir, "# A\n")
	has(other, "")
	d.press("ctrl+r")
	d.sees("Redid the move of a.md")
	has(dir, "")
	has(other, "# A\n")
	gone := other + ".gone"
	if err := os.Rename(other, gone); err != nil {
		t.Fatal(err)
	}
	d.press("u")
	d.sees("Not undone in " + other + ": it is gone")
	d.press("y")
	d.sees("u finishes later")
	has(dir, "# A\n")
	has(gone, "# A\n")
	d.press("u")
	d.sees("Nothing to undo")
	if err := os.Rename(gone, other); err != nil {
		t.Fatal(err)
	}
	d.press("u")
	d.sees("delete   a.md in " + other)
	d.press("y")
	d.until("undone", func() bool {
		_, err := os.Stat(filepath.Join(other, "a.md"))
		return os.IsNotExist(err)
	})
}
