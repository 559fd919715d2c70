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
		"a NUL in a note":         {"a\x00b" + strings.Repeat("x", 40), false},
		"many NULs":               {strings.Repeat("a\x00", 40), true},
		"NULs behind the head":    {strings.Repeat("x", 8<<10) + strings.Repeat("\x00", 9<<10), false},
		"control characters":      {strings.Repeat("\x01text", 40), true},
		"colors of a terminal":    {strings.Repeat("\x1b[1mok\x1b[m\r\n", 40), false},
		"a character cut off":     {strings.Repeat("x", 8<<10-1) + "日", false},
		"some bytes of latin1":    {strings.Repeat("caf\xe9 au lait noir, ", 20), false},
		"japanese cut by the end": {strings.Repeat("語", 8<<10), false},
		"bytes of no text":        {strings.Repeat("\xff\xfe", 50), true},
		"few bytes, none of text": {"\xff\xfe\xfd", false},
	} {
		if got := text.Binary([]byte(c.data)); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}
