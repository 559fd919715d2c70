package cli

import (
	"bytes"
	"encoding/json"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"memcurator/memstore"
	"memcurator/memstore/memtest"
)

// encoded is what encoding/json makes of an answer.
func encoded(t *testing.T, v any) string {
	t.Helper()
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestJSONTextIsThatOfTheStandardLibrary: whatever the bytes, and wherever writes end.
func TestJSONTextIsThatOfTheStandardLibrary(t *testing.T) {
	t.Parallel()
	pieces := []string{"a", "0123456789", "\"\\/", "\x00\x01\x1f\x7f", "\b\f\n\r\t", "<&>", "é", "\u2027\u2028\u2029\u202a", "€", "𝄞",
		"\ufffd",
		"\xff", "\xc3", "\xe2\x80", "\xf0\x9d\x84", "\x80\xa8", "\xed\xa0\x80", "\xc0\x80", strings.Repeat("x", jsonBlock-3)}
	random := rand.New(rand.NewPCG(1, 2))
	var j jsonText
	for range 500 {
		var text, out bytes.Buffer
		j.Reset(&out, []byte(`{"content":"`))
		for range random.IntN(60) {
			var write []byte
			for range random.IntN(4) {
				p := pieces[random.IntN(len(pieces)-1)]
				if random.IntN(40) == 0 {
					p = pieces[len(pieces)-1]
				}
				write = append(write, p[:1+random.IntN(len(p))]...)
			}
			text.Write(write)
			if n, err := j.Write(write); n != len(write) || err != nil {
				t.Fatal(n, err)
			}
		}
		if err := j.End(viewEnd); err != nil {
			t.Fatal(err)
		}
		if want := encoded(t, plainAnswer{Content: text.String()}); out.String() != want {
			t.Fatalf("of %q\ngot  %q\nwant %q", text.String(), out.String(), want)
		}
	}
}

func FuzzJSONText(f *testing.F) {
	f.Add([]byte("a\xe2\x80\xa8b"), 2)
	f.Fuzz(func(t *testing.T, text []byte, cut int) {
		cut = max(0, min(cut, len(text)))
		var out bytes.Buffer
		var j jsonText
		j.Reset(&out, []byte(`{"content":"`))
		for _, p := range [][]byte{text[:cut], text[cut:]} {
			if _, err := j.Write(p); err != nil {
				t.Fatal(err)
			}
		}
		if err := j.End(viewEnd); err != nil || out.String() != encoded(t, plainAnswer{Content: string(text)}) {
			t.Errorf("%q: %q, %v", text, out.String(), err)
		}
	})
}

// TestStreamedAnswersAreThoseOfTheWholeText: bare and as a block, with errors among them.
func TestStreamedAnswersAreThoseOfTheWholeText(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	memtest.WriteFiles(t, dir, map[string]string{
		"a.md": "<b> & é\u2028\x00\n", "empty": "", "long": strings.Repeat("é\t\"\\", jsonBlock) + "\n", "sub/x": "x",
		"bad": strings.Repeat("x", jsonBlock) + "\xff",
	})
	store, err := memstore.Open(dir, memstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	for _, path := range []string{"a.md", "empty", "long", "sub", "bad", "none", "../x"} {
		r := store.View(t.Context(), memstore.Root+"/"+path, nil)
		want := plainAnswer{Content: r.Content, IsError: r.IsError}
		input := `{"command":"view","path":"/memories/` + path + `"}`
		if got := answerToLine(t, store, input); got != encoded(t, want) {
			t.Errorf("%s: %.200q", path, got)
		}
		id := "<\u2028\">"
		block := blockAnswer{Type: typeToolResult, ToolUseID: id, plainAnswer: want}
		got := answerToLine(t, store, `{"type":"tool_use","id":`+strings.TrimSpace(encoded(t, id))+`,"name":"memory","input":`+input+`}`)
		if got != encoded(t, block) {
			t.Errorf("%s as a block: %.200q", path, got)
		}
	}
}

// TestALargeViewTakesLittleMemory: its JSON is six times as long as the file.
func TestALargeViewTakesLittleMemory(t *testing.T) {
	const size, most = 32 << 20, 8 << 20
	dir := t.TempDir()
	path := filepath.Join(dir, "zeros")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(path, size); err != nil {
		t.Fatal(err)
	}
	store, err := memstore.Open(dir, memstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	var out counter
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := newServer(store, &out).lines(t.Context(), strings.NewReader(`{"command":"view","path":"/memories/zeros"}`)); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if took := after.TotalAlloc - before.TotalAlloc; out < 6*size || took > most {
		t.Errorf("%d bytes took %d bytes of memory", out, took)
	}
}

type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// shrinking is a backend whose files lose their end once a writer has taken something.
type shrinking struct {
	memstore.Backend
	cut bool
}

type shrunk struct {
	memstore.File
	b *shrinking
}

func (b *shrinking) Open(name string, a memstore.Access) (memstore.File, error) {
	f, err := b.Backend.Open(name, a)
	return shrunk{f, b}, err
}

func (f shrunk) ReadAt(p []byte, off int64) (int, error) {
	if f.b.cut {
		return 0, io.EOF
	}
	return f.File.ReadAt(p, off)
}

func (b *shrinking) Write(p []byte) (int, error) {
	b.cut = true
	return len(p), nil
}

// TestAViewThatFailsInTheMiddle is still one valid line, and an error.
func TestAViewThatFailsInTheMiddle(t *testing.T) {
	t.Parallel()
	b := &shrinking{Backend: memstore.NewMemory()}
	if err := b.Create("big", bytes.Repeat([]byte("é\n"), 400_000)); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	s := newServer(memstore.New(b, memstore.Options{}), io.MultiWriter(b, &out))
	if err := s.lines(t.Context(), strings.NewReader(`{"command":"view","path":"/memories/big"}`)); err != nil {
		t.Fatal(err)
	}
	var answer plainAnswer
	if err := json.Unmarshal([]byte(out.String()), &answer); err != nil || strings.Count(out.String(), "\n") != 1 {
		t.Fatalf("%v: ...%q", err, out.String()[max(0, out.Len()-200):])
	}
	last := answer.Content[strings.LastIndexByte(answer.Content, '\n')+1:]
	if !answer.IsError || !strings.HasPrefix(last, errorPrefix+"The view ends here") || !utf8.ValidString(answer.Content) {
		t.Errorf("%v, %q", answer.IsError, last)
	}
}

// answerToLine is what the server prints for one line.
func answerToLine(t *testing.T, store *memstore.Store, line string) string {
	t.Helper()
	var out strings.Builder
	if err := newServer(store, &out).lines(t.Context(), strings.NewReader(line)); err != nil {
		t.Fatal(err)
	}
	return out.String()
}
