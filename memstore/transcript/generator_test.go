package transcript_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"memcurator/memstore"
)

// generated is a conversation made up with our own handlers: what was called, what was answered, and
// the memory after each call.
type generated struct {
	calls []told
	after []map[string]string // files after each call, by agent path
	text  []string            // what the agent says before each call
	times []time.Time
}

var words = strings.Fields("alpha beta gamma ünïcode 日本語 naïve \"quoted\" back\\slash <tag> & tab\there 😀 {\"json\":1} " +
	"tool_use memory toolu_01 /memories end")

func sentenceOf(r *rand.Rand, n int) string {
	var b strings.Builder
	for range n {
		b.WriteString(words[r.IntN(len(words))])
		b.WriteByte(" \n"[r.IntN(8)/7])
	}
	return b.String()
}

// generate makes up n calls, answered in a dialect. The same seed makes the same conversation.
func generate(t testing.TB, seed uint64, n int, d memstore.Dialect) generated {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 7))
	b := memstore.NewMemory()
	s := memstore.New(b, memstore.Options{Dialect: d})
	g := generated{}
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	for i := range n {
		c := invent(r, b)
		input := inputOf(t, c)
		res := s.Do(t.Context(), c)
		at = at.Add(time.Duration(r.IntN(90_000)) * time.Millisecond)
		g.times = append(g.times, at)
		g.text = append(g.text, "I note that down because of "+sentenceOf(r, 6))
		g.calls = append(g.calls, told{
			id: fmt.Sprintf("toolu_01%016x%06d", r.Uint64()|1<<63, i), input: input, result: encoded(res.Content), failed: res.IsError,
		})
		g.after = append(g.after, filesOf(t, b))
	}
	return g
}

// invent makes up one command; about one in ten fails.
func invent(r *rand.Rand, b memstore.Backend) memstore.Command {
	names := []string{"/memories/a.md", "/memories/notes/b.md", "/memories/notes/ü.md", "/memories/people/c.json", "/memories/d.txt"}
	var there []string
	for _, n := range names {
		if name, _ := memstore.ParsePath(n); name != "" {
			if _, err := b.Stat(name); err == nil {
				there = append(there, n)
			}
		}
	}
	pick := names[r.IntN(len(names))]
	if len(there) > 0 && r.IntN(10) > 0 {
		pick = there[r.IntN(len(there))]
	}
	switch r.IntN(12) {
	case 0, 1:
		return memstore.Command{Name: memstore.CmdCreate, Path: names[r.IntN(len(names))], FileText: sentenceOf(r, 3+r.IntN(60))}
	case 2, 3, 4:
		return memstore.Command{Name: memstore.CmdInsert, Path: pick, InsertLine: r.IntN(3), InsertText: sentenceOf(r, 5) + "\n"}
	case 5, 6, 7:
		return memstore.Command{Name: memstore.CmdStrReplace, Path: pick, OldStr: words[r.IntN(len(words))], NewStr: sentenceOf(r, 3)}
	case 8:
		return memstore.Command{Name: memstore.CmdDelete, Path: pick}
	case 9:
		return memstore.Command{Name: memstore.CmdRename, OldPath: pick, NewPath: fmt.Sprintf("/memories/moved/%d.md", r.IntN(50))}
	case 10:
		return memstore.Command{Name: memstore.CmdView, Path: "/memories"}
	default:
		return memstore.Command{Name: memstore.CmdView, Path: pick}
	}
}

// inputOf is a command as a model writes it.
func inputOf(t testing.TB, c memstore.Command) string {
	t.Helper()
	fields := []string{`"command":` + encoded(c.Name)}
	add := func(key, v string) { fields = append(fields, `"`+key+`":`+encoded(v)) }
	switch c.Name {
	case memstore.CmdRename:
		add("old_path", c.OldPath)
		add("new_path", c.NewPath)
	default:
		add("path", c.Path)
	}
	switch c.Name {
	case memstore.CmdCreate:
		add("file_text", c.FileText)
	case memstore.CmdStrReplace:
		add("old_str", c.OldStr)
		add("new_str", c.NewStr)
	case memstore.CmdInsert:
		fields = append(fields, fmt.Sprintf(`"insert_line":%d`, c.InsertLine))
		add("insert_text", c.InsertText)
	}
	return "{" + strings.Join(fields, ",") + "}"
}

