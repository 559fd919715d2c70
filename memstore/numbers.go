package memstore

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
)

// The numbers of the tool's input. They are read as the integers that they stand for; results
// that name one name what was sent, as far as the dialect's own language would.

// exactFloat is up to where a float64 holds every integer.
const exactFloat = 1 << 53

// longNumber is how many characters of a number are repeated in a result.
const longNumber = 64

// viewRange is a view_range: its numbers, nil for none, and how those were sent that are
// beyond 53 bits.
type viewRange struct {
	numbers []int
	sent    []string // nil, or one for each number, "" for the others
}

// list writes a range for a result.
func (r viewRange) list(rules *rules) string {
	texts := make([]string, len(r.numbers))
	for i, n := range r.numbers {
		sent := ""
		if i < len(r.sent) {
			sent = r.sent[i]
		}
		texts[i] = rules.numberText(n, sent)
	}
	return "[" + strings.Join(texts, ", ") + "]"
}

func (r *rules) numberText(n int, sent string) string {
	if sent == "" {
		return strconv.Itoa(n)
	}
	return r.number(sent)
}

func (d *decoder) integer(name string) (n int, sent string) {
	raw := d.field(name, required)
	if raw == nil {
		return 0, ""
	}
	n, ok := parseInteger(string(raw))
	if !ok {
		d.problem(name, "The field `"+name+"` must be an integer")
	}
	return n, sentText(n, raw)
}

// integers decodes an optional array. Its length is not judged here.
func (d *decoder) integers(name string) (list []int, sent []string) {
	raw := d.field(name, optional)
	if raw == nil {
		return nil, nil
	}
	var items []json.RawMessage
	valid := raw[0] == '[' && json.Unmarshal(raw, &items) == nil
	list = make([]int, 0, len(items))
	for i, item := range items {
		n, ok := parseInteger(string(item))
		valid = valid && ok
		list = append(list, n)
		if text := sentText(n, item); text != "" {
			if sent == nil {
				sent = make([]string, len(items))
			}
			sent[i] = text
		}
	}
	if !valid {
		d.problem(name, "The field `"+name+"` must be an array of integers")
		return nil, nil
	}
	return list, sent
}

// parseInteger reads a JSON number with an integral value: 2, 2.0 and 2e0, not
// 1.5 and not "1" (row 31). Values beyond an int become the nearest int, which
// is beyond every line number as well.
func parseInteger(raw string) (int, bool) {
	if strings.Trim(raw, "+-.0123456789eE") != "" {
		return 0, false
	}
	if n, err := strconv.Atoi(raw); err == nil {
		return n, true
	}
	f, err := strconv.ParseFloat(raw, 64)
	switch {
	case err != nil && !math.IsInf(f, 0):
		return 0, false
	case f >= math.MaxInt:
		return math.MaxInt, true
	case f <= math.MinInt:
		return math.MinInt, true
	}
	return int(f), f == math.Trunc(f)
}

// sentText is what to keep of the JSON text of an integer: nothing of ordinary ones.
func sentText(n int, raw []byte) string {
	if -exactFloat <= n && n <= exactFloat {
		return ""
	}
	return string(raw)
}

// numberAsSent repeats a number letter by letter, but for a very long one.
func numberAsSent(sent string) string {
	if len(sent) <= longNumber {
		return sent
	}
	return jsNumber(sent)
}

// jsNumber writes a number as JavaScript does, to which it is a float64.
func jsNumber(sent string) string {
	f, _ := strconv.ParseFloat(sent, 64) // an infinity where it is out of range
	switch {
	case math.IsInf(f, 1):
		return "Infinity"
	case math.IsInf(f, -1):
		return "-Infinity"
	case math.Abs(f) < 1e21:
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return strconv.FormatFloat(f, 'e', -1, 64)
}

// pyNumber writes a number as Python does. What is written as a fraction or with an
// exponent is an integer all the same where 64 bits hold it.
func pyNumber(sent string) string {
	f, _ := strconv.ParseFloat(sent, 64)
	switch {
	case math.IsInf(f, 1):
		return "inf"
	case math.IsInf(f, -1):
		return "-inf"
	case isPyFloat(sent), len(sent) > longNumber:
		return strconv.FormatFloat(f, 'e', -1, 64)
	case strings.ContainsAny(sent, ".eE"):
		return strconv.FormatInt(int64(f), 10)
	}
	return sent
}

// isPyFloat reports whether a number stays a float in Python.
func isPyFloat(sent string) bool {
	if !strings.ContainsAny(sent, ".eE") {
		return false
	}
	f, _ := strconv.ParseFloat(sent, 64)
	return f >= math.MaxInt64 || f <= math.MinInt64
}
