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
	offset   int // of its first byte, in the text
	from, to int // in the text
}

// windows visits a text in windows, one after another, until visit returns false.
func windows(ctx context.Context, text []byte, format view.Format, size int, visit func(*window) (more bool)) error {
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
		w.View = view.New(text[w.offset:end], format)
		if !visit(w) {
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
	from, to = from+w.offset, to+w.offset
	return from, to, from < to && from >= w.from && from < w.to
}

// scanLong runs everything on a text of several windows.
func (e *Engine) scanLong(ctx context.Context, text []byte, format view.Format) (Report, error) {
	var report Report
	err := windows(ctx, text, format, e.window, func(w *window) bool {
		s := newScan(ctx, e, w.Text, format)
		report.Findings = append(report.Findings, w.findings(s.all())...)
		return len(report.Findings) <= MostFindings
	})
	if err != nil {
		return Report{}, err
	}
	err = e.repeats(ctx, text, format, &report)
	return report, err
}
