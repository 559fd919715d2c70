package mcpserver

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"memcurator/memstore"
)

// hello are the first two lines of a client.
const hello = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},` +
	`"clientInfo":{"name":"lines","version":"1"}}}` + "\n" +
	`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"

// answer is one line of the server.
type answer struct {
	ID     any
	Method string
	Result *struct {
		IsError bool
		Content []struct{ Type, Text string }
	}
	Error *struct {
		Code    int
		Message string
	}
}

func (a answer) text() string {
	if a.Result == nil || len(a.Result.Content) != 1 {
		return ""
	}
	return a.Result.Content[0].Text
}

func call(id any, arguments string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%v,"method":"tools/call","params":{"name":"memory","arguments":%s}}`+"\n", id, arguments)
}

// serveLines runs a server on lines and returns its answers, without the one to the first line.
func serveLines(t *testing.T, store *memstore.Store, lines string) []answer {
	t.Helper()
	var out strings.Builder
	if err := Serve(t.Context(), store, Options{}, strings.NewReader(hello+lines), &out); err != nil {
		t.Fatal(err)
	}
	var answers []answer
	for line := range strings.Lines(out.String()) {
		answers = append(answers, decodeAnswer(t, line))
	}
	greeted := slices.IndexFunc(answers, func(a answer) bool { return a.ID == "hello" && a.Result != nil })
	if greeted < 0 {
		t.Fatalf("no handshake: %.200s", out.String())
	}
	return slices.Delete(answers, greeted, greeted+1)
}

func decodeAnswer(t *testing.T, line string) answer {
	t.Helper()
	var a answer
	if err := json.Unmarshal([]byte(line), &a); err != nil {
		t.Fatalf("%v: %.200q", err, line)
	}
	return a
}

// wrongArguments are arguments that no command can be made of.
var wrongArguments = []string{
	`null`, `[]`, `"view"`, `{}`, `{"command":7}`, `{"command":"look","path":"/memories"}`, `{"Command":"view","path":"/memories"}`,
	`{"command":"view"}`, `{"command":"view","path":["/memories"]}`, `{"command":"view","path":"/memories","view_range":"1-2"}`,
	`{"command":"view","path":"/memories\u0000"}`, `{"command":"view","path":"/memories/\ud800"}`,
	`{"command":"create","path":"/memories/x","file_text":{"a":1}}`, `{"command":"str_replace","path":"/memories/x"}`,
	`{"command":"insert","path":"/memories/x","insert_line":1e999,"insert_text":"a"}`, `{"command":"rename","path":"/memories/x"}`,
	"{\"command\":\"view\",\"path\":\"/memories/\xff\"}",
	strings.Repeat(`[`, 100) + strings.Repeat(`]`, 100),
}

func TestWrongArgumentsGetTheToolsSentence(t *testing.T) {
	served, twin := twins(memstore.Options{})
	var lines strings.Builder
	for i, arguments := range wrongArguments {
		lines.WriteString(call(i, arguments))
	}
	lines.WriteString(`{"jsonrpc":"2.0","id":"none","method":"tools/call","params":{"name":"memory"}}` + "\n")
	answers := serveLines(t, served, lines.String())
	if len(answers) != len(wrongArguments)+1 {
		t.Fatalf("%d answers to %d calls", len(answers), len(wrongArguments)+1)
	}
	for i, arguments := range append(wrongArguments, "") {
		id := any(float64(i))
		if arguments == "" {
			id = "none"
		}
		at := slices.IndexFunc(answers, func(a answer) bool { return a.ID == id })
		if at < 0 {
			t.Fatalf("no answer to %q", arguments)
		}
		want := twin.DoJSON(t.Context(), []byte(arguments))
		if a := answers[at]; a.Error != nil || a.Result == nil || a.Result.IsError != want.IsError || a.text() != want.Content {
			t.Errorf("%q: %+v, want %q", arguments, a, want.Content)
		}
		if !want.IsError && arguments != `{"command":"view","path":"/memories/\ud800"}` {
			t.Errorf("%q is accepted as input", arguments)
		}
	}
}

func TestCallsRunInTheOrderTheyWereSent(t *testing.T) {
	store, _ := twins(memstore.Options{})
	lines := call(1, `{"command":"create","path":"/memories/a","file_text":""}`)
	want := ""
	for i := range 200 {
		lines += call(i+2, fmt.Sprintf(`{"command":"insert","path":"/memories/a","insert_line":%d,"insert_text":"line %[1]d\n"}`, i))
		want += fmt.Sprintf("%6d\tline %d\n", i+1, i)
	}
	lines += call(202, `{"command":"view","path":"/memories/a"}`)
	answers := serveLines(t, store, lines)
	if len(answers) != 202 {
		t.Fatalf("%d answers", len(answers))
	}
	for i, a := range answers[:201] {
		if a.ID != float64(i+1) || a.Result == nil || a.Result.IsError {
			t.Fatalf("answer %d: %+v", i, a)
		}
	}
	if got := answers[201].text(); !strings.Contains(got, want) {
		t.Errorf("%.300q", got)
	}
}

// gate is a store whose first write waits until it is let through, or its context ends.
type gate struct {
	store    *memstore.Store
	entered  chan struct{}
	let      chan struct{}
	outcomes chan error
}

func newGate() *gate {
	g := &gate{entered: make(chan struct{}, 8), let: make(chan struct{}), outcomes: make(chan error, 8)}
	g.store = memstore.New(memstore.NewMemory(), memstore.Options{Guards: []memstore.Guard{{
		Check: func(ctx context.Context, _ *memstore.Edit) (string, error) {
			g.entered <- struct{}{}
			select {
			case <-g.let:
			case <-ctx.Done():
			}
			g.outcomes <- ctx.Err()
			return "", ctx.Err()
		},
	}}})
	return g
}

// client drives a server over pipes, line by line.
type client struct {
	t    *testing.T
	in   *io.PipeWriter
	out  *bufio.Reader
	done chan error
}

func startClient(t *testing.T, ctx context.Context, store *memstore.Store) *client {
	t.Helper()
	inRead, inWrite := io.Pipe()
	outRead, outWrite := io.Pipe()
	c := &client{t: t, in: inWrite, out: bufio.NewReader(outRead), done: make(chan error, 1)}
	go func() {
		c.done <- Serve(ctx, store, Options{}, inRead, outWrite)
		_ = outWrite.Close()
	}()
	t.Cleanup(func() { _, _, _ = inWrite.Close(), outRead.Close(), inRead.Close() })
	c.send(hello)
	c.receive()
	return c
}

func (c *client) send(lines string) {
	c.t.Helper()
	if _, err := io.WriteString(c.in, lines); err != nil {
		c.t.Fatal(err)
	}
}

func (c *client) receive() answer {
	c.t.Helper()
	line, err := c.out.ReadString('\n')
	if err != nil {
		c.t.Fatal(err)
	}
	return decodeAnswer(c.t, line)
}

const cancelled = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":%v}}` + "\n"

