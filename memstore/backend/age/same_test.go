package age_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"strings"
	"testing"

	"memcurator/memstore"
)

var (
	usual = []string{"/memories/a", "/memories/b", "/memories/d/a", "/memories/d/b.md", "/memories/notes.txt"}
	rare  = []string{
		"/memories", "/memories/", "/memories/d", "/memories/d/", "/memories//d/./b", "/memories/d/e/f", "/memories/d/e",
		"/memories/.h", "/memories/.h/a", "/memories/node_modules/x", "/memories/a/below", "/memories/a/below/deep",
		"/memories/é", "/memories/メモ/日本.md", "/memories/with space", "/memories/A", "/memories/a.", "/memories/-",
		"/memories/../a", "/memories/%2e%2e/a", "/memories_evil", "/memories/a\x00b", "", "a", "/memories/memcurator.agestore",
		"/memories/" + strings.Repeat("n", 160), "/memories/d/" + strings.Repeat("é", 80),
		"/memories/" + strings.Repeat("n", 256), "/memories/new/" + strings.Repeat("n", 300) + "/x",
		"/memories/a/" + strings.Repeat("n", 300), "/memories/d/" + strings.Repeat("n", 300) + "/x",
	}
	texts = []string{
		"", "\n", "a", "a\n", "a\nb\n", "a\nb\nc\nd\ne\nf\n", "a a\n", "x\r\ny\r\n", "$& $1", "日本語\n", "no end", "b",
		strings.Repeat("line\n", 1<<14), strings.Repeat("x", 1<<16), strings.Repeat("x", 1<<16+1),
	}
)

func randomCommand(r *rand.Rand) memstore.Command {
	p := func() string {
		if r.IntN(3) > 0 {
			return usual[r.IntN(len(usual))]
		}
		return rare[r.IntN(len(rare))]
	}
	text := func() string { return texts[r.IntN(len(texts))] }
	switch r.IntN(8) {
	case 0:
		return memstore.Command{Name: memstore.CmdView, Path: p()}
	case 1:
		return memstore.Command{Name: memstore.CmdView, Path: p(), ViewRange: []int{r.IntN(9) - 3, r.IntN(9) - 3}}
	case 2, 3:
		return memstore.Command{Name: memstore.CmdCreate, Path: p(), FileText: text()}
	case 4:
		return memstore.Command{Name: memstore.CmdStrReplace, Path: p(), OldStr: text(), NewStr: text()}
	case 5:
		return memstore.Command{Name: memstore.CmdInsert, Path: p(), InsertLine: r.IntN(9) - 1, InsertText: text()}
	case 6:
		return memstore.Command{Name: memstore.CmdDelete, Path: p()}
	default:
		return memstore.Command{Name: memstore.CmdRename, OldPath: p(), NewPath: p()}
	}
}

// Random commands give the same results and trees as the store in memory, in every
// dialect; a command that fails changes nothing, a preview tells the truth, a streamed view has the same bytes.
func TestSameAsMemory(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("modes and some names of this test are those of Unix")
	}
	ctx := context.Background()
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 4))
		d, _ := newDir(t)
		o := memstore.Options{Overwrite: seed%5 == 4, Workers: int(seed % 4), MaxViewChars: int(seed/3%3) * 60}
		o.DirSize = 4096 // file systems differ in what they say of a directory
		dialects := memstore.Dialects()
		o.Dialect = dialects[seed%uint64(len(dialects))]
		if seed%2 == 1 {
			o.Recorders = []memstore.Recorder{changes(func(e *memstore.Edit) {
				for _, c := range e.Changes {
					if c.Before != nil {
						if _, err := c.Before.Bytes(); err != nil {
							t.Error(err)
						}
					}
				}
			})}
		}
		sealed, plain := memstore.New(d, o), memstore.New(memstore.NewMemory(), o)
		before := ""
		for step := range 50 {
			c := randomCommand(r)
			shown, _ := sealed.Preview(ctx, c)
			got, want := sealed.Do(ctx, c), plain.Do(ctx, c)
			fail := func(what string) {
				t.Helper()
				t.Fatalf("seed %d step %d %.300v: %s\ngot     %.300q %v\nmemory  %.300q %v\npreview %.300q\nbefore\n%.2000s",
					seed, step, c, what, got.Content, got.Err, want.Content, want.Err, shown.Content, before)
			}
			mine, memory := tree(t, d), tree(t, plain.Backend())
			switch {
			case got.Content != want.Content || got.IsError != want.IsError:
				fail("results differ")
			case shown.Content != got.Content || shown.IsError != got.IsError:
				fail("the preview said otherwise")
			case mine != memory:
				fail(firstDifference(mine, memory))
			case got.IsError && mine != before && o.Dialect == memstore.Docs: // commands of the SDKs may leave folders behind
				fail("an error changed the tree: " + firstDifference(mine, before))
			case strings.Contains(got.Content, d.DiskPath()):
				fail("the result names the disk")
			}
			before = mine
		}
	}
}

// firstDifference names the first line in which two trees differ.
func firstDifference(got, want string) string {
	a, b := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("trees differ: %.300s\nwant %.300s", a[i], b[i])
		}
	}
	return fmt.Sprintf("trees differ: %d lines, want %d", len(a), len(b))
}

// changes is a recorder that is a function.
type changes func(*memstore.Edit)

func (c changes) Begin(_ context.Context, e *memstore.Edit) (func(error), error) {
	c(e)
	return func(error) {}, nil
}
