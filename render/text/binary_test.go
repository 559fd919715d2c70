package text_test

import (
	"strings"
	"testing"

	"memcurator/render/text"
)

func TestBinary(t *testing.T) {
	for name, c := range map[string]struct {
		data string
		want bool
	}{
		"empty":                   {"", false},
		"text":                    {"naïve 日記\n", false},
		"a NUL":                   {"a\x00b", true},
		"a NUL behind the head":   {strings.Repeat("x", 8<<10) + "\x00", false},
		"some bytes of latin1":    {strings.Repeat("caf\xe9 au lait noir, ", 20), false},
		"bytes of no text":        {strings.Repeat("\xff\xfe", 50), true},
		"few bytes, none of text": {"\xff\xfe\xfd", false},
	} {
		if got := text.Binary([]byte(c.data)); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
