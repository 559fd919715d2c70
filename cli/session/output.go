package session

import (
	"encoding/json"
	"fmt"
	"io"

	"memcurator/cli/output"
	"memcurator/memstore"
	"memcurator/render/text"
	"memcurator/render/theme"
)

// Output is standard output. It remembers a write error, so that a full disk or a closed pipe is reported once, at the end.
type Output struct {
	W        io.Writer
	Err      error
	terminal bool
}

func (o *Output) Write(p []byte) (int, error) {
	n, err := o.W.Write(p)
	if err != nil && o.Err == nil {
		o.Err = err
	}
	return n, err
}

// WriteString implements [io.StringWriter]: a view may have many megabytes, and is not copied.
func (o *Output) WriteString(s string) (int, error) {
	n, err := io.WriteString(o.W, s)
	if err != nil && o.Err == nil {
		o.Err = err
	}
	return n, err
}

// Lines is standard output for text that agents may have written.
func (o *Output) Lines(s Settings) io.Writer {
	return o.Painted(s, nil)
}

// Painted is Lines with colors, if the terminal shows them.
func (o *Output) Painted(s Settings, paint output.Painter) io.Writer {
	if !o.terminal {
		return o
	}
	if s.Theme.NoColor || s.Theme.Name == theme.Mono || s.Dumb {
		paint = nil
	}
	return &output.ScreenWriter{W: o, Options: text.Options{ASCII: s.Theme.ASCII}, Paint: paint}
}

// JSONLines writes one object per line. Whatever reads them may show them on a terminal, so control characters are always escaped.
func (o *Output) JSONLines() *json.Encoder {
	e := json.NewEncoder(output.JSONWriter{W: o})
	e.SetEscapeHTML(false)
	return e
}

// Rows prints a list: a JSON line each for scripts, or a row of text each for people.
type Rows struct {
	lines *json.Encoder // nil: rows of text
	text  io.Writer
}

// Rows returns the printer of a list.
func (o *Output) Rows(s Settings, asJSON bool) Rows {
	if asJSON {
		return Rows{lines: o.JSONLines()}
	}
	return Rows{text: o.Lines(s)}
}

// Print prints one entry, in one of its two forms.
func (r Rows) Print(line any, format string, args ...any) error {
	if r.lines != nil {
		return r.lines.Encode(line)
	}
	_, err := fmt.Fprintf(r.text, format+"\n", args...)
	return err
}

// JSONOut is standard output for lines of JSON, byte for byte unless a terminal shows it.
func (o *Output) JSONOut() io.Writer {
	if o.terminal {
		return output.JSONWriter{W: o}
	}
	return o
}

// HashOrNull is a digest as JSON lines have it; nil for none.
func HashOrNull(d memstore.Digest) *string {
	if d == (memstore.Digest{}) {
		return nil
	}
	return output.OrNull(d.String())
}
