package diff

import (
	"bytes"
	"context"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
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

// GNU patch must make b of a, whatever the texts are.
func TestPatchAccepts(t *testing.T) {
	program, err := exec.LookPath("patch")
	if err != nil {
		t.Skip("no patch program here to check with")
	}
	if version, err := exec.CommandContext(t.Context(), program, "--version").Output(); err != nil || !bytes.Contains(version, []byte("GNU")) {
		t.Skip("the patch program here is not GNU patch")
	}
	dir := t.TempDir()
	rnd := rand.New(rand.NewPCG(11, 12))
	for k := range 60 {
		words := 3 + rnd.IntN(40)
		a, b := []byte(randomText(rnd, 1+rnd.IntN(60), words)), []byte(randomText(rnd, 1+rnd.IntN(60), words))
		o := Options{Timeout: time.Minute}
		r := Lines(context.Background(), a, b, o)
		if r.Same() {
			continue
		}
		file, script, out := filepath.Join(dir, "a"), filepath.Join(dir, "p"), filepath.Join(dir, "out")
		write(t, file, a)
		write(t, script, Format(r, a, b, "a file", "a file", o))
		// --binary: content with carriage returns is content.
		cmd := exec.CommandContext(t.Context(), program, "--binary", "-s", "-F0", "-o", out, file, script)
		if text, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("pair %d: %v: %s", k, err, text)
		}
		got, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, b) {
			t.Fatalf("pair %d: patch gives other bytes", k)
		}
	}
}

func write(tb testing.TB, name string, data []byte) {
	tb.Helper()
	if err := os.WriteFile(name, data, 0o600); err != nil {
		tb.Fatal(err)
	}
}
