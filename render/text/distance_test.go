package text

import "testing"

func TestNearest(t *testing.T) {
	words := []string{"demo", "exec", "ls", "cat", "version", "completion", "help"}
	for word, want := range map[string]string{
		"ls": "ls", "LS": "ls", "sl": "ls", "lss": "ls", "exce": "exec", "cta": "cat", "comp": "completion", "verzjon": "version",
		"notes": "", "db": "", "memories": "", "xyz": "", "": "", "é": "",
	} {
		if got := Nearest(word, words); got != want {
			t.Errorf("nearest(%q) = %q, want %q", word, got, want)
		}
	}
}
