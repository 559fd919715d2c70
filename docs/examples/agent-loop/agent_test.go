package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/anthropics/anthropic-sdk-go"
	"github.com/anthropics/anthropic-sdk-go/option"

	"memcurator/memstore"
)

var update = flag.Bool("update", false, "write the requests that the loop makes into testdata")

// exchange is one request of the loop and the answer of the API.
type exchange struct {
	Request  json.RawMessage `json:"request,omitempty"`
	Response json.RawMessage `json:"response"`
}

// fakeAPI plays the Messages API: it answers with the recorded responses, one after
// the other, and keeps what it was asked.
type fakeAPI struct {
	t         *testing.T
	exchanges []exchange
	asked     []json.RawMessage
}

func (f *fakeAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		f.t.Error(err)
	}
	if r.Method != http.MethodPost || r.URL.Path != "/v1/messages" {
		f.t.Errorf("%s %s", r.Method, r.URL)
	}
	betas := strings.Join(r.Header.Values("anthropic-beta"), ",")
	for _, want := range []string{"context-management-2025-06-27", "compact-2026-01-12"} {
		if !strings.Contains(betas, want) {
			f.t.Errorf("the request lacks the beta %s: %s", want, betas)
		}
	}
	n := len(f.asked)
	f.asked = append(f.asked, body)
	if n >= len(f.exchanges) {
		f.t.Errorf("request %d was not recorded: %s", n+1, body)
		http.Error(w, `{"type":"error","error":{"type":"invalid_request_error","message":"not recorded"}}`, http.StatusBadRequest)
		return
	}
	w.Header().Set("content-type", "application/json")
	if _, err := w.Write(f.exchanges[n].Response); err != nil {
		f.t.Error(err)
	}
}

