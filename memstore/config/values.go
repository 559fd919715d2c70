package config

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2/unstable"

	"memcurator/render/text"
)

// The largest values that are taken. They are far above what is useful, and far below where
// sums overflow.
const (
	maxSize     = 1 << 50
	maxDuration = 200 * 365 * 24 * time.Hour
)

// none lifts a limit or a duration that an earlier rule or a preset gave.
const none = "none"

// kind is what the values of a key look like.
type kind struct {
	name string // for the documentation: "duration", "true or false", "one of a, b"
	// read returns the value, or what is wrong with it.
	read func(v *value) (any, string)
	// write is the value as TOML.
	write func(v any) string
}

// words reads a kind of value that is one of a few words.
func words[T ~string](all ...T) kind {
	names := make([]string, len(all))
	for i, w := range all {
		names[i] = string(w)
	}
	read := func(v *value) (any, string) {
		if v.kind != unstable.String {
			return nil, "must be a word in quotes: " + list(names)
		}
		for _, w := range all {
			if string(w) == v.text {
				return w, ""
			}
		}
		if near := text.Nearest(v.text, names); near != "" {
			return nil, fmt.Sprintf("can't be %s; did you mean %q?", quoted(v.text), near)
		}
		return nil, fmt.Sprintf("can't be %s; use %s", quoted(v.text), list(names))
	}
	return kind{"word: " + list(names), read, func(v any) string { return literal(string(v.(T))) }}
}

var boolean = kind{
	name: "`true` or `false`",
	read: func(v *value) (any, string) {
		if v.kind != unstable.Bool {
			return nil, "must be true or false, without quotes"
		}
		return v.text == "true", ""
	},
	write: func(v any) string { return strconv.FormatBool(v.(bool)) },
}

var folder = kind{
	name: "folder in the store",
	read: func(v *value) (any, string) {
		if v.kind != unstable.String || v.text == "" {
			return nil, `must be the name of a folder in quotes, as in "archive"`
		}
		if why := outside(v.text); why != "" {
			return nil, why
		}
		return strings.TrimSuffix(v.text, "/"), ""
	},
	write: func(v any) string { return literal(v.(string)) },
}

