package transcript_test

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"go.yaml.in/yaml/v4"
	"golang.org/x/text/encoding/unicode"
)

// The generated conversation in formats that wrap others or take them apart.

func gzipped(t testing.TB, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func utf16Of(t testing.TB, text string) string {
	t.Helper()
	out, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func archiveOf(t testing.TB, files map[string]string) string {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for name, text := range files {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// sample is the conversation as a sample of Inspect. The messages are what was left of it at the end, from
// call number from on; the events tell of all calls. Long texts of events are kept beside both.
func (g generated) sample(from int, messages, events bool) string {
	var list, happened, pool, texts []string
	kept := func(s string) string {
		if len(s) < 60 {
			return s
		}
		texts = append(texts, fmt.Sprintf(`"h%d":%s`, len(texts), s))
		return fmt.Sprintf(`"attachment://h%d"`, len(texts)-1)
	}
	for i, c := range g.calls {
		failed, text := "null", c.result
		if c.failed {
			failed, text = `{"type":"unknown","message":`+c.result+`}`, `""`
		}
		call := fmt.Sprintf(`{"role":"assistant","content":"","tool_calls":[{"id":"%s","type":"function",`+
			`"function":"memory","arguments":%s}]}`, c.id, c.input)
		answer := fmt.Sprintf(`{"role":"tool","tool_call_id":"%s","content":%s,"function":"memory","error":%s}`, c.id, text, failed)
		if pool = append(pool, call, answer); i >= from {
			list = append(list, call, answer)
		}
		happened = append(happened,
			fmt.Sprintf(`{"event":"model","timestamp":"%s","model":"m-1","input":[],"input_refs":[[0,%d]],"output":{"choices":[{"message":%s}]}}`,
				g.stamp(i), 2*i, call),
			fmt.Sprintf(`{"event":"tool","timestamp":"%s","type":"function","id":"%s","function":"memory","arguments":%s,"result":%s,`+
				`"error":%s,"events":[]}`, g.stamp(i), c.id, c.input, kept(text), failed))
	}
	fields := []string{`"id":1,"epoch":1,"input":"go"`}
	if messages {
		fields = append(fields, `"messages":[`+strings.Join(list, ",")+`]`, `"output":{"model":"m-1","choices":[{"message":`+
			list[len(list)-2]+`}]}`)
	}
	if events {
		fields = append(fields, `"events":[`+strings.Join(happened, ",")+`]`, `"events_data":{"messages":[`+strings.Join(pool, ",")+
			`],"calls":[]}`)
	}
	return "{" + strings.Join(fields, ",") + `,"attachments":{` + strings.Join(texts, ",") + "}}"
}

// eval is a log of Inspect: a zip archive with a file a sample.
func (g generated) eval(t testing.TB) string {
	return archiveOf(t, map[string]string{
		"header.json": `{"eval":{},"status":"success"}`, "notes.txt": "memory", "summaries.json": `[{"id":1,"epoch":1,"input":"memory"}]`,
		"samples/1_epoch_1.json": g.sample(len(g.calls)/2, true, true),
	})
}

// evalJSON is one as a file of JSON.
func (g generated) evalJSON(messages, events bool) string {
	return "{\n  \"version\": 2,\n  \"eval\": {},\n  \"samples\": [\n" + g.sample(0, messages, events) + "\n  ]\n}\n"
}

// pooled is a sample that shows the calls only by what the model was given and answered.
func (g generated) pooled() string {
	text := g.sample(0, false, true)
	last := fmt.Sprintf(`{"event":"model","input":[],"input_refs":[[0,%d]],"output":{}},`, 2*len(g.calls))
	text = strings.Replace(text, `"events":[`, `"events":[`+last, 1)
	return strings.ReplaceAll(text, `"event":"tool"`, `"event":"state"`)
}

func (g generated) entries(content func(answer string) string) string {
	all := g.messages()
	var entries []string
	for i := 1; i <= len(all); i += 2 {
		answer := `{"type":"message","role":"assistant","content":[]}`
		if i < len(all) {
			answer = strings.Replace(all[i], "{", `{"type":"message","model":"m-1",`, 1)
		}
		entries = append(entries, fmt.Sprintf(`{"startedDateTime":"2026-11-20T09:00:%02d.000Z","request":{"method":"POST",`+
			`"postData":{"mimeType":"application/json","text":%s}},"response":{"content":%s}}`,
			i/2%60, encoded(body(all[:i])), content(answer)))
	}
	return "{\n \"log\": {\"version\":\"1.2\",\"entries\":[\n" + strings.Join(entries, ",\n") + "\n]}}\n"
}

func (g generated) har() string {
	return g.entries(func(answer string) string { return `{"mimeType":"application/json","text":` + encoded(answer) + "}" })
}

func (g generated) harBase64() string {
	return g.entries(func(answer string) string {
		return `{"mimeType":"application/json","encoding":"base64","text":"` + base64.StdEncoding.EncodeToString([]byte(answer)) + `"}`
	})
}

// otel has a span for each call, as the collector writes them.
func (g generated) otel() string {
	return g.each(func(i int, c told) string {
		attribute := func(key, v string) string { return `{"key":"` + key + `","value":{"stringValue":` + v + `}}` }
		failed := ""
		if c.failed {
			failed = "," + attribute("error.type", `"tool_error"`)
		}
		return fmt.Sprintf(`{"resourceSpans":[{"scopeSpans":[{"spans":[{"spanId":"%016x","name":"execute_tool memory",`+
			`"startTimeUnixNano":"%d","attributes":[%s]}]}]}]}`+"\n", i+1, g.times[i].UnixNano(),
			attribute("gen_ai.tool.name", `"memory"`)+","+attribute("gen_ai.tool.call.id", encoded(c.id))+","+
				attribute("gen_ai.tool.call.arguments", encoded(c.input))+","+attribute("gen_ai.tool.call.result", c.result)+failed)
	})
}

// otelMessages has the conversation in the spans of the model.
func (g generated) otelMessages() string {
	return g.each(func(_ int, c told) string {
		out := fmt.Sprintf(`[{"role":"assistant","parts":[{"type":"tool_call","id":"%s","name":"memory","arguments":%s}]}]`, c.id, c.input)
		in := fmt.Sprintf(`[{"role":"tool","parts":[{"type":"tool_call_response","id":"%s","response":%s}]}]`, c.id, c.result)
		return `{"name":"chat m-1","attributes":{"gen_ai.output.messages":` + encoded(out) + "}}\n" +
			`{"name":"chat m-1","attributes":{"gen_ai.input.messages":` + encoded(in) + "}}\n"
	})
}

// openInference has the calls in the spans of the model, key by key, and the results in those of the tool.
func (g generated) openInference() string {
	return g.each(func(i int, c told) string {
		status := "OK"
		if c.failed {
			status = "ERROR"
		}
		call := "llm.output_messages.0.message.tool_calls.0.tool_call."
		return fmt.Sprintf(`{"name":"llm","attributes":{"openinference.span.kind":"LLM","llm.output_messages.0.message.role":"assistant",`+
			`"%sid":"%s","%sfunction.name":"memory","%sfunction.arguments":%s}}`+"\n",
			call, c.id, call, call, encoded(c.input)) +
			fmt.Sprintf(`{"name":"memory","context":{"span_id":"s%d"},"status":{"status_code":"%s"},`+
				`"attributes":{"openinference.span.kind":"TOOL","tool.name":"memory","input.value":%s,"output.value":%s}}`+"\n",
				i, status, encoded(c.input), c.result)
	})
}

func (g generated) toolRuns() string {
	return g.each(func(i int, c told) string {
		failed := "null"
		if c.failed {
			failed = `"failed"`
		}
		return fmt.Sprintf(`{"id":"%s","run_type":"tool","name":"memory","start_time":"%s","inputs":%s,"outputs":{"output":%s},"error":%s}`+
			"\n", c.id, g.stamp(i), c.input, c.result, failed)
	})
}

// yaml is a cassette of an HTTP recorder with the bodies as strings.
func (g generated) yaml() string {
	all := g.messages()
	var b strings.Builder
	b.WriteString("interactions:\n")
	for i := 1; i <= len(all); i += 2 {
		answer := "{}"
		if i < len(all) {
			answer = all[i]
		}
		fmt.Fprintf(&b, "- request:\n    method: POST\n    body: %s\n  response:\n    body:\n      string: %s\n", encoded(body(all[:i])),
			encoded(answer))
	}
	return b.String() + "version: 1\n"
}

// yamlParsed is one with the bodies taken apart.
func (g generated) yamlParsed(t testing.TB) string {
	var parsed yaml.Node
	if err := yaml.Unmarshal([]byte(body(g.messages())), &parsed); err != nil {
		t.Fatal(err)
	}
	out, err := yaml.Marshal(map[string]any{"interactions": []any{map[string]any{
		"request": map[string]any{"parsed_body": parsed.Content[0]},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// operations is a chat session of VS Code as its log of operations: each round is pushed, and its
// result set later.
func (g generated) operations() string {
	return `{"kind":0,"v":{"version":3,"sessionId":"s","requests":[]}}` + "\n" +
		`{"kind":2,"k":["requests"],"v":[{"timestamp":1767322800000,"result":{"metadata":{"toolCallRounds":[],"toolCallResults":{}}}}]}` + "\n" +
		g.each(func(_ int, c told) string {
			return fmt.Sprintf(`{"kind":2,"k":["requests",0,"result","metadata","toolCallRounds"],"v":[{"toolCalls":[{"id":"%s",`+
				`"name":"memory","arguments":%s}]}]}`+"\n", c.id, encoded(c.input)) +
				fmt.Sprintf(`{"kind":1,"k":["requests",0,"result","metadata","toolCallResults","%s"],"v":{"content":%s}}`+"\n", c.id, c.result)
		})
}