// newAgent is an agent that talks to api and has the memory of a customer service.
func newAgent(t *testing.T, api *fakeAPI, log io.Writer) *Agent {
	t.Helper()
	server := httptest.NewServer(api)
	t.Cleanup(server.Close)
	tickets := t.TempDir()
	for id, text := range map[string]string{
		"1039": "My order 70 came broken.\n", "1040": "Where is order 71?\n", "1041": "", "1042": "My order 77 came broken. What now?\n",
	} {
		if err := os.WriteFile(filepath.Join(tickets, id+".txt"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	store, err := memstore.Open(t.TempDir(), memstore.Options{MaxViewChars: viewChars})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	if r := store.Create(context.Background(), "/memories/guidelines.md", "Be brief.\nBroken goods: replace, no return needed.\n"); r.IsError {
		t.Fatal(r.Content)
	}
	return &Agent{
		// Made without the client's defaults: nothing of the environment gets in.
		Messages: anthropic.NewBetaMessageService(option.WithBaseURL(server.URL), option.WithAPIKey("none"), option.WithMaxRetries(0)),
		Model:    anthropic.ModelClaudeSonnet5_5,
		Store:    store,
		Tools:    []Tool{readTicket(tickets)},
		Session:  "test",
		Log:      log,
	}
}

func canonical(t *testing.T, data []byte) string {
	t.Helper()
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	out, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// TestRecordedExchanges plays each conversation in testdata and compares every request,
// byte by byte once its JSON is written in one form.
func TestRecordedExchanges(t *testing.T) {
	for _, c := range []struct {
		file, task, answer, log, notes string
	}{
		{
			file: "ticket.json", task: "Help me respond to ticket 1042.",
			answer: "Dear customer, we are sending you a replacement for order 77 today. Please keep the broken one.",
			log: "memory: view /memories ok\n" +
				"memory: view /memories/guidelines.md ok\n" +
				"memory: str_replace /memories/tickets.md failed\n" +
				"context: 1 tool results cleared, 50000 tokens\n" +
				"memory: create /memories/tickets.md ok\n" +
				"context: compacted\n" +
				"memory: rename /memories/tickets.md to /memories/open_tickets.md ok\n",
			notes: "- 1042: order 77 broken, replacement promised\n",
		},
		{
			file: "pauses.json", task: "Go on.", answer: "Done.",
			log: "context: compacted\n",
		},
	} {
		t.Run(c.file, func(t *testing.T) {
			file := filepath.Join("testdata", c.file)
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			api := &fakeAPI{t: t}
			if err := json.Unmarshal(data, &api.exchanges); err != nil {
				t.Fatal(err)
			}
			var log bytes.Buffer
			agent := newAgent(t, api, &log)
			answer, err := agent.Run(context.Background(), c.task)
			if err != nil || answer != c.answer || log.String() != c.log {
				t.Errorf("answer %q, %v, log\n%s", answer, err, log.String())
			}
			if *update {
				write(t, file, api)
			}
			for i, e := range api.exchanges {
				if i >= len(api.asked) {
					t.Fatalf("%d requests of %d were made", i, len(api.exchanges))
				}
				if got, want := canonical(t, api.asked[i]), canonical(t, e.Request); got != want {
					t.Errorf("request %d\n%s\nwant\n%s", i+1, got, want)
				}
			}
			r := agent.Store.View(context.Background(), "/memories/open_tickets.md", []int{1, 1})
			if c.notes != "" && !strings.HasSuffix(r.Content+"\n", "\t"+c.notes) {
				t.Errorf("the memory afterwards: %q", r.Content)
			}
		})
	}
}

// write puts the requests that were made into the recording.
func write(t *testing.T, file string, api *fakeAPI) {
	t.Helper()
	for i := range api.exchanges {
		api.exchanges[i].Request = api.asked[i]
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(api.exchanges); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, out.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
}

// The requests say what the documentation advises beside the memory tool.
func TestContextEdits(t *testing.T) {
	data, err := json.Marshal((&Agent{}).request(nil).ContextManagement)
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"edits":[{"exclude_tools":["memory"],"keep":{"value":3,"type":"tool_uses"},` +
		`"trigger":{"value":100000,"type":"input_tokens"},"type":"clear_tool_uses_20250919"},{"type":"compact_20260112"}]}`
	if canonical(t, data) != canonical(t, []byte(want)) {
		t.Errorf("%s", data)
	}
}

func message(stop string, content string) exchange {
	return exchange{Response: json.RawMessage(`{"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-sonnet-5-5",
		"content": [` + content + `], "stop_reason": "` + stop + `", "stop_sequence": null, "usage": {"input_tokens": 1, "output_tokens": 1}}`)}
}

func TestRunEnds(t *testing.T) {
	call := func(name, input string) string {
		return `{"type": "tool_use", "id": "toolu_1", "name": "` + name + `", "input": ` + input + `}`
	}
	for _, c := range []struct {
		name      string
		exchanges []exchange
		problem   string // in the error, "" for none
		asked     string // in the last request
	}{
		{"cut off", []exchange{message("max_tokens", `{"type": "text", "text": "I"}`)}, "max_tokens", ""},
		{"refused", []exchange{message("refusal", "")}, "refusal", ""},
		{"never done", []exchange{message("tool_use", call("memory", `{"command": "view", "path": "/memories"}`)),
			message("tool_use", call("memory", `{"command": "view", "path": "/memories"}`))}, "last turn", ""},
		{"an unknown tool", []exchange{message("tool_use", call("bash", `{}`)), message("end_turn", "")}, "", "there is no tool bash"},
		{"a ticket that is not there", []exchange{message("tool_use", call("read_ticket", `{"id": "../1042"}`)), message("end_turn", "")},
			"", "there is no ticket"},
		{"a wrong memory input", []exchange{message("tool_use", call("memory", `{"command": "look"}`)), message("end_turn", "")}, "",
			`"is_error":true`},
		{"an error of the API", []exchange{{Response: json.RawMessage(`no JSON`)}}, "invalid", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			api := &fakeAPI{t: t, exchanges: c.exchanges}
			agent := newAgent(t, api, io.Discard)
			agent.MaxTurns = 2
			_, err := agent.Run(context.Background(), "task")
			if (err == nil) != (c.problem == "") || err != nil && !strings.Contains(err.Error(), c.problem) {
				t.Errorf("error %v", err)
			}
			if last := string(api.asked[len(api.asked)-1]); !strings.Contains(last, c.asked) {
				t.Errorf("the last request was %s", last)
			}
		})
	}
}
