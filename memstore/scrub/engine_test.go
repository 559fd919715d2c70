package scrub

import (
	"strings"
	"testing"
)

// engine makes an engine of the embedded rules and fails where one of them does not keep
// its own examples.
func engine(t testing.TB) *Engine {
	t.Helper()
	e, problems := New(Options{})
	for _, p := range append(problems, e.tryExamples(e.rules)...) {
		t.Errorf("%s:%d %s: %s", p.File, p.Line, p.Rule, p.Reason)
	}
	return e
}

func TestRulesKeepTheirExamples(t *testing.T) { engine(t) }

func TestScrub(t *testing.T) {
	e := engine(t)
	token := "gh" + "p_" + strings.Repeat("aB3dE9", 6)
	for _, c := range []struct{ name, in, out string }{
		{"a.md", "the key is `" + token + "`.\n", "the key is `REDACTED:github-token`.\n"},
		{"a.json", `{"password": "a\"b1cdef", "pin": 4821}`, `{"password": "REDACTED:password", "pin": "REDACTED:password"}`},
		{"a.yaml", "note: " + token + " is old\npassword: hunter22\n", "note: REDACTED:github-token is old\npassword: REDACTED:password\n"},
		{"a.xml", "<password>a&amp;b1xyz</password>", "<password>REDACTED:password</password>"},
		{"a.md", "パスワードは「hunter2x」です。次に hunter2x を使う", "パスワードは「REDACTED:password」です。次に REDACTED:password を使う"},
		// A value that is not searched for again is next to one that is: as many values as places.
		{"a.md", "pin: 4821\npassword: hunter2x\nnow with hunter2x too\n", "pin: REDACTED:password\npassword: " +
			"REDACTED:password\nnow with REDACTED:password too\n"},
		{"a.md", "ｐａｓｓｗｏｒｄ：ｈｕｎｔｅｒ２２", "ｐａｓｓｗｏｒｄ：REDACTED:password"},
	} {
		out, _ := e.Scrub(c.name, []byte(c.in), nil)
		if string(out) != c.out {
			t.Errorf("%s %q:\n got %q\nwant %q", c.name, c.in, out, c.out)
		}
		again, counts := e.Scrub(c.name, out, nil)
		if len(counts) > 0 {
			t.Errorf("%s: a second run edits %v: %q", c.name, counts, again)
		}
	}
}

func TestFindNameLeavesTheEnding(t *testing.T) {
	e := engine(t)
	secret := "Xk29" + "mQ7pL"
	for name, want := range map[string]string{
		"/memories/wifi password " + secret + ".txt": secret,
		"/memories/jane.doe@northwindco.com.md":      "jane.doe@northwindco.com",
		"/memories/jane.doe@northwindco.io":          "jane.doe@northwindco.io",
		"/memories/password policy.md":               "",
	} {
		got := ""
		if found := e.FindName(name); len(found) > 0 {
			got = name[found[0].Start:found[0].End]
		}
		if got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// A name of a file is searched only for what is the same thing there beyond doubt.
func TestValuesInNames(t *testing.T) {
	t.Parallel()
	e := engine(t)
	token := "ghp_" + strings.Repeat("a8Kd2Lx9Qz", 4)[:36]
	note := []byte("the door phone is 8837 2210 now\nname: falcon-winter-lake-stone\npassword: falcon-winter-lake-stone\ntoken: " + token + "\n")
	c := e.Collect()
	c.Add("a.md", note, e.Find("a.md", note))
	values := c.Values()
	for name, want := range map[string]int{"/memories/" + token + ".md": 1, "/memories/falcon-winter-lake-stone.md": 0, "/memories/8837 2210.md": 0} {
		if found := values.InName(name); len(found) != want {
			t.Errorf("%s: %+v", name, found)
		}
	}
}
