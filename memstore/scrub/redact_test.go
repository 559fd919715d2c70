package scrub

import (
	"context"
	"errors"
	"strings"
	"testing"
)

func TestPlaceholders(t *testing.T) {
	e := engine(t)
	for _, c := range []struct{ name, in, out string }{
		{"a.json", `{"bob@corp.io": 1, "eve@corp.io": 2}`, `{"REDACTED:email": 1, "REDACTED:email:2": 2}`},
		{"a.json", `{"key": ["-----BEGIN PRIVATE KEY-----", "` + strings.Repeat("MIIEvQIBADANBg", 4) + `", "-----END PRIVATE KEY-----"]}`,
			`{"key": ["REDACTED:private-key", "REDACTED:private-key", "REDACTED:private-key"]}`},
		{"a.xml", "<a>password: h&#117;nter22 &amp; more</a>", "<a>password: REDACTED:password &amp; more</a>"},
		{"a.md", "---\nowner: bob@corp.io\n---\nbob@corp.io\n", "---\nowner: REDACTED:email\n---\nREDACTED:email\n"},
	} {
		out, _ := e.Scrub(c.name, []byte(c.in), nil)
		if string(out) != c.out {
			t.Errorf("%s %q:\n got %q\nwant %q", c.name, c.in, out, c.out)
		}
	}
}

// A value that one note announces is found in others that only mention it, in other spellings too.
func TestValuesTravel(t *testing.T) {
	e := engine(t)
	first := []byte("the password is Kx&vorble77!\n")
	c := e.Collect()
	c.Add("a.md", first, e.Find("a.md", first))
	values := c.Values()
	for _, in := range []string{
		"later Kx&vorble77! again", "url ?x=Kx%26vorble77%21&y", "b64 " + "YTpLeCZ2b3JibGU3NyE=" + " end", "<a>Kx&amp;vorble77!</a>",
		`{"a":"Kx\u0026vorble77!"}`,
	} {
		name := "b.md"
		switch in[0] {
		case '<':
			name = "b.xml"
		case '{':
			name = "b.json"
		}
		out, _ := e.Scrub(name, []byte(in), values)
		if strings.Contains(string(out), "vorble") || !strings.Contains(string(out), "REDACTED:password") {
			t.Errorf("%s: %s", in, out)
		}
	}
	if found := values.Find("b.md", []byte("xKx&vorble")); len(found) > 0 {
		t.Errorf("a part of the value is found: %+v", found)
	}
}

func TestBounds(t *testing.T) {
	e := engine(t)
	const written = MostFindings + 100
	many := strings.Repeat("mail bob@corp.io\n", written)
	r, err := e.Scan(context.Background(), "a.md", []byte(many))
	if err != nil || !r.Truncated || len(r.Findings) != MostFindings {
		t.Errorf("%d findings, truncated %v, %v", len(r.Findings), r.Truncated, err)
	}
	if out, counts := e.Scrub("a.md", []byte(many), nil); counts["email"] != written || strings.Contains(string(out), "bob@") {
		t.Errorf("scrub did %v", counts)
	}
	if r, _ := e.Scan(context.Background(), "a.png", []byte("\x89PNG\r\n\x1a\npassword: hunter22")); !r.Binary || len(r.Findings) > 0 {
		t.Errorf("binary %+v", r)
	}
	canceled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := e.Scan(canceled, "a.md", []byte("x")); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

func TestOff(t *testing.T) {
	e, _ := New(Options{Off: []string{"phone", "github-token"}})
	text := []byte("bob@corp.io +1 415 555 2671")
	found := e.Find("a.md", text)
	if len(found) != 1 || string(text[found[0].Start:found[0].End]) != "bob@corp.io" {
		t.Errorf("%+v", found)
	}
	if f := e.FindName("/memories/bob@corp.io.md"); len(f) != 1 {
		t.Errorf("in a name: %+v", f)
	}
}

// What stands beside a value stays: the host of a URL, the next line, the next cell.
func TestOnlyTheValueGoes(t *testing.T) {
	e := engine(t)
	token := "ghr_" + strings.Repeat("kV8d", 9)
	for _, c := range []struct{ name, in, out string }{
		{"a.md", "x https://x-access-token:" + token + "@github.com/a/b.git (fetch)",
			"x https://x-access-token:REDACTED-github-token@github.com/a/b.git (fetch)"},
		{"a.md", "git+https://" + token + "@github.com/a", "git+https://REDACTED:github-token@github.com/a"},
		{"a.env", "A=\"" + token + "\"\nDB_PASSWORD=Blum3n.20\n", "A=\"REDACTED:github-token\"\nDB_PASSWORD=REDACTED:password\n"},
		{"a.env", "TOKEN=glpat-" + strings.Repeat("aB3x", 5) + "\n20260512\n", "TOKEN=REDACTED:gitlab-token\n20260512\n"},
		{"a.env", "TOKEN=glpat-" + strings.Repeat("aB3x", 5) + "\nTOKEN_TTL=3600\n", "TOKEN=REDACTED:gitlab-token\nTOKEN_TTL=3600\n"},
		{"a.csv", "id,password,n\n1,hunter22,3\n2,n0tSoEasy,4\n", "id,password,n\n1,REDACTED:password,3\n2,REDACTED:password,4\n"},
	} {
		if out, _ := e.Scrub(c.name, []byte(c.in), nil); string(out) != c.out {
			t.Errorf("%s %q:\n got %q\nwant %q", c.name, c.in, out, c.out)
		}
	}
}
