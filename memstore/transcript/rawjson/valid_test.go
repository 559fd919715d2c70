package rawjson_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"memcurator/memstore/transcript/rawjson"
)

// FuzzValid holds what is read by words of eight bytes to what encoding/json reads.
func FuzzValid(f *testing.F) {
	for _, text := range []string{
		`{"a":[1,-0.5e+3,true,false,null,{}],"b":"\u00e9\ud83d\ude00\ud83d\n"} `, `{"a" : "` + strings.Repeat("x", 40) + `"}`, "[\x00]",
		"\"\x1f\"", "\"a\xff\xfeb\"",
		`"\"`, `[1,]`, `{"a":1,}`, `[[]]]`, `01`, `-`, `1.`, `1e`, `tru`, `""""`, `"\u12g4"`, `"\ud800\n"`, `"\ud800\u0041"`, `{,}`,
		`{"a"}`, "\xef\xbb\xbf{}", "",
		strings.Repeat("[", 10_000) + strings.Repeat("]", 10_000), strings.Repeat("[", 10_001) + strings.Repeat("]", 10_001),
		`[{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"memory","input":{"command":"view"}}]}]` + "\n",
		`"` + strings.Repeat(`é\"`, 3000) + `"`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		want := json.Valid(text)
		if got := rawjson.Valid(text); got != want {
			t.Fatalf("%q: %v, want %v", text, got, want)
		}
		text = bytes.TrimSpace(text)
		var s string
		if !want || text[0] != '"' || json.Unmarshal(text, &s) != nil {
			return
		}
		v := rawjson.Value(text)
		if got, bytes := v.Text(), string(v.TextBytes()); got != s || bytes != s {
			t.Fatalf("%q: %q and %q, want %q", text, got, bytes, s)
		}
	})
}

func BenchmarkValid(b *testing.B) {
	for name, part := range map[string]string{"prose": "words without an escape in them ", "code": `if x == \"a\" {\n\t\treturn\n\t}\n`,
		"umlauts": "größer und übel "} {
		text := []byte(`{"content":"` + strings.Repeat(part, 1000) + `"}`)
		for engine, do := range map[string]func([]byte) bool{"ours": rawjson.Valid, "encoding-json": json.Valid} {
			b.Run(name+"/"+engine, func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					if !do(text) {
						b.Fatal("not valid")
					}
				}
			})
		}
	}
}
