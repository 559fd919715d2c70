package scrubguard

import (
	"bytes"
	"context"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/scrub"
)

// filter masks values in what the agent reads: in the lines of a file, which have numbers, and in the names of files.
func (k *Keeper) filter(_ context.Context, c memstore.Command, r memstore.Result) memstore.Result {
	e, s := k.now(true)
	if e == nil {
		return r
	}
	var text []byte
	var rows []row
	if !r.IsError { // an error repeats what the agent has said
		text, rows = unnumbered(r.Content)
	}
	if found := k.telling(e, &s, c.Path, text); len(found) > 0 {
		edits := e.Edits(c.Path, text, found, scrub.Treatment{Default: scrub.Tag})
		r.Content = renumbered(r.Content, text, rows, edits)
	}
	r.Content = k.maskNames(e, &s, r.Content, r.IsError)
	return r
}

// telling are the findings that are masked.
func (k *Keeper) telling(e *scrub.Engine, s *Settings, path string, text []byte) (found []scrub.Finding) {
	if len(text) == 0 {
		return nil
	}
	for _, f := range e.Find(path, text) {
		if s.masksRead(e, path, text, f) {
			found = append(found, f)
		}
	}
	return found
}

// masksRead tells whether a finding is masked in what the agent reads.
func (s *Settings) masksRead(e *scrub.Engine, path string, text []byte, f scrub.Finding) bool {
	return !e.Class(f.Class).Quiet && (s.Allowed == nil || !s.Allowed(f.Class, e.Plain(path, text, f)))
}

// row is a line of a view: where its text begins in the view and in the text without numbers.
type row struct{ view, text int }

// unnumbered takes the numbers off the lines of a view. rows is nil for what is no view of a file.
func unnumbered(view string) (text []byte, rows []row) {
	at := 0
	for line := range strings.Lines(view) {
		label, _, ok := strings.Cut(line, "\t")
		if ok && isNumber(label) {
			rows = append(rows, row{at + len(label) + 1, len(text)})
			text = append(text, line[len(label)+1:]...)
		}
		at += len(line)
	}
	return text, rows
}

func isNumber(label string) bool {
	label = strings.TrimLeft(label, " ")
	return label != "" && strings.Trim(label, "0123456789") == ""
}

// renumbered carries the edits over to the view. An edit over several lines leaves their numbers, so that
// the agent's line numbers stay right.
func renumbered(view string, text []byte, rows []row, edits []scrub.Edit) string {
	var out bytes.Buffer
	done := 0 // of the view
	at := 0   // the row at hand
	for _, ed := range edits {
		for at+1 < len(rows) && rows[at+1].text <= ed.Start {
			at++
		}
		first := true
		for start := ed.Start; start < ed.End; {
			end := len(text)
			if at+1 < len(rows) {
				end = rows[at+1].text
			}
			stop := min(ed.End, end)
			if stop == end && stop > start && text[stop-1] == '\n' {
				stop-- // the line end belongs to the view
			}
			from := rows[at].view + start - rows[at].text
			out.WriteString(view[done:from])
			if first {
				out.WriteString(strings.ReplaceAll(ed.Text, "\n", " "))
			}
			first = false
			done = from + stop - start
			if start = end; at+1 < len(rows) && start < ed.End {
				at++
			}
		}
	}
	out.WriteString(view[done:])
	return out.String()
}
