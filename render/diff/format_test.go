package diff

import (
	"strings"
	"testing"
)

func TestFormat(t *testing.T) {
	for _, c := range []struct{ name, a, b, want string }{
		{"equal", "a", "a", ""},
		{"created", "", "a\n", "--- old\n+++ new\n@@ -0,0 +1 @@\n+a\n"},
		{"no newline", "a\nb", "a\nc", "--- old\n+++ new\n@@ -1,2 +1,2 @@\n a\n-b\n" +
			"\\ No newline at end of file\n+c\n\\ No newline at end of file\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := compareTexts(t, c.a, c.b, Options{})
			if got := string(Format(r, []byte(c.a), []byte(c.b), "old", "new", Options{})); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// A long line is cut around its first change, at the border of a character, and says how much is missing.
func TestFormatCutsLongLines(t *testing.T) {
	long := strings.Repeat("\u00e9", 3000)
	a, b := long+"old"+long+"\n", long+"new"+long+"\n"
	got := string(Format(compareTexts(t, a, b, Options{}), []byte(a), []byte(b), "a", "b", Options{LineMost: 100}))
	half := strings.Repeat("\u00e9", 25)
	line := func(word string) string { return "[5950 bytes] " + half + word + half[:48] + " [5952 bytes]\n" }
	if want := "--- a\n+++ b\n@@ -1 +1 @@\n-" + line("old") + "+" + line("new"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
