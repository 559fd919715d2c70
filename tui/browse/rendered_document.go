package browse

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"memcurator/memstore"
	"memcurator/render/flow"
	"memcurator/render/frontmatter"
	"memcurator/render/markdown"
	"memcurator/render/syntax"
	"memcurator/render/text"
	"memcurator/tui/ui"
)

// The largest files that are shown, in bytes: all of the text is held in memory. Splitting
// 8 MB of Markdown takes about a quarter of a second.
const (
	markdownUpTo = 8 << 20
	othersUpTo   = 16 << 20
	lineUpTo     = 64 << 10
	// indentFrom is the line length from which JSON is laid out again.
	indentFrom = 200
)

// content is a text in blocks that can be laid out one by one, at any width, from any
// goroutine.
type content interface {
	Blocks() int
	Lines(block int) (first, last int)
	Height(block, width int) int
	Render(block int, o flow.Options) []flow.Line
}

// renderedDocument is what the tab shows for one agent path. It is not changed once it was loaded.
type renderedDocument struct {
	path   string
	body   content // nil: there is only the note
	note   string  // why the page is empty, and what to press
	matter []frontmatter.Row
	src    []byte
	lines  int // of the file
	learn  func(context.Context, func(done, total int)) (changed bool, err error)
}

const (
	renderedTextFolder = "A folder has no text. [ returns to its listing"
)

// load reads and splits what path is now. It never fails: what cannot be shown is a note.
func loadRendered(ctx context.Context, s *memstore.Store, at string, progress *ui.Progress) *renderedDocument {
	d := &renderedDocument{path: at}
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
		d.note = ui.TextFileUnread
		return d
	}
	limit := int64(othersUpTo)
	if isMarkdown(at) {
		limit = markdownUpTo
	}
	if info.Size > limit {
		d.note = renderedTooLargeText(limit)
		if head := make([]byte, min(info.Size, 8<<10)); readAll(ctx, f, head, progress) == nil && text.Binary(head) {
			d.fillBytes(head)
		}
		return d
	}
	data := make([]byte, info.Size)
	if err := readAll(ctx, f, data, progress); err != nil {
		d.note = ui.TextFileUnread
		return d
	}
	d.fill(data)
	return d
}

// renderedTooLargeText explains why a large file is not rendered.
func renderedTooLargeText(limit int64) string {
	return fmt.Sprintf("Can't render more than %d MiB. [ returns to the view", limit>>20)
}

// refused explains why a path cannot be opened.
func refused(s *memstore.Store, name string, err error) string {
	if info, statErr := s.Backend().Stat(name); statErr == nil && info.Kind == memstore.KindDir {
		return renderedTextFolder
	}
	if errors.Is(err, memstore.ErrNotExist) {
		return ui.TextFileGone
	}
	return ui.TextFileUnread
}

// readAll fills data from the start of the file; a file that got shorter is an error.
func readAll(ctx context.Context, f io.ReaderAt, data []byte, progress *ui.Progress) error {
	const step = 1 << 20
	for at := 0; at < len(data); at += step {
		if err := ctx.Err(); err != nil {
			return err
		}
		part := data[at:min(at+step, len(data))]
		if n, err := f.ReadAt(part, int64(at)); n < len(part) {
			return errors.Join(err, io.ErrUnexpectedEOF)
		}
		progress.Set(int64(at), int64(len(data)))
	}
	return nil
}

// fill chooses how the bytes are shown.
func (d *renderedDocument) fill(data []byte) {
	if text.Binary(data) {
		d.fillBytes(data)
		return
	}
	if len(bytes.TrimSpace(data)) == 0 {
		d.note = ui.TextFileEmpty
		return
	}
	d.src = data
	d.lines = bytes.Count(data, []byte("\n")) + 1
	longest := longestLine(data)
	if syntax.IsJSON(d.path) && longest > indentFrom && d.lines <= 2 {
		if pretty, ok := syntax.IndentJSON(data, othersUpTo); ok {
			d.body = syntax.Folded(pretty, syntax.ForFile(d.path))
			return
		}
	}
	if longest > lineUpTo {
		d.src, d.note = nil, "Can't render lines longer than 64 KiB. [ returns to the view"
		return
	}
	if isMarkdown(d.path) {
		first := 0
		if m, ok := frontmatter.Find(data); ok {
			d.matter = m.Rows
			first = bytes.Count(data[:m.End], []byte("\n"))
			data = data[m.End:]
		}
		d.body = markdown.New(data, first)
		return
	}
	doc := syntax.New(data, syntax.ForFile(d.path))
	d.body, d.learn = doc, doc.Learn
}

// bytesUpTo is how much of a file that is not text is shown.
const bytesUpTo = 4 << 10

// fillBytes shows the beginning of a file that is not text as a hex dump.
func (d *renderedDocument) fillBytes(data []byte) {
	d.body = syntax.New([]byte(hex.Dump(data[:min(len(data), bytesUpTo)])), nil)
}

// line is the text of a line of the file.
func (d *renderedDocument) line(number int) []byte {
	rest := d.src
	for ; number > 0; number-- {
		n := bytes.IndexByte(rest, '\n')
		if n < 0 {
			return nil
		}
		rest = rest[n+1:]
	}
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	return line
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
