package memstore

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"memcurator/memstore/backend"
)

const (
	fileHead = "Here's the content of %s with line numbers:\n"
	snippet  = "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n"
)

// storeOf makes a store in memory from names and texts; a name that ends in a slash is a directory.
func storeOf(t testing.TB, o Options, files ...string) *Store {
	t.Helper()
	s := New(NewMemory(), o)
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

// special puts a FIFO into a store in memory.
func special(t testing.TB, s *Store, name string) {
	t.Helper()
	must(t, s.backend.(*Memory).Special(name))
}

func textOf(t testing.TB, s *Store, name string) string {
	t.Helper()
	data, err := backend.ReadFile(s.backend, name, backend.Look, editLimit)
	must(t, err)
	return string(data)
}

func view(path string, viewRange ...int) Command {
	return Command{Name: CmdView, Path: path, ViewRange: viewRange}
}

// Files of many chunks: lines and runes across the borders of chunks, ranges
// that begin and end there, against the plain way to do it.
func TestDocsViewChunks(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	for _, line := range []string{"", "x", "日本語テキスト", strings.Repeat("long ", 60_000), strings.Repeat("é", chunkSize/2-1) + "\n界",
		strings.Repeat("a", chunkSize-rowPrefix)} {
		for _, end := range []string{"", "\n", "\nend"} {
			lines := slices.Repeat([]string{line}, max(3, min(400_000, 700_000/(len(line)+1))))
			text := strings.Join(lines, "\n") + end
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
				var streamed strings.Builder
				must(t, s.ViewTo(ctx, &streamed, view("/memories/f", p[0], p[1])))
				if got := s.View(ctx, "/memories/f", p[:]).Content; got != want || streamed.String() != got {
					t.Fatalf("line of %d bytes, end %q, rows %v of %d: differ", len(line), end, p, n)
				}
			}
		}
	}
	// A rune that lacks its last byte, at every place around a border.
	for off := range 6 {
		bad := strings.Repeat("a", chunkSize-off) + "\xe7\x95" + strings.Repeat("b", 20)
		if r := storeOf(t, Options{}, "f", bad).View(ctx, "/memories/f", nil); !errors.Is(r.Err, ErrNotText) {
			t.Errorf("bad rune %d bytes before the border: %v", off, r.Err)
		}
	}
}
