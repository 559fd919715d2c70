package memtest

import (
	"testing"
)

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		expected, content string
		want              bool
	}{
		{"a", "a", true},
		{"a", "b", false},
		{"{dirsize}\t/memories", "4K\t/memories", true},
		{"{dirsize}\t/memories", "4.5K\t/memories", true},
		{"{dirsize}\t/memories", "123B\t/memories", true},
		{"{dirsize}\t/memories", "\t/memories", false},
		{"{dirsize}\t/memories", "4\t/memories", false},
		{"{dirsize}\t/memories", "4.K\t/memories", false},
		{"{dirsize}\t/memories", "x4K\t/memories", false},
		{"{dirsize}\t/memories", "4K\t/memories\n", false},
		{"{dirsize}\ta\n{dirsize}\tb", "4K\ta\n1.0M\tb", true},
		{"{dirsize}\ta\n{dirsize}\tb", "4K\ta\nb", false},
		{"x{dirsize}", "", false},
	} {
		if got := match(c.expected, c.content); got != c.want {
			t.Errorf("match(%q, %q) is %v", c.expected, c.content, got)
		}
	}
}
