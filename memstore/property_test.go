package memstore

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"memcurator/memstore/backend"
	"memcurator/memstore/memtest"
)

// twins are one store on two backends.
type twins struct {
	dir, mem *Store
	disk     string
}

func newTwins(t *testing.T, o Options) twins {
	t.Helper()
	disk := memtest.TempDir(t)
	dir, err := Open(disk, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { dir.Close() })
	return twins{dir: dir, mem: New(NewMemory(), o), disk: disk}
}

// storeTree writes out everything that a store holds: names, kinds, modes, bytes.
func storeTree(t *testing.T, s *Store) string {
	t.Helper()
	var b strings.Builder
	var walk func(name string)
	walk = func(name string) {
		list, err := s.backend.ReadDir(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range list {
			at := backend.JoinName(name, e.Name)
			fmt.Fprintf(&b, "%q %d ", at, e.Kind)
			switch e.Kind {
			case backend.KindFile:
				data, err := backend.ReadFile(s.backend, at, backend.Look, MaxFile)
				if err != nil {
					t.Fatal(err)
				}
				fmt.Fprintf(&b, "%o %q", e.Mode.Perm(), data)
			case backend.KindDir:
				fmt.Fprintf(&b, "%o", e.Mode.Perm())
			}
			b.WriteByte('\n')
			if e.Kind == backend.KindDir {
				walk(at)
			}
		}
	}
	walk(".")
	return b.String()
}

func (w twins) trees(t *testing.T) (dir, mem string) {
	t.Helper()
	return storeTree(t, w.dir), storeTree(t, w.mem)
}

var (
	somePaths = []string{
		"/memories", "/memories/", "/memories/a", "/memories/b", "/memories/d", "/memories/d/", "/memories/d/a",
		"/memories//d/./b", "/memories/d/e/f", "/memories/d/e", "/memories/.h", "/memories/.h/a",
		"/memories/node_modules/x", "/memories/toa", "/memories/tod", "/memories/tod/a", "/memories/tod/n/m",
		"/memories/out", "/memories/out/x", "/memories/gone", "/memories/gone/x",
		"/memories/loop", "/memories/loop/x", "/memories/é", "/memories/a%2fb", "/memories/%2e%2e/a",
		"/memories/../a", "/memories/..\\a", "/memories_evil", "/memories/a\x00b", "", "a",
		"/memories/d/up/b", "/memories/" + strings.Repeat("n", 256), "/memories/new/" + strings.Repeat("n", 300) + "/x",
		"/memories/a/below", "/memories/a/below/deep",
		"/memories/d/../a", "/memories/tod/../b", "/memories/../memories/a", "/memories/d/..",
		"/memories/gonedeep", "/memories/gonedeep/y", "/memories/p/q/r", "/memories/none/x", "/memories/tod/tod",
	}
	someTexts = []string{
		"", "\n", "a", "a\n", "a\nb\n", "a\nb\nc\nd\ne\nf\n", "a a\n", "aa\naaa\n", "x\r\ny\r\n", "$& $1 $$", "日本語\n",
		"no end", "\n\n", "b", "a\nb", "{p} {old}", "aa", "\r", "x\ry\n\n", "\u2028\v\u0085", "\ufeff",
	}
)

func randomCommand(r *rand.Rand) Command {
	// Every other path is an ordinary one, so that files get made, edited and moved about.
	path := func() string {
		if r.IntN(2) == 0 {
			return [...]string{"/memories/a", "/memories/b", "/memories/d/a", "/memories/toa", "/memories/tod/a"}[r.IntN(5)]
		}
		return somePaths[r.IntN(len(somePaths))]
	}
	text := func() string { return someTexts[r.IntN(len(someTexts))] }
	switch r.IntN(8) {
	case 0:
		return Command{Name: CmdView, Path: path()}
	case 1:
		list := make([]int, r.IntN(4))
		for i := range list {
			list[i] = r.IntN(9) - 3
		}
		return Command{Name: CmdView, Path: path(), ViewRange: list}
	case 2, 3:
		return Command{Name: CmdCreate, Path: path(), FileText: text()}
	case 4:
		return Command{Name: CmdStrReplace, Path: path(), OldStr: text(), NewStr: text()}
	case 5:
		return Command{Name: CmdInsert, Path: path(), InsertLine: r.IntN(9) - 1, InsertText: text()}
	case 6:
		return Command{Name: CmdDelete, Path: path()}
	default:
		return Command{Name: CmdRename, OldPath: path(), NewPath: path()}
	}
}

// Random commands give equal results and equal trees on both backends; a
// command that fails changes nothing; a preview says what the command then
// does; a streamed view has the same bytes.
func TestBackendsAgree(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("names of this test are those of Unix")
	}
	const rounds = 12
	ctx := context.Background()
	dialects := Dialects()
	for round := range rounds * len(dialects) {
		seed := uint64(round / len(dialects))
		r := rand.New(rand.NewPCG(seed, 7))
		// What a directory says of its own size is the file system's business.
		o := Options{Dialect: evenSized(dialects[round%len(dialects)]), Overwrite: seed%5 == 4,
			MaxViewChars: int(seed%3) * 60}
		var log watching
		if seed%2 == 1 {
			o.Recorders = []Recorder{&log}
		}
		w := newTwins(t, o)
		if err := w.mem.backend.Create("d/keep", nil); err != nil {
			t.Fatal(err)
		}
		if err := w.dir.backend.Create("d/keep", nil); err != nil {
			t.Fatal(err)
		}
		os.Chmod(filepath.Join(w.disk, "d"), 0o700)
		_, before := w.trees(t)
		for step := range 60 {
			c := randomCommand(r)
			shown, edit := w.dir.Preview(ctx, c)
			got, want := w.dir.Do(ctx, c), w.mem.Do(ctx, c)
			fail := func(what string) {
				t.Helper()
				t.Fatalf("%s seed %d step %d %+v: %s\ndir    %q %v\nmemory %q %v\npreview %q\nbefore\n%s",
					o.Dialect, seed, step, c, what, got.Content, got.Err, want.Content, want.Err, shown.Content, before)
			}
			dir, mem := w.trees(t)
			switch {
			case got.Content != want.Content || got.IsError != want.IsError:
				fail("results differ")
			case shown.Content != got.Content || shown.IsError != got.IsError:
				fail("the preview said otherwise")
			case got.IsError != (got.Err != nil) || got.IsError && c.Name != CmdView && edit != nil:
				fail("flags disagree")
			case dir != mem:
				fail("trees differ:\n" + dir + "\n" + mem)
			case got.IsError && dir != before:
				fail("an error changed the tree:\n" + dir)
			case strings.Contains(got.Content, w.disk):
				fail("the result names the disk")
			}
			before = dir
		}
		log.check(t)
	}
}

// watching is a recorder that checks that what it is told is what happens.
type watching struct{ begun, ended int }

func (w *watching) Begin(_ context.Context, e *Edit) (func(error), error) {
	w.begun++
	if len(e.Changes) == 0 {
		return nil, errors.New("an edit without changes")
	}
	return func(error) { w.ended++ }, nil
}

func (w *watching) check(t *testing.T) {
	t.Helper()
	if w.begun != w.ended {
		t.Errorf("%d edits begun, %d ended", w.begun, w.ended)
	}
}
