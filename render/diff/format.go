package diff

import (
	"fmt"
	"strings"
)

const noNewlineMark = `\ No newline at end of file`

// Format writes a unified diff for patch. Names go into the two header lines;
// use /dev/null for a side that doesn't exist. For equal texts it returns
// nothing. The result must be exact, see [Result.SpaceIgnored].
func Format(r *Result, a, b []byte, nameA, nameB string, o Options) []byte {
	hunks := Hunks(r, o)
	if len(hunks) == 0 {
		return nil
	}
	w := formatter{r: r, a: NewText(a), b: NewText(b)}
	w.out = append(w.out, "--- "+patchName(nameA)+"\n+++ "+patchName(nameB)+"\n"...)
	for _, hunk := range hunks {
		w.out = append(append(w.out, hunk.Header()...), '\n')
		for _, op := range hunk.Ops {
			w.op(op)
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
	r    *Result
	a, b Text
	out  []byte
}

func (w *formatter) op(op Op) {
	if op.Kind == Insert {
		for i := op.BStart; i < op.BEnd; i++ {
			w.line('+', w.b.Line(i), w.r.BNoNewline && i == w.r.BLines-1)
		}
		return
	}
	sign := byte(' ')
	if op.Kind == Delete {
		sign = '-'
	}
	for i := op.AStart; i < op.AEnd; i++ {
		w.line(sign, w.a.Line(i), w.r.ANoNewline && i == w.r.ALines-1)
	}
}

func (w *formatter) line(sign byte, line []byte, open bool) {
	w.out = append(append(append(w.out, sign), line...), '\n')
	if open {
		w.out = append(w.out, noNewlineMark+"\n"...)
	}
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
