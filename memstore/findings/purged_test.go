package findings

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A purged value is found again in any text, as it is or with the escapes of JSON, and nowhere else; the list doesn't contain it.
func TestPurgedValuesAreRecognized(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	secret, quoted := "hunter2-"+strings.Repeat("xY7", 5), `he said "`+strings.Repeat("q9", 6)+`"`
	for _, store := range []string{"one-000000000000", "two-000000000000"} {
		dir := filepath.Join(base, store)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		m, err := OpenState(dir)
		if err != nil {
			t.Fatal(err)
		}
		value := map[string]string{"one-000000000000": secret, "two-000000000000": quoted}[store]
		for range 2 { // a purge that starts over
			if err := m.keepPurged([]string{value}, map[string]string{value: "password"}); err != nil {
				t.Fatal(err)
			}
		}
		data, err := os.ReadFile(filepath.Join(dir, purgedFile))
		if err != nil || bytes.Contains(data, []byte(value[:6])) || bytes.Count(data, []byte("digest")) > 2 {
			t.Errorf("%s %v", data, err)
		}
	}
	p, err := ReadPurged(base)
	if err != nil || p.Empty() {
		t.Fatalf("%v", err)
	}
	const gone = "REDACTED:password"
	for text, want := range map[string]string{
		"":                                  "",
		"nothing of it":                     "nothing of it",
		secret:                              gone,
		"a " + secret + secret + " b":       "a " + gone + gone + " b",
		secret[1:] + secret[:5]:             secret[1:] + secret[:5],
		"a\n" + quoted + "\n":               "a\n" + gone + "\n",
		`{"text":` + jsonText(quoted) + `}`: `{"text":"` + gone + `"}`,
	} {
		if got := string(p.Mask([]byte(text))); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
	if got := p.ReturnText("a.md", nil, []byte(secret+quoted)); got != "a.md gets a purged value back: password" {
		t.Errorf("%q", got)
	}
	if got := p.ReturnText("a.md", []byte("kept "+secret), []byte(secret+"\n"+secret)); got != "" {
		t.Errorf("it was there all along: %q", got)
	}
	var none *PurgedValues
	if none.Find([]byte(secret)) != nil || !none.Empty() {
		t.Error("nothing was purged")
	}
}

// jsonText is a text as a JSON string.
func jsonText(s string) string { return `"` + escaped(s, false) + `"` }
