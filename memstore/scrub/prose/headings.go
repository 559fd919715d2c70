package prose

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
)

// headingOnly reports a line that holds nothing but a few words up to at: a title.
func headingOnly(b []byte, at int) bool {
	from := ascii.LineStart(b, at, 40)
	if at-from >= 40 {
		return false
	}
	line := bytes.TrimLeft(b[from:at], "> \t")
	if bytes.HasPrefix(line, []byte("[!")) { // a callout: "> [!note] title"
		line = line[bytes.IndexByte(line, ']')+1:]
	}
	line = bytes.TrimSpace(line)
	if n := len(line); n > 0 && line[n-1] >= 0xe2 || n > 2 && line[n-3] >= 0xe2 {
		return n <= 36 && !bytes.ContainsAny(line, "。、，：:") && bytes.Count(line, []byte(" ")) <= 2
	}
	return len(line) > 0 && bytes.Count(line, []byte(" ")) <= 3 && ascii.Run(line, 0, titleBytes) == len(line)
}

var titleBytes = ascii.NewSet("a-zA-Z \xc3\xa0-\xbf-")
