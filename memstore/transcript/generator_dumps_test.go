package transcript_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
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

func zstdOf(t testing.TB, text string) string {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(w.EncodeAll([]byte(text), nil))
}

func utf16Of(t testing.TB, text string) string {
	t.Helper()
	out, err := unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	return out
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