// outside says why a path is none of a place in the store, "" where it is one.
func outside(path string) string {
	if strings.HasPrefix(path, "/") || strings.HasPrefix(path, "~") || strings.Contains(path, `\`) {
		return fmt.Sprintf("can't be %s; use a path relative to the store, as in %q", quoted(path), "notes/old")
	}
	for _, p := range strings.Split(path, "/") {
		if p == ".." || p == "." {
			return fmt.Sprintf("can't be %s; %q is not allowed in a path", quoted(path), p)
		}
	}
	return ""
}

var duration = kind{
	name: `duration, as in "30m" "24h" "60d" "8w", or "none"`,
	read: func(v *value) (any, string) {
		const want = `must be a duration in quotes, as in "30m", "24h", "60d" or "8w"`
		if v.kind != unstable.String {
			return nil, want
		}
		if v.text == none {
			return time.Duration(0), ""
		}
		d, ok := ParseDuration(v.text)
		if !ok {
			return nil, fmt.Sprintf("can't be %s; it %s", quoted(v.text), want)
		}
		return d, ""
	},
	write: func(v any) string {
		return orNone(int64(v.(time.Duration)), literal(FormatDuration(v.(time.Duration))))
	},
}

var size = kind{
	name: `size: bytes, or "100KB" "2MB" "1GB", or "none"`,
	read: func(v *value) (any, string) {
		const want = `must be a number of bytes, or a size in quotes, as in "100KB" or "2MB"`
		if v.kind == unstable.String {
			if v.text == none {
				return int64(0), ""
			}
			n, ok := ParseSize(v.text)
			if !ok {
				return nil, fmt.Sprintf("can't be %s; it %s", quoted(v.text), want)
			}
			return n, ""
		}
		n, ok := number(v)
		if !ok || n < 1 || n > maxSize {
			return nil, want
		}
		return n, ""
	},
	write: func(v any) string { return orNone(v.(int64), sizeLiteral(v.(int64))) },
}

var count = kind{
	name: `number, or "none"`,
	read: func(v *value) (any, string) {
		if v.kind == unstable.String && v.text == none {
			return int64(0), ""
		}
		n, ok := number(v)
		if !ok || n < 1 || n > math.MaxInt32 {
			return nil, `must be a whole number above 0, or "none"`
		}
		return n, ""
	},
	write: func(v any) string { return orNone(v.(int64), strconv.FormatInt(v.(int64), 10)) },
}

func orNone(n int64, text string) string {
	if n == 0 {
		return literal(none)
	}
	return text
}

func sizeLiteral(n int64) string {
	if text := formatSize(n); strings.HasSuffix(text, "B") {
		return literal(text)
	}
	return strconv.FormatInt(n, 10)
}

func number(v *value) (int64, bool) {
	if v.kind != unstable.Integer {
		return 0, false
	}
	n, err := strconv.ParseInt(strings.ReplaceAll(v.text, "_", ""), 0, 64)
	return n, err == nil
}

var durationUnits = []struct {
	name string
	unit time.Duration
}{{"w", 7 * 24 * time.Hour}, {"d", 24 * time.Hour}, {"h", time.Hour}, {"m", time.Minute}, {"s", time.Second}}

// ParseDuration reads "60d" or "1d12h": whole numbers with the units w, d, h, m and s, larger
// units first, of at least a second and at most 200 years.
func ParseDuration(s string) (time.Duration, bool) {
	total, from := time.Duration(0), 0
	for s != "" {
		digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
		n, err := strconv.ParseInt(s[:digits], 10, 64)
		if err != nil || digits == len(s) {
			return 0, false
		}
		unit := time.Duration(0)
		for i := from; i < len(durationUnits); i++ {
			if durationUnits[i].name == s[digits:digits+1] {
				unit, from = durationUnits[i].unit, i+1
				break
			}
		}
		if unit == 0 || n > int64(maxDuration/unit) {
			return 0, false
		}
		total += time.Duration(n) * unit
		s = s[digits+1:]
	}
	return total, total > 0 && total <= maxDuration
}

// FormatDuration is the shortest text that [ParseDuration] reads back as d, which is cut to
// whole seconds.
func FormatDuration(d time.Duration) string {
	var b strings.Builder
	for _, u := range durationUnits {
		// Only whole weeks: 60d is clearer than 8w4d.
		if u.name == "w" && d%u.unit != 0 {
			continue
		}
		if n := d / u.unit; n > 0 {
			fmt.Fprintf(&b, "%d%s", n, u.name)
			d -= n * u.unit
		}
	}
	if b.Len() == 0 {
		return "0s"
	}
	return b.String()
}

var sizeUnits = []struct {
	name string
	unit int64
}{{"GB", 1 << 30}, {"MB", 1 << 20}, {"KB", 1 << 10}}

// ParseSize reads "100KB": a whole number with B, KB, MB or GB, of 1,024 each, as the sizes
// in the agent's listing are counted. KiB and k are the same as KB; case does not matter.
func ParseSize(s string) (int64, bool) {
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	n, err := strconv.ParseInt(s[:digits], 10, 64)
	if err != nil || n < 1 {
		return 0, false
	}
	unit := int64(1)
	switch strings.ToUpper(strings.TrimLeft(s[digits:], " ")) {
	case "", "B":
	case "K", "KB", "KIB":
		unit = 1 << 10
	case "M", "MB", "MIB":
		unit = 1 << 20
	case "G", "GB", "GIB":
		unit = 1 << 30
	default:
		return 0, false
	}
	if n > maxSize/unit {
		return 0, false
	}
	return n * unit, true
}

// formatSize is the shortest text that [ParseSize] reads back as n.
func formatSize(n int64) string {
	for _, u := range sizeUnits {
		if n >= u.unit && n%u.unit == 0 {
			return strconv.FormatInt(n/u.unit, 10) + u.name
		}
	}
	return strconv.FormatInt(n, 10)
}

// literal is s as a TOML string.
func literal(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r == '\t':
			b.WriteString(`\t`)
		case r == '\n':
			b.WriteString(`\n`)
		case r < 0x20 || r == 0x7f:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// quotedMost bounds what of the file is repeated in a mistake.
const quotedMost = 60

// quoted is a piece of the file for a mistake: in quotes, escaped, cut where it is long.
func quoted(s string) string {
	if r := []rune(s[:min(len(s), 4*quotedMost)]); len(r) > quotedMost {
		s = string(r[:quotedMost]) + "..."
	}
	return strconv.QuoteToGraphic(s)
}

// list names choices: "a, b or c".
func list(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}