func TestCancellation(t *testing.T) {
	g := newGate()
	c := startClient(t, t.Context(), g.store)
	c.send(call(1, `{"command":"create","path":"/memories/a","file_text":"a"}`))
	<-g.entered
	c.send(`{"jsonrpc":"2.0","id":3,"method":"ping"}` + "\n")
	if a := c.receive(); a.ID != 3.0 {
		t.Errorf("a ping waits for a call: %+v", a)
	}
	c.send(fmt.Sprintf(cancelled, 77))
	c.send(fmt.Sprintf(cancelled, 1)) // under way
	if err := <-g.outcomes; !errors.Is(err, context.Canceled) {
		t.Errorf("the call under way was not canceled: %v", err)
	}
	c.send(call(4, `{"command":"view","path":"/memories"}`))
	for {
		a := c.receive()
		if a.ID == 4.0 {
			if strings.Contains(a.text(), "/memories/") {
				t.Errorf("a canceled call left something: %q", a.text())
			}
			break
		}
	}
	_ = c.in.Close()
	if err := <-c.done; err != nil {
		t.Error(err)
	}
}

func TestStopEndsAfterTheCallUnderWay(t *testing.T) {
	g := newGate()
	ctx, stop := context.WithCancel(t.Context())
	c := startClient(t, ctx, g.store)
	c.send(call(1, `{"command":"create","path":"/memories/a","file_text":"a"}`))
	<-g.entered
	stop()
	// The server takes note of the end before the call may go on.
	select {
	case err := <-c.done:
		t.Fatalf("the server ended under a call: %v", err)
	case g.let <- struct{}{}:
	}
	if a := c.receive(); a.ID != 1.0 || a.Result == nil || a.Result.IsError {
		t.Errorf("the call under way: %+v", a)
	}
	if rest, err := io.ReadAll(c.out); err != nil || len(rest) > 0 {
		t.Errorf("after it: %q, %v", rest, err)
	}
	if err := <-c.done; !errors.Is(err, ErrStopped) {
		t.Errorf("ended with %v", err)
	}
}
