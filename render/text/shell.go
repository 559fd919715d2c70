package text

import "strings"

// ShellQuoted quotes a word for a shell. A home folder written as a tilde stays one.
func ShellQuoted(s string) string {
	if rest, ok := strings.CutPrefix(s, "~/"); ok {
		return "~/" + ShellQuoted(rest)
	}
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