// filesOf are the files of a memory by their agent paths.
func filesOf(t testing.TB, b memstore.Backend) map[string]string {
	t.Helper()
	files := map[string]string{}
	var walk func(string)
	walk = func(dir string) {
		entries, err := b.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			name := strings.TrimPrefix(dir+"/"+e.Name, "./")
			if e.Kind == memstore.KindDir {
				walk(name)
				continue
			}
			f, err := b.Open(name, memstore.Look)
			if err != nil {
				t.Fatal(err)
			}
			data := make([]byte, e.Size)
			_, _ = f.ReadAt(data, 0)
			files[memstore.AgentPath(name)] = string(data)
		}
	}
	walk(".")
	return files
}

// messages are the conversation as the Messages API has it: in every third turn two parallel calls,
// answered in the other order.
func (g generated) messages() []string {
	out := []string{`{"role":"user","content":"Work on it, and keep notes."}`}
	for i := 0; i < len(g.calls); i++ {
		text := `{"type":"text","text":` + encoded(g.text[i]) + `}`
		c := g.calls[i]
		if i%3 == 2 && i+1 < len(g.calls) {
			d := g.calls[i+1]
			out = append(out, `{"role":"assistant","content":[`+text+`,`+useOf(c)+`,`+useOf(d)+`]}`, `{"role":"user","content":[`+result(d)+`,`+
				result(c)+`]}`)
			i++
			continue
		}
		out = append(out, `{"role":"assistant","content":[`+text+`,`+useOf(c)+`]}`, `{"role":"user","content":[`+result(c)+`]}`)
	}
	return out
}

// formats are the conversation in every format, by name.
func (g generated) formats(t testing.TB) map[string]string {
	all := g.messages()
	log := func(wrap func(request, response string) string) string {
		var b strings.Builder
		for i := 1; i < len(all); i += 2 {
			b.WriteString(wrap(body(all[:i]), strings.Replace(all[i], "{", `{"type":"message","model":"m-1",`, 1)) + "\n")
		}
		return b.String() + wrap(body(all), "{}") + "\n" // the last results
	}
	return map[string]string{
		"body":          body(all),
		"body-spread":   strings.ReplaceAll(body(all), `{"role"`, "\n  {\"role\""),
		"array":         "[" + strings.Join(all, ",") + "]",
		"messages":      strings.Join(all, "\n") + "\n",
		"messages-crlf": "\ufeff" + strings.Join(all, "\r\n") + "\r\n",
		"log":           log(func(q, a string) string { return `{"request":` + q + `,"response":` + a + `}` }),
		"log-strings": log(func(q, a string) string {
			return `{"request":{"body":` + encoded(q) + `},"response":{"body":` + encoded(a) + `}}`
		}),
		"log-helicone": log(func(q, a string) string {
			return `{"request_body":` + q + `,"response_body":` + a + `,"helicone-session-id":"s"}`
		}),
		"batch-requests": `{"custom_id":"x","params":` + body(all) + "}\n",
		"stream-json":    g.streamJSON(),
		"claude-code":    g.sessionLines(),
		"sse-log":        g.sseLog(),
		"sse-crlf":       ": a comment\r\n" + strings.ReplaceAll(g.sseLog(), "\n", "\r\n"),
		"managed":        g.managed(),
		"completions":    g.completions(),
		"responses":      g.responses(),
		"converse":       g.converse(),
		"pydantic":       g.pydantic(),
		"vercel":         g.vercel(),
		"langchain":      g.langchain(),
		"vscode":         g.vscode(),
		"vscode-log":     g.operations(),
		"har":            g.har(),
		"utf-16":         utf16Of(t, strings.Join(all, "\n")+"\n"),
		"gzip":           gzipped(t, strings.Join(all, "\n")),
		"zstd":           zstdOf(t, strings.Join(all, "\n")),
		"vscode-replay":  g.chatReplay(),
	}
}

