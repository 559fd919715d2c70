package diff

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"
)

// drawSplit writes split rows as sdiff does: left, sign, right, words marked.
func drawSplit(rows []Line) string {
	var s strings.Builder
	for _, row := range rows {
		switch row.Kind {
		case HunkHeader, Note:
			fmt.Fprintf(&s, "%s\n", row.Sides[0].Text)
		default:
			sign := map[RowKind]string{Context: " ", Removed: "<", Added: ">", changed: "|", NoNewline: "\\"}[row.Kind]
			fmt.Fprintf(&s, "%s %s %s\n", drawSide(row.Sides[0]), sign, drawSide(row.Sides[1]))
		}
	}
	return s.String()
}

func drawSide(row Row) string {
	switch row.Kind {
	case Filler:
		return "~"
	case NoNewline:
		return "open"
	default:
		return fmt.Sprintf("%d:%s", row.ANumber+row.BNumber, marked(string(row.Text), row.Words))
	}
}

func splitOf(a, b string) *View {
	r := Lines(context.Background(), []byte(a), []byte(b), Options{})
	return Split(r, NewText([]byte(a)), NewText([]byte(b)), DefaultContext)
}

func TestSplit(t *testing.T) {
	for _, c := range []struct {
		name, a, b string
		want       string
	}{
		{"created", "", "a\nb\n", "@@ -0,0 +1,2 @@\n~ > 1:a\n~ > 2:b\n"},
		{"emptied", "a\nb", "", "@@ -1,2 +0,0 @@\n1:a < ~\n2:b < ~\nopen \\ ~\n"},
		{"changed words", "x\nask Ana on Monday\ny\n", "x\nask Bob on Monday\ny\n",
			"@@ -1,3 +1,3 @@\n1:x   1:x\n2:ask [Ana] on Monday | 2:ask [Bob] on Monday\n3:y   3:y\n"},
		{"partners stand opposite", "port is 80\nhost is alpha now\n", "new line\nmore\nhost is beta now\nport: 90\n",
			"@@ -1,2 +1,4 @@\n1:port is 80 | 1:new line\n~ > 2:more\n2:host is [alpha] now | 3:host is [beta] now\n~ > 4:port: 90\n"},
		{"newline lost", "a\nb\n", "a\nb", "@@ -1,2 +1,2 @@\n1:a   1:a\n2:b | 2:b\n~ \\ open\n"},
		{"no newline on both sides", "a\nb", "A\nb", "@@ -1,2 +1,2 @@\n1:a | 1:A\n2:b   2:b\nopen \\ open\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := splitOf(c.a, c.b)
			if got := drawSplit(allOf(v)); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func allOf(v *View) (rows []Line) {
	for i := range v.Len() {
		rows = append(rows, v.At(i))
	}
	return rows
}

// checkSplit holds for every pair of texts: the sides, read down, are the two texts, as
// far as they are shown; a row has the kind that its sides make up.
func checkSplit(t *testing.T, rows []Line, a, b Text, all bool) {
	t.Helper()
	lastA, lastB := 0, 0
	for _, row := range rows {
		l, r := row.Sides[0], row.Sides[1]
		if row.Kind == HunkHeader {
			continue
		}
		want := map[[2]RowKind]RowKind{{Context, Context}: Context, {Removed, Added}: changed, {Removed, Filler}: Removed, {Filler, Added}: Added,
			{NoNewline, Filler}: NoNewline, {Filler, NoNewline}: NoNewline, {NoNewline, NoNewline}: NoNewline}
		if kind, ok := want[[2]RowKind{l.Kind, r.Kind}]; !ok || kind != row.Kind {
			t.Fatalf("a row of kind %d has sides of kind %d and %d", row.Kind, l.Kind, r.Kind)
		}
		if l.ANumber > 0 {
			if l.ANumber <= lastA || all && l.ANumber != lastA+1 || string(a.Line(l.ANumber-1)) != string(l.Text) {
				t.Fatalf("left line %d after %d is %q", l.ANumber, lastA, l.Text)
			}
			lastA = l.ANumber
		}
		if r.BNumber > 0 {
			if r.BNumber <= lastB || all && r.BNumber != lastB+1 || string(b.Line(r.BNumber-1)) != string(r.Text) {
				t.Fatalf("right line %d after %d is %q", r.BNumber, lastB, r.Text)
			}
			lastB = r.BNumber
		}
		if row.Kind == Context && !bytes.Equal(l.Text, r.Text) {
			t.Fatalf("equal lines %q and %q", l.Text, r.Text)
		}
	}
	if all && len(rows) > 0 && (lastA != a.Len() || lastB != b.Len()) {
		t.Fatalf("the rows end at lines %d and %d of %d and %d", lastA, lastB, a.Len(), b.Len())
	}
}

func TestSpaceAtTheEnd(t *testing.T) {
	if TrailingSpace([]byte("a \t\r")) != 1 || TrailingSpace([]byte(" a")) != 2 || !Blank([]byte(" \t")) || Blank([]byte(" a")) {
		t.Error("white space at the end is measured wrong")
	}
}

func FuzzSplit(f *testing.F) {
	f.Add("a\nb\n", "b\na", 1)
	f.Add("x \xff\n\n", "x\xff\n", -1)
	f.Fuzz(func(t *testing.T, a, b string, lines int) {
		if lines < 0 {
			lines = WholeText
		}
		r := Lines(context.Background(), []byte(a), []byte(b), Options{})
		v := Split(r, NewText([]byte(a)), NewText([]byte(b)), min(lines, WholeText))
		checkSplit(t, allOf(v), NewText([]byte(a)), NewText([]byte(b)), lines >= WholeText)
		for _, row := range rowsOf(a, b, min(lines, WholeText)) {
			unmarked(t, row.Text, row.Words)
		}
	})
}
