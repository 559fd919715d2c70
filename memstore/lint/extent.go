package lint

import (
	"bytes"
	"unicode/utf8"

	"memcurator/render/loadlimit"
)

// Extent is how much text a content holds. Of one that is larger than [MaxBytes] it is that of the part that was inspected.
type Extent struct {
	Chars, Lines int64
	// Loaded is what counts towards what a client loads at its start.
	Loaded loadlimit.Extent
	Blank  bool // nothing but white space
}

// extentOf measures a text. Whether it is too large depends on the limits of its path, which the caller knows.
func extentOf(data []byte) *Extent {
	e := &Extent{Chars: int64(utf8.RuneCount(data)), Lines: loadlimit.LineCount(data), Blank: len(bytes.TrimSpace(data)) == 0}
	e.Loaded = loadlimit.Extent{Lines: e.Lines, Bytes: int64(len(data))}
	const near = loadlimit.NearShare
	if float64(e.Loaded.Lines) >= near*loadlimit.ClaudeCodeLines || float64(e.Loaded.Bytes) >= near*loadlimit.ClaudeCodeBytes {
		head := data[:min(len(data), loadlimit.MaxBytes)] // of most texts the limit is far, and comments need no search
		counted := loadlimit.Measure(head)
		e.Loaded.Lines += counted.Lines - loadlimit.LineCount(head)
		e.Loaded.Bytes += counted.Bytes - int64(len(head))
	}
	return e
}
