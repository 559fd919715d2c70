package text

import "testing"

func TestShellQuoted(t *testing.T) {
	for word, want := range map[string]string{
		"/srv/memories":     "/srv/memories",
		"~/agent/memories":  "~/agent/memories",
		"~/agent memories":  "~/'agent memories'",
		"/srv/it's here":    `'/srv/it'\''s here'`,
		"":                  "''",
		"-o":                "-o",
		"/memories/日記.md":   "'/memories/日記.md'",
		"$HOME;rm":          "'$HOME;rm'",
		"~other/memories":   "'~other/memories'",
		"/srv/a\nb":         "'/srv/a\nb'",
		"postgres://h/a?b=": "'postgres://h/a?b='",
	} {
		if got := ShellQuoted(word); got != want {
			t.Errorf("%q: %s, want %s", word, got, want)
		}
	}
}
