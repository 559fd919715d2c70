package diff

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

const noNewlineMark = `\ No newline at end of file`

// Format writes a unified diff, for patch unless o.LineMost cuts lines. Names go into the two header lines;
// use /dev/null for a side that doesn't exist. For equal texts it returns
// nothing.
func Format(r *Result, a, b []byte, nameA, nameB string, o Options) []byte {
	hunks := Hunks(r, DefaultContext)
	if len(hunks) == 0 {
		return nil
	}
	w := formatter{r: r, a: NewText(a), b: NewText(b), lineMost: o.LineMost}
	w.out = append(w.out, "--- "+patchName(nameA)+"\n+++ "+patchName(nameB)+"\n"...)
	for _, hunk := range hunks {
		w.out = append(append(w.out, hunk.Header()...), '\n')
		for i, op := range hunk.Ops {
			var other Op // that replaces it, or is replaced by it
			if at := i + 1; op.Kind == Delete && at < len(hunk.Ops) && hunk.Ops[at].Kind == Insert {
				other = hunk.Ops[at]
			} else if at := i - 1; op.Kind == Insert && at >= 0 && hunk.Ops[at].Kind == Delete {
				other = hunk.Ops[at]
			}
			w.op(op, other)
		}
	}
	return w.out
}

// RenameHeader returns the lines that precede a patch with a rename, for git
// apply; the names are those of Format without "a/" and "b/".
func RenameHeader(nameA, nameB string) []byte {
	bare := func(name string) string { return strings.TrimSuffix(patchName(name), "\t") }
	out := "diff --git " + bare("a/"+nameA) + " " + bare("b/"+nameB) + "\n"
	return []byte(out + "rename from " + bare(nameA) + "\nrename to " + bare(nameB) + "\n")
}

type formatter struct {
	r        *Result
	a, b     Text
	lineMost int
	out      []byte
}

// op writes the lines of an op; other is what replaces them, or what they replace.
func (w *formatter) op(op, other Op) {
	if op.Kind == Insert {
		for i := op.BStart; i < op.BEnd; i++ {
			var was []byte
			if at := other.AStart + i - op.BStart; at < other.AEnd {
				was = w.a.Line(at)
			}
			w.line('+', w.b.Line(i), was, w.r.BNoNewline && i == w.r.BLines-1)
		}
		return
	}
	sign := byte(' ')
	if op.Kind == Delete {
		sign = '-'
	}
	for i := op.AStart; i < op.AEnd; i++ {
		var becomes []byte
		if at := other.BStart + i - op.AStart; at < other.BEnd {
			becomes = w.b.Line(at)
		}
		w.line(sign, w.a.Line(i), becomes, w.r.ANoNewline && i == w.r.ALines-1)
	}
}

func (w *formatter) line(sign byte, line, other []byte, open bool) {
	w.out = append(w.out, sign)
	if w.lineMost > 0 && len(line) > w.lineMost {
		line = around(line, other, w.lineMost)
	}
	w.out = append(append(w.out, line...), '\n')
	if open {
		w.out = append(w.out, noNewlineMark+"\n"...)
	}
}

// around is a line cut to about most bytes around the place where it begins to differ from another one.
func around(line, other []byte, most int) (out []byte) {
	from := 0
	for from < min(len(line), len(other)) && line[from] == other[from] {
		from++
	}
	from = max(0, min(from-most/2, len(line)-most))
	to := from + most
	for from > 0 && !utf8.RuneStart(line[from]) {
		from--
	}
	for to < len(line) && !utf8.RuneStart(line[to]) {
		to++
	}
	if from > 0 {
		out = fmt.Appendf(out, "[%d bytes] ", from)
	}
	out = append(out, line[from:to]...)
	if to < len(line) {
		out = fmt.Appendf(out, " [%d bytes]", len(line)-to)
	}
	return out
}

// patchName quotes a name as GNU diff does if a character would end it early,
// and adds a tab after one with a space.
func patchName(name string) string {
	tab := ""
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c < ' ' || c == '"' || c == '\\' || c == 0x7f:
			return quoteName(name)
		case c == ' ':
			tab = "\t"
		}
	}
	return name + tab
}

// quoteName writes a C string with octal escapes, which patch reads.
func quoteName(name string) string {
	out := `"`
	for _, c := range []byte(name) {
		switch {
		case c == '"' || c == '\\':
			out += "\\" + string(c)
		case c < ' ' || c == 0x7f:
			out += fmt.Sprintf(`\%03o`, c)
		default:
			out += string([]byte{c})
		}
	}
	return out + `"`
}
