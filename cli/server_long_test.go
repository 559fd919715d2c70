package cli

import (
	"context"
	"io"
	"os"
	"strings"
	"testing"

	"memcurator/memstore"
)

// endless is a text of n bytes between a head and a tail, made while it is read.
type endless struct{ n int64 }

func (e *endless) Read(p []byte) (int, error) {
	if e.n == 0 {
		return 0, io.EOF
	}
	p = p[:min(int64(len(p)), e.n)]
	for i := range p {
		p[i] = 'x'
	}
	e.n -= int64(len(p))
	return len(p), nil
}

// A line that is too long is refused by its length, with the number of its block, and the next line is answered.
func TestExecRefusesALineThatIsTooLong(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	store, err := memstore.Open(dir, memstore.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	const size = memstore.MaxLine
	in := io.MultiReader(
		strings.NewReader(`{"type":"tool_use","id":"toolu_1","name":"memory","input":{"command":"create","path":"/memories/a","file_text":"`),
		&endless{size}, strings.NewReader("\"}}\n"+`{"command":"create","path":"/memories/c","file_text":"c"}`+"\n"))
	var out strings.Builder
	if err := newServer(store, &out).lines(context.Background(), in); err != nil {
		t.Fatal(err)
	}
	want := `{"type":"tool_result","tool_use_id":"toolu_1","content":"Error: The line is too long: it may have 269484032 bytes. ` +
		`Write a large text in several commands","is_error":true}` + "\n" +
		`{"content":"File created successfully at: /memories/c","is_error":false}` + "\n"
	if out.String() != want {
		t.Errorf("got  %q\nwant %q", out.String(), want)
	}
	list, err := os.ReadDir(dir)
	if err != nil || len(list) != 1 {
		t.Errorf("%v, %v", list, err)
	}
}