func (g generated) each(line func(i int, c told) string) string {
	var b strings.Builder
	for i, c := range g.calls {
		b.WriteString(line(i, c))
	}
	return b.String()
}

func (g generated) stamp(i int) string { return g.times[i].Format("2006-01-02T15:04:05.000Z") }

func (g generated) streamJSON() string {
	return `{"type":"system","subtype":"init","session_id":"s"}` + "\n" + g.each(func(i int, c told) string {
		return `{"type":"assistant","session_id":"s","message":{"model":"m-1","role":"assistant","content":[` + useOf(c) + `]}}` + "\n" +
			`{"type":"user","session_id":"s","message":{"role":"user","content":[` + result(c) + `]}}` + "\n"
	})
}

func (g generated) sessionLines() string {
	return g.each(func(i int, c told) string {
		at := g.stamp(i)
		return fmt.Sprintf(`{"type":"assistant","uuid":"t%d","sessionId":"s1","timestamp":"%s","isSidechain":false,`+
			`"message":{"model":"m-1","role":"assistant","content":[{"type":"text","text":%s}]}}`+"\n", i, at, encoded(g.text[i])) +
			fmt.Sprintf(`{"type":"assistant","uuid":"a%d","sessionId":"s1","timestamp":"%s","isSidechain":false,"message":{"model":"m-1",`+
				`"role":"assistant","content":[%s]}}`+"\n", i, at, useOf(c)) +
			fmt.Sprintf(`{"type":"user","uuid":"u%d","sessionId":"s1","timestamp":"%s","isSidechain":false,"message":{"role":"user",`+
				`"content":[%s]},"toolUseResult":"x"}`+"\n", i, at, result(c))
	})
}

// sseLog streams each answer and has the results in the next request.
func (g generated) sseLog() string {
	return g.each(func(_ int, c told) string {
		var b strings.Builder
		event := func(s string) { b.WriteString("event: x\ndata: " + s + "\n\n") }
		event(fmt.Sprintf(`{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":%q,"name":"memory","input":{}}}`,
			c.id))
		for i, cut := 0, 0; i < len(c.input); i = cut {
			cut = min(len(c.input), i+11)
			for cut < len(c.input) && c.input[cut]&0xC0 == 0x80 {
				cut++
			}
			event(`{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":` + encoded(c.input[i:cut]) + `}}`)
		}
		event(`{"type":"content_block_stop","index":1}`)
		event(`{"type":"message_stop"}`)
		return b.String() + `{"role":"user","content":[` + result(c) + "]}\n"
	})
}

func (g generated) managed() string {
	return g.each(func(i int, c told) string {
		return fmt.Sprintf(`{"type":"agent.custom_tool_use","id":%q,"name":"memory","input":%s,"processed_at":%q}`+"\n", c.id, c.input,
			g.stamp(i)) +
			fmt.Sprintf(`{"type":"user.custom_tool_result","custom_tool_use_id":%q,"content":%s,"is_error":%v}`+"\n", c.id, c.result, c.failed)
	})
}

func (g generated) completions() string {
	var list []string
	for i, c := range g.calls {
		list = append(list, fmt.Sprintf(`{"role":"assistant","content":%s,"tool_calls":[{"id":"%s","type":"function",`+
			`"function":{"name":"memory","arguments":%s}}]}`, encoded(g.text[i]), c.id, encoded(c.input)),
			fmt.Sprintf(`{"role":"tool","tool_call_id":"%s","content":%s}`, c.id, c.result))
	}
	return `{"messages":[` + strings.Join(list, ",") + "]}\n"
}

