package browse

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"strings"

	"memcurator/memstore"
	"memcurator/render/flow"
	"memcurator/render/frontmatter"
	"memcurator/render/markdown"
	"memcurator/render/syntax"
	"memcurator/render/text"
	"memcurator/tui/kit"
)

// The largest files that are rendered, in bytes: all of the text is laid out at once.
const (
	renderedUpTo = 1 << 20
	lineUpTo     = 64 << 10
	// indentFrom is the line length from which JSON is laid out again.
	indentFrom = 200
)

// rendered is what the tab shows for one agent path. It is not changed once it was loaded.
type rendered struct {
	path string
	body func(o flow.Options) []flow.Line // lays the text out; nil: there is only the note
	note string                           // why the page is empty, and what to press
}

const renderedTextFolder = "A folder has no text"

// loadRendered reads what path is now. It never fails: what cannot be shown is a note.
func loadRendered(s *memstore.Store, at string) *rendered {
	d := &rendered{path: at}
	name := memstore.BackendName(at)
	if name == "." {
		d.note = renderedTextFolder
		return d
	}
	f, err := s.Backend().Open(name, memstore.Look)
	if err != nil {
		d.note = refused(s, name, err)
		return d
	}
	defer func() { _ = f.Close() }() // opened for reading
	info, err := f.Info()
	if err != nil {
		d.note = kit.TextFileUnread
		return d
	}
	data := make([]byte, min(info.Size, renderedUpTo))
	if n, _ := f.ReadAt(data, 0); n < len(data) { // one that got shorter is read again when the watch reports it
		d.note = kit.TextFileUnread
		return d
	}
	if info.Size > renderedUpTo && !text.Binary(data[:bytesUpTo]) {
		d.note = fmt.Sprintf("Can't render more than %d MiB. The view tab shows it", renderedUpTo>>20)
		return d
	}
	d.fill(data)
	return d
}

// refused explains why a path cannot be opened.
func refused(s *memstore.Store, name string, err error) string {
	if info, statErr := s.Backend().Stat(name); statErr == nil && info.Kind == memstore.KindDir {
		return renderedTextFolder
	}
	if errors.Is(err, memstore.ErrNotExist) {
		return kit.TextFileGone
	}
	return kit.TextFileUnread
}

// fill chooses how the bytes are shown.
func (d *rendered) fill(data []byte) {
	if text.Binary(data) { // its first bytes
		data = data[:min(len(data), bytesUpTo)]
		d.body = func(o flow.Options) []flow.Line { return syntax.Lines(dump(data, o.Width), false, o) }
		return
	}
	if len(bytes.TrimSpace(data)) == 0 {
		d.note = kit.TextFileEmpty
		return
	}
	ext, longest := strings.TrimPrefix(path.Ext(d.path), "."), longestLine(data)
	if strings.EqualFold(ext, "json") && longest > indentFrom && bytes.Count(data, []byte("\n")) <= 1 {
		if pretty, ok := syntax.IndentJSON(data); ok {
			d.body = func(o flow.Options) []flow.Line { return syntax.Lines(pretty, true, o) }
			return
		}
	}
	switch {
	case longest > lineUpTo:
		d.note = "Can't render lines longer than 64 KiB. The view tab shows them"
	case isMarkdown(d.path):
		m, _ := frontmatter.Find(data)
		d.body = func(o flow.Options) []flow.Line {
			head := syntax.Lines(m.Block, true, o)
			if len(head) > 0 {
				head = append(head, flow.Line{})
			}
			return append(head, markdown.Lines(data[m.End:], o)...)
		}
	default:
		d.body = func(o flow.Options) []flow.Line { return syntax.Lines(data, syntax.Known(ext), o) }
	}
}

// bytesUpTo is how much of a file that is not text is shown.
const bytesUpTo = 4 << 10

// dump shows bytes as hex and as characters, 16 in a row of at most width cells, or as many fewer as fit.
func dump(data []byte, width int) []byte {
	n := 16
	for n > 1 && len("00000000  ")+len("00 ")*n+len(" ||")+n > width {
		n /= 2
	}
	var b bytes.Buffer
	for at := 0; at < len(data); at += n {
		row := data[at:min(at+n, len(data))]
		printable := bytes.Clone(row)
		for i, c := range row {
			if c < ' ' || c > '~' {
				printable[i] = '.'
			}
		}
		fmt.Fprintf(&b, "%08x  %-*s |%s|\n", at, len("00 ")*n, fmt.Sprintf("% x", row), printable)
	}
	return b.Bytes()
}

func longestLine(data []byte) int {
	longest := 0
	for len(data) > 0 {
		n := bytes.IndexByte(data, '\n')
		if n < 0 {
			n = len(data)
		}
		longest = max(longest, n)
		data = data[min(n+1, len(data)):]
	}
	return longest
}

func isMarkdown(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".markdown", ".mdx", ".mdown", ".mkd":
		return true
	}
	return false
}
