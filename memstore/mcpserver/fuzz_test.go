package mcpserver

import (
	"bytes"
	"context"
	"encoding/json"
	"testing"
	"time"

	"memcurator/memstore"
)

// Whatever a client sends, the server ends with its input and says nothing but messages.
func FuzzServe(f *testing.F) {
	for _, arguments := range wrongArguments {
		f.Add([]byte(call(1, arguments)))
	}
	for _, lines := range []string{
		call(1, `{"command":"create","path":"/memories/a","file_text":"a"}`) + call(1, `{"command":"view","path":"/memories/a"}`),
		`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"memory:///memories/\u0000"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"x"}}` + "\n" + `{"jsonrpc":"2.0","id":1,"method":"ping"}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call"}` + "\n" + `{"jsonrpc":"2.0","id":1.5,"method":"tools/call","params":null}`,
		`{"jsonrpc":"2.0","id":1,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["memory:///memories"]}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"memory_protocol","arguments":{"topic":"\n"}}}`,
		`{"jsonrpc":"2.0","id":1,"method":"completion/complete","params":{}}`,
		`{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"x"}}`,
		`{"jsonrpc":"2.0","id":1,"method":"initialize"}`,
		`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`,
		`{"jsonrpc":"2.0","id":9,"result":{}}`,
		`[]`, `{`, "\x00",
	} {
		f.Add([]byte(lines))
	}
	watch := func(func(Change)) error { return nil }
	f.Fuzz(func(t *testing.T, lines []byte) {
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		store := memstore.New(memstore.NewMemory(), memstore.Options{})
		var out bytes.Buffer
		if err := Serve(ctx, store, Options{Watch: watch}, bytes.NewReader(append([]byte(hello), lines...)), &out); err != nil {
			t.Fatalf("%v after %q", err, out.String())
		}
		for line := range bytes.Lines(out.Bytes()) {
			if !json.Valid(line) || line[len(line)-1] != '\n' {
				t.Errorf("a line that is not a message: %q", line)
			}
		}
	})
}
