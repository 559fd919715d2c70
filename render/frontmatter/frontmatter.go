// Package frontmatter finds the block of YAML between lines of three dashes that begins many notes. It reads only the head of a file.
package frontmatter

import (
	"bytes"
	"strings"
)

// MaxBytes is the most that a front matter takes, and all of a file that needs to be read. A longer one is text.
const MaxBytes = 16 << 10

// mark is the line around a block; three dots may end one too.
const mark = "---"

// Matter is a front matter.
type Matter struct {
	Block []byte // its lines, without those around them
	End   int    // bytes from the start of the file to the end of the line that ends it
}

// Find reads the front matter of a file, given at least its first MaxBytes. false: the file doesn't begin with one.
func Find(head []byte) (Matter, bool) {
	head = head[:min(len(head), MaxBytes)]
	body := bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	skipped := len(head) - len(body)
	line, begin := nextLine(body, 0)
	if line != mark {
		return Matter{}, false
	}
	for at := begin; at < len(body); {
		end := at
		line, at = nextLine(body, at)
		if line == mark || line == "..." {
			block := body[begin:end]
			return Matter{Block: block, End: skipped + at}, len(bytes.TrimSpace(block)) > 0
		}
	}
	return Matter{}, false
}

// nextLine returns the line at an offset without trailing blanks, and the offset after it.
func nextLine(b []byte, at int) (string, int) {
	n := bytes.IndexByte(b[at:], '\n')
	if n < 0 {
		return strings.TrimRight(string(b[at:]), " \t\r"), len(b)
	}
	return strings.TrimRight(string(b[at:at+n]), " \t\r"), at + n + 1
}
