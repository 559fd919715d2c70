package output

import (
	"strings"
	"time"

	"memcurator/render/text"
)

// JSONTime is the form of times in JSON lines: RFC 3339 with nanoseconds.
const JSONTime = "2006-01-02T15:04:05.000000000Z07:00"

// Capital begins a sentence.
func Capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// Clock is a time in a list.
func Clock(t time.Time) string { return t.Local().Format("2006-01-02 15:04:05") }

// Counted is a number with its word.
func Counted(n int, what string) string { return text.Count(n, what) }

// OneLine keeps a name with a newline in it from passing for a second row of a list that the user confirms.
func OneLine(s string) string { return text.Clean(strings.ReplaceAll(s, "\n", `\n`)) }

// WidestPath is how far longer paths push what is behind them.
const WidestPath = 48

// Uncapital puts a sentence into another one.
func Uncapital(s string) string { return strings.ToLower(s[:1]) + s[1:] }

// ShellQuoted is a word as a shell takes it whole.
func ShellQuoted(s string) string {
	if s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789/._-+") == "" {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

func OrNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}
