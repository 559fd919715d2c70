package config

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2/unstable"

	"memcurator/memstore"
	"memcurator/render/text"
)

// The largest values that are taken. They are far above what is useful, and far below where
// sums overflow.
const (
	maxSize     = 1 << 50
	maxDuration = 200 * 365 * 24 * time.Hour
)

// none lifts a limit or a duration that an earlier rule gave.
const none = "none"

// scan reads a value into what to points to, or says what is wrong with it. is is that of the [field].
func (d *decoder) scan(to any, is string, n *unstable.Node) (why string) {
	given, quotes := string(n.Data), n.Kind == unstable.String
	switch to := to.(type) {
	case *bool:
		*to = given == "true"
		if n.Kind != unstable.Bool {
			return "must be true or false, without quotes"
		}
	case *int64:
		ok := true
		switch {
		case quotes && given == none:
		case is == "size" && quotes:
			*to, ok = ParseSize(given)
		default:
			var err error
			*to, err = strconv.ParseInt(strings.ReplaceAll(given, "_", ""), 0, 64)
			ok = err == nil && n.Kind == unstable.Integer && *to > 0 && *to <= maxSize && (is == "size" || *to <= math.MaxInt32)
		}
		if !ok && is == "size" {
			return `must be a number of bytes, or a size in quotes, as in "100KB" or "2MB"`
		}
		if !ok {
			return `must be a whole number above 0, or "none"`
		}
	case *time.Duration:
		var ok bool
		if *to, ok = ParseDuration(given); !quotes || !ok && given != none {
			return `must be a duration in quotes, as in "30m", "24h", "60d" or "8w"`
		}
	default:
		if !quotes {
			return "must be text in quotes"
		}
		if given, why = d.judge(given, is); why != "" {
			return why
		}
		if dialect, ok := to.(*memstore.Dialect); ok {
			*dialect, _ = memstore.ParseDialect(given) // judged already
		} else {
			reflect.ValueOf(to).Elem().SetString(given)
		}
	}
	return ""
}

// judge returns a text as it is kept, or says what is wrong with it. is is that of the [field]; "" takes any text.
func (d *decoder) judge(given, is string) (kept, why string) {
	switch is {
	case "":
		return given, ""
	case "glob":
		return given, judgeGlob(given)
	case "folder":
		return strings.TrimSuffix(given, "/"), outside(given)
	case "directory":
		return d.directory(given)
	case "dialect":
		if _, err := memstore.ParseDialect(given); err == nil {
			return given, ""
		}
		is = ""
		for _, one := range memstore.Dialects() {
			is += one.String() + " "
		}
	}
	words := strings.Fields(is)
	for _, w := range words {
		if w == given {
			return given, ""
		}
	}
	if near := text.Nearest(given, words); near != "" {
		return "", fmt.Sprintf("can't be %s; did you mean %q?", quoted(given), near)
	}
	return "", fmt.Sprintf("can't be %s; use %s", quoted(given), text.Or(words))
}

// directory reads a directory: absolute, or below the home folder.
func (d *decoder) directory(given string) (path, why string) {
	path = given
	if rest, ok := text.CutTilde(given); ok {
		if d.home == "" {
			return "", "can't begin with ~, because the home folder is unknown"
		}
		path = filepath.Join(d.home, rest)
	}
	if !filepath.IsAbs(path) || strings.ContainsRune(path, 0) {
		return "", fmt.Sprintf(`can't be %s; use an absolute path, or one that begins with "~/"`, quoted(given))
	}
	return filepath.Clean(path), ""
}

// outside says why a path is none of a place in the store, "" where it is one.
func outside(path string) string {
	if path == "" {
		return "must name a folder"
	}
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

// literal is s as a TOML string: that of JSON, but for DEL.
func literal(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(s) // a text can always be written
	return strings.ReplaceAll(strings.TrimSuffix(b.String(), "\n"), "\x7f", `\u007F`)
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
