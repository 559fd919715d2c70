package scrub

import (
	"bytes"
	"context"

	"memcurator/memstore/scrub/view"
)

// A long text is scanned window by window, so that neither the memory nor the time in
// which a cancelled scan ends grows with it.
const (
	windowSize = 1 << 20
	// windowBefore and windowAfter are how far round a window is looked. No rule looks
	// further, except into encoded text.
	windowBefore = 32 << 10
	windowAfter  = 64 << 10
)

// window is a part of a text. What begins between from and to is reported.
type window struct {
	*view.View
	part     []byte // what the view is of
	carried  int    // bytes in front that stand further up in the text: the head of a table
	offset   int    // of the byte behind those, in the text
	from, to int    // in the text
}

// windows visits a text in windows, one after another, until visit returns false. visit
// returns what the next window carries in front.
func windows(ctx context.Context, text []byte, format view.Format, size int, visit func(*window) (carry []byte, more bool)) error {
	var carry []byte
	for from := 0; from < len(text); {
		if err := ctx.Err(); err != nil {
			return err
		}
		w := &window{from: from, to: len(text), offset: max(0, from-windowBefore)}
		end := len(text)
		if len(text)-from > size+windowAfter {
			w.to = cutAt(text, from+size)
			end = min(len(text), w.to+windowAfter)
		}
		if from > 0 {
			w.offset = cutAt(text, w.offset)
		}
		part := text[w.offset:end]
		if w.carried = len(carry); w.carried > 0 {
			part = append(carry[:len(carry):len(carry)], part...)
		}
		w.part, w.View = part, view.New(part, format)
		more := false
		if carry, more = visit(w); !more {
			break
		}
		from = w.to
	}
	return ctx.Err()
}

// cutAt is a place at or shortly before at where a text may be cut: behind a line end,
// else between two characters.
func cutAt(text []byte, at int) int {
	if i := bytes.LastIndexByte(text[max(0, at-4096):at], '\n'); i >= 0 {
		return max(0, at-4096) + i + 1
	}
	for stop := max(0, at-4); at > stop && text[at]&0xc0 == 0x80; {
		at--
	}
	return at
}

// findings are the candidates that begin in the window itself, in the text.
func (w *window) findings(found []candidate) []Finding {
	var out []Finding
	for _, c := range found {
		if start, end, ok := w.place(c.start, c.end); ok {
			out = append(out, c.finding(start, end))
		}
	}
	return out
}

// place maps a span of the view to the text; not ok if it does not begin in the window itself.
func (w *window) place(start, end int) (from, to int, ok bool) {
	from, to = w.Span(start, end)
	if from < w.carried {
		return 0, 0, false
	}
	from, to = from-w.carried+w.offset, to-w.carried+w.offset
	return from, to, from < to && from >= w.from && from < w.to
}

// scanLong runs everything on a text of several windows.
func (e *Engine) scanLong(ctx context.Context, text []byte, format view.Format) (Report, error) {
	var report Report
	err := windows(ctx, text, format, e.window, func(w *window) ([]byte, bool) {
		s := newScan(ctx, e, w.Text, format)
		found := s.all()
		report.Findings = append(report.Findings, w.findings(found)...)
		return w.openTable(s.tables), len(report.Findings) <= MostFindings
	})
	if err != nil {
		return Report{}, err
	}
	err = e.repeats(ctx, text, format, &report)
	return report, err
}

// openTable is the head of the table that continues past the window, nil if none does.
func (w *window) openTable(t *tables) []byte {
	behind := w.At(w.to - w.offset + w.carried)
	if t.tableRows == 0 || t.tableHead >= behind || t.tableEnd <= behind {
		return nil
	}
	start, end := w.Span(t.tableHead, t.tableRows)
	return bytes.Clone(w.part[start:end])
}