func (g generated) responses() string {
	var list []string
	for _, c := range g.calls {
		list = append(list, fmt.Sprintf(`{"type":"function_call","call_id":"%s","name":"memory","arguments":%s}`, c.id, encoded(c.input)),
			fmt.Sprintf(`{"type":"function_call_output","call_id":"%s","output":%s}`, c.id, c.result))
	}
	return `{"input":[` + strings.Join(list, ",") + "]}\n"
}

func (g generated) converse() string {
	var list []string
	for _, c := range g.calls {
		status := "success"
		if c.failed {
			status = "error"
		}
		list = append(list, fmt.Sprintf(`{"role":"assistant","content":[{"toolUse":{"toolUseId":"%s","name":"memory","input":%s}}]}`, c.id,
			c.input),
			fmt.Sprintf(`{"role":"user","content":[{"toolResult":{"toolUseId":"%s","content":[{"text":%s}],"status":"%s"}}]}`, c.id, c.result,
				status))
	}
	return `{"messages":[` + strings.Join(list, ",") + "]}\n"
}

func (g generated) pydantic() string {
	var list []string
	for _, c := range g.calls {
		list = append(list, fmt.Sprintf(`{"kind":"response","parts":[{"part_kind":"tool-call","tool_name":"memory","tool_call_id":"%s",`+
			`"args":%s}]}`, c.id, encoded(c.input)),
			fmt.Sprintf(`{"kind":"request","parts":[{"part_kind":"tool-return","tool_call_id":"%s","content":%s}]}`, c.id, c.result))
	}
	return "[" + strings.Join(list, ",") + "]\n"
}

func (g generated) vercel() string {
	var list []string
	for _, c := range g.calls {
		kind := "text"
		if c.failed {
			kind = "error-text"
		}
		list = append(list, fmt.Sprintf(`{"role":"assistant","content":[{"type":"tool-call","toolCallId":"%s","toolName":"memory",`+
			`"input":%s}]}`, c.id, c.input),
			fmt.Sprintf(`{"role":"tool","content":[{"type":"tool-result","toolCallId":"%s","output":{"type":"%s","value":%s}}]}`, c.id, kind,
				c.result))
	}
	return "[" + strings.Join(list, ",") + "]\n"
}

func (g generated) langchain() string {
	var list []string
	for _, c := range g.calls {
		status := "success"
		if c.failed {
			status = "error"
		}
		list = append(list, fmt.Sprintf(`{"type":"ai","data":{"content":[%s],"tool_calls":[{"id":"%s","name":"memory","args":%s}]}}`,
			useOf(c), c.id, c.input),
			fmt.Sprintf(`{"type":"tool","data":{"type":"tool","tool_call_id":"%s","content":%s,"status":"%s"}}`, c.id, c.result, status))
	}
	return "[" + strings.Join(list, ",") + "]\n"
}

func (g generated) vscode() string {
	var rounds, results []string
	for _, c := range g.calls {
		rounds = append(rounds, fmt.Sprintf(`{"toolCalls":[{"id":"%s","name":"memory","arguments":%s}]}`, c.id, encoded(c.input)))
		results = append(results, fmt.Sprintf(`"%s":{"content":%s}`, c.id, c.result))
	}
	return `{"version":3,"sessionId":"s","requests":[{"timestamp":1767322800000,"result":{"metadata":{"toolCallRounds":[` +
		strings.Join(rounds, ",") +
		`],"toolCallResults":{` + strings.Join(results, ",") + "}}}}]}\n"
}

func (g generated) chatReplay() string {
	var logs []string
	for i, c := range g.calls {
		logs = append(logs, fmt.Sprintf(`{"id":"%s","kind":"toolCall","tool":"memory","args":%s,"time":"%s","response":%s}`, c.id,
			encoded(c.input), g.stamp(i), c.result))
	}
	return `{"exportedAt":"x","prompts":[{"prompt":"p","logs":[` + strings.Join(logs, ",") + "]}]}\n"
}
