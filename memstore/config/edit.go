package config

import (
	"bytes"
	"errors"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// Literal is a value as the file has it; make one with [Text], [Flag], [Count], [Size] or [Period].
type Literal string

// Text is a string.
func Text(s string) Literal { return Literal(literal(s)) }

// Flag is true or false.
func Flag(b bool) Literal { return Literal(strconv.FormatBool(b)) }

// Count is a number; 0 is none.
func Count(n int64) Literal {
	if n == 0 {
		return Text(none)
	}
	return Literal(strconv.FormatInt(n, 10))
}

// Size is a number of bytes, in the largest unit that fits; 0 is none.
func Size(n int64) Literal {
	if size := formatSize(n); strings.HasSuffix(size, "B") {
		return Text(size)
	}
	return Count(n)
}

// Period is a duration in whole seconds; 0 is none.
func Period(d time.Duration) Literal {
	if d == 0 {
		return Text(none)
	}
	return Text(FormatDuration(d))
}

// KeyValue is one line of a new rule.
type KeyValue struct {
	Key   string
	Value Literal
}

// AppendRule returns the configuration with one more rule at its end: for all stores, or for that of a section. The error is [Mistakes] if
// the file has mistakes already; any other says why the rule can't be added.
func AppendRule(name string, data []byte, home, store string, match []string, keys ...KeyValue) ([]byte, error) {
	header := "rule"
	if store != "" {
		header = "stores." + bareKey(store) + ".rule"
	}
	globs := make([]string, len(match))
	for i, g := range match {
		if !utf8.ValidString(g) {
			return nil, errors.New("it can't hold a name that isn't valid UTF-8")
		}
		globs[i] = literal(g)
	}
	lines := []string{"[[" + header + "]]", "match = [" + strings.Join(globs, ", ") + "]"}
	for _, kv := range keys {
		lines = append(lines, kv.Key+" = "+string(kv.Value))
	}
	return extended(name, data, home, lines)
}

// AppendStore is like [AppendRule] for a section about the store in dir, an absolute directory, or one that begins with a tilde.
func AppendStore(name string, data []byte, home, section, dir string) ([]byte, error) {
	return extended(name, data, home, []string{"[stores." + bareKey(section) + "]", "dir = " + literal(dir)})
}

// extended is a configuration with lines at its end, after an empty one.
func extended(name string, data []byte, home string, lines []string) ([]byte, error) {
	if _, err := Parse(name, data, home); err != nil {
		return nil, err
	}
	newline := "\n"
	if i := bytes.IndexByte(data, '\n'); i > 0 && data[i-1] == '\r' {
		newline = "\r\n"
	}
	after := bytes.Clone(data)
	if n := len(after); n > 0 && after[n-1] != '\n' {
		after = append(after, newline...)
	}
	if len(bytes.TrimSpace(after)) > 0 {
		after = append(after, newline...)
	}
	after = append(after, strings.Join(lines, newline)+newline...)
	var mistakes Mistakes
	if _, err := Parse(name, after, home); errors.As(err, &mistakes) {
		return nil, errors.New(mistakes[0].Text)
	}
	return after, nil
}

// bare matches a key of TOML that needs no quotes.
var bare = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)

// bareKey is a name as a key of TOML, in quotes where it needs them.
func bareKey(name string) string {
	if bare.MatchString(name) {
		return name
	}
	return literal(name)
}
