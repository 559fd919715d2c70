package kit

import (
	"strings"
	"testing"
)

func TestFilter(t *testing.T) {
	terms := []Term[string]{
		{Key: "is", Values: []string{"long", "short", "shortest"}, Fits: func(row, value string) bool {
			return len(row) > 5 && value == "long" || len(row) <= 5 && value == "short" || len(row) <= 2 && value == "shortest"
		}},
		{Key: "ends", Fits: strings.HasSuffix},
	}
	rows := []string{"a", "ssh", "key ssh", "ssh key", "a is:b"}
	for _, c := range []struct{ line, want, problem string }{
		{"", "a|ssh|key ssh|ssh key|a is:b", ""},
		{"SSH", "ssh|key ssh|ssh key", ""},
		{"ssh key", "key ssh|ssh key", ""},
		{`"ssh key"`, "ssh key", ""},
		{"ssh -key", "ssh", ""},
		{"!key !ssh", "a|a is:b", ""},
		{"is:long ends:y", "ssh key", ""},
		{"-is:short", "key ssh|ssh key|a is:b", ""},
		{"is:sho", "a|ssh", ""},
		{"is:shortest,long", "a|key ssh|ssh key|a is:b", ""},
		{"12:04 - !", "", ""},
		{`"is:b"`, "a is:b", ""},
		{"is:lnog", "a|ssh|key ssh|ssh key|a is:b", "is:lnog is not a filter term. Did you mean is:long?"},
		{"when:2d ssh", "ssh|key ssh|ssh key", "when:2d is not a filter term. Use is:long is:short is:shortest ends:"},
	} {
		f := parseFilter(c.line, terms)
		var left []string
		for _, r := range rows {
			if f.Fits(r, strings.ToLower) {
				left = append(left, r)
			}
		}
		if got := strings.Join(left, "|"); got != c.want || f.Problem != c.problem {
			t.Errorf("%s leaves %s (%s), want %s (%s)", c.line, got, f.Problem, c.want, c.problem)
		}
	}
}
