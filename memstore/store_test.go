package memstore

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/memstore/backend"
	"memcurator/memstore/memtest"
)

const (
	fileHead = "Here's the content of %s with line numbers:\n"
	snippet  = "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n"
)

// storeOf makes a store in memory from names and texts; a name that ends in a slash is a directory.
func storeOf(t testing.TB, o Options, files ...string) *Store {
	t.Helper()
	return withFiles(t, New(NewMemory(), o), files...)
}

// linkedStore is a store on the disk, for a store in memory has no links, with links by name.
func linkedStore(t testing.TB, o Options, links map[string]string, files ...string) *Store {
	t.Helper()
	dir := memtest.TempDir(t)
	s, err := Open(dir, o)
	must(t, err)
	t.Cleanup(func() { _ = s.Close() })
	withFiles(t, s, files...)
	for name, to := range links {
		at := filepath.Join(dir, filepath.FromSlash(name))
		must(t, os.MkdirAll(filepath.Dir(at), 0o700))
		if err := os.Symlink(to, at); err != nil {
			t.Skip("no links here:", err)
		}
	}
	return s
}

// withFiles makes files by pairs of name and text, and folders by names that end in a slash.
func withFiles(t testing.TB, s *Store, files ...string) *Store {
	t.Helper()
	for i := 0; i < len(files); i += 2 {
		if dir, ok := strings.CutSuffix(files[i], "/"); ok {
			must(t, s.backend.Create(dir+"/x", nil))
			must(t, s.backend.Remove(dir+"/x"))
			continue
		}
		must(t, s.backend.Create(files[i], []byte(files[i+1])))
	}
	return s
}

func textOf(t testing.TB, s *Store, name string) string {
	t.Helper()
	data, err := backend.ReadFile(s.backend, name, backend.Look, MaxFile)
	must(t, err)
	return string(data)
}

func view(path string, viewRange ...int) Command {
	return Command{Name: CmdView, Path: path, ViewRange: viewRange}
}

func create(path, text string) Command {
	return Command{Name: CmdCreate, Path: path, FileText: text}
}

func replace(path, old, new string) Command {
	return Command{Name: CmdStrReplace, Path: path, OldStr: old, NewStr: new}
}

func insert(path string, line int, text string) Command {
	return Command{Name: CmdInsert, Path: path, InsertLine: line, InsertText: text}
}

func remove(path string) Command { return Command{Name: CmdDelete, Path: path} }

func move(from, to string) Command { return Command{Name: CmdRename, OldPath: from, NewPath: to} }

// Ranges of files with every kind of end, and with lines of several lengths.
func TestViewRanges(t *testing.T) {
	ctx := t.Context()
	for _, end := range []string{"", "\n", "\n\n", "x"} {
		for _, line := range []string{"", "aé", strings.Repeat("long ", 60_000)} {
			text := strings.Repeat(line+"\n", 9) + end
			s := storeOf(t, Options{}, "f", text)
			rows := strings.Split(text, "\n")
			n := len(rows)
			for i, row := range rows {
				rows[i] = fmt.Sprintf("%6d\t%s", i+1, row)
			}
			for _, p := range [][2]int{{1, n}, {2, n - 1}, {n / 2, n/2 + 1}, {n, n}, {n - 1, n + 5}, {n + 1, n + 2}} {
				want := fmt.Sprintf(fileHead, "/memories/f")
				if p[0] <= n {
					want += strings.Join(rows[p[0]-1:min(p[1], n)], "\n")
				}
				if got := s.View(ctx, "/memories/f", p[:]).Content; got != want {
					t.Fatalf("line of %d bytes, end %q, rows %v of %d: differ", len(line), end, p, n)
				}
			}
		}
	}
}
