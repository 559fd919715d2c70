package secrets

import (
	"fmt"
	"strings"
	"testing"

	"github.com/charmbracelet/x/ansi"

	"memcurator/render/text"
	"memcurator/tui/kit"
)

// testMasks hides values, each with the bytes from its beginning that stay in sight.
func testMasks(values map[string]int) *masks {
	m := newMasks(&kit.Env{})
	for v, shown := range values {
		m.add(v, shown, len(v))
	}
	return m
}

func TestValuesAreHiddenInRows(t *testing.T) {
	t.Parallel()
	key, phrase := "sk-"+"aB3dE9fG7hJ2kL5mN8pQ4rS6tV1wX", "correct horse battery"
	m := testMasks(map[string]int{key: 4, phrase: 2, "pw4711": 0, "Пароль2024": 0, "abc": 0})
	m.add("anna.k@example.jp", 1, len("anna.k"))
	dots := func(n int) string { return strings.Repeat("•", n) }
	escaped := ""
	for _, c := range key[4:] {
		escaped += fmt.Sprintf(`\u%04x`, c)
	}
	for row, want := range map[string]string{
		"key: " + key + " ok":                        "key: sk-a" + dots(len(key)-4) + " ok",
		"\x1b[31m" + key[:9] + "\x1b[1m" + key[9:]:   "sk-a" + dots(len(key)-4),
		"cut " + key[:12] + "…":                      "cut sk-a" + dots(8) + "…",
		"rest " + key[len(key)-10:]:                  "rest " + dots(10),
		"the " + phrase + ".":                        "the co" + dots(len(phrase)-2) + ".",
		"a correct horse":                            "a co" + dots(11),
		"the correct answer":                         "the correct answer",
		"pw4711, xpw4711":                            dots(6) + ", xpw4711",
		"это Пароль2024!":                            "это " + dots(10) + "!",
		"mail anna.k@example.jp":                     "mail a" + dots(5) + "@example.jp",
		"www.example.jp":                             "www.example.jp",
		"abc":                                        "abc",
		`{"a":"` + key[:4] + escaped + `","b":"\n"}`: `{"a":"sk-a` + dots(6*(len(key)-4)) + `","b":"\n"}`,
		`{"a":"` + escaped + ` and ` + key + `"}`:    `{"a":"` + dots(6*(len(key)-4)) + ` and sk-a` + dots(len(key)-4) + `"}`,
	} {
		got, _ := m.row(row)
		if plain := ansi.Strip(got); plain != want {
			t.Errorf("%q is shown as %q, want %q", row, plain, want)
		}
		if ansi.StringWidth(got) != ansi.StringWidth(row) {
			t.Errorf("%q changes its width", row)
		}
		if strings.Count(got, "\x1b") != strings.Count(row, "\x1b") {
			t.Errorf("%q loses control sequences: %q", row, got)
		}
	}
}

// In a line a value is hidden whole, so that no row of it shows a part, and the line keeps its bytes.
func TestValuesAreHiddenInLines(t *testing.T) {
	t.Parallel()
	key := "sk-" + "aB3dE9fG7hJ2kL5mN8pQ4rS6tV1wX"
	m := testMasks(map[string]int{key: 4, "Пароль2024": 0})
	o := m.env.Text(0)
	for _, pad := range []string{"", strings.Repeat("long ", 1000)} {
		line := []byte(pad + "key " + key + " и Пароль2024")
		got, _ := m.Line(line, o)
		want := pad + "key sk-a" + strings.Repeat("•", len(key)-4) + " и " + strings.Repeat("•", 10)
		if text.Dots(string(got), o) != want || len(got) != len(line) {
			t.Errorf("%q", got)
		}
		m.revealed = true
		if got, hidden := m.Line(line, o); hidden || string(got) != string(line) {
			t.Errorf("revealed: %q", got)
		}
		m.revealed = false
	}
	if v := m.Version(); v != 0 {
		t.Errorf("version %d", v)
	}
	if m.set(nil); m.Version() == 0 {
		t.Error("new values have the version of old ones")
	}
}
