package diff

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"
)

// draw writes rows as a unified diff with line numbers and marks words.
func draw(rows []Row) string {
	var s strings.Builder
	for _, row := range rows {
		switch row.Kind {
		case HunkHeader:
			fmt.Fprintf(&s, "%s\n", row.Text)
			continue
		case NoNewline, Note:
			fmt.Fprintf(&s, "(%s)\n", row.Text)
			continue
		}
		fmt.Fprintf(&s, "%d %d %c%s\n", row.ANumber, row.BNumber, " -+"[row.Kind-Context], marked(string(row.Text), row.Words))
	}
	return s.String()
}

func rowsOf(a, b string, lines int) []Row {
	r := Lines(context.Background(), []byte(a), []byte(b), Options{Timeout: time.Minute})
	v := Unified(r, NewText([]byte(a)), NewText([]byte(b)), lines)
	var rows []Row
	for i := range v.Len() {
		rows = append(rows, v.At(i).Sides[0])
	}
	return rows
}

func TestUnified(t *testing.T) {
	ten := "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n"
	for _, c := range []struct {
		name, a, b string
		context    int
		want       string
	}{
		{"equal", "a\n", "a\n", DefaultContext, ""},
		{"created", "", "a\nb\n", DefaultContext, "@@ -0,0 +1,2 @@\n0 1 +a\n0 2 +b\n"},
		{"emptied", "a\nb", "", DefaultContext, "@@ -1,2 +0,0 @@\n1 0 -a\n2 0 -b\n(\\ No newline at end of file)\n"},
		{"context", ten, strings.Replace(ten, "5", "five", 1), 1,
			"@@ -4,3 +4,3 @@\n4 4  4\n5 0 -5\n0 5 +five\n6 6  6\n"},
		{"two hunks", ten, "1\nB\n3\n4\n5\n6\n7\n8\nI\n10\n", 2,
			"@@ -1,4 +1,4 @@\n1 1  1\n2 0 -2\n0 2 +B\n3 3  3\n4 4  4\n" +
				"@@ -7,4 +7,4 @@\n7 7  7\n8 8  8\n9 0 -9\n0 9 +I\n10 10  10\n"},
		{"near changes share a hunk", ten, "1\nB\n3\n4\n5\n6\nG\n8\n9\n10\n", 2,
			"@@ -1,9 +1,9 @@\n1 1  1\n2 0 -2\n0 2 +B\n3 3  3\n4 4  4\n5 5  5\n6 6  6\n7 0 -7\n0 7 +G\n8 8  8\n9 9  9\n"},
		{"all lines", "1\n2\n3\n", "1\n2\n3\n4\n", WholeText, "@@ -1,3 +1,4 @@\n1 1  1\n2 2  2\n3 3  3\n0 4 +4\n"},
		{"newline lost", "a\nb\n", "a\nb", DefaultContext,
			"@@ -1,2 +1,2 @@\n1 1  a\n2 0 -b\n0 2 +b\n(\\ No newline at end of file)\n"},
		{"no newline on both sides", "a\nb", "A\nb", DefaultContext,
			"@@ -1,2 +1,2 @@\n1 0 -a\n0 1 +A\n2 2  b\n(\\ No newline at end of file)\n"},
		{"partner by likeness", "port is 80\nhost is alpha now\n", "new line\nhost is beta now\nport: 90\n", DefaultContext,
			"@@ -1,2 +1,3 @@\n1 0 -port is 80\n2 0 -host is [alpha] now\n0 1 +new line\n0 2 +host is [beta] now\n0 3 +port: 90\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := draw(rowsOf(c.a, c.b, c.context)); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func checkRows(t *testing.T, rows []Row, a, b Text) {
	t.Helper()
	for _, row := range rows {
		if row.ANumber > 0 && string(a.Line(row.ANumber-1)) != string(row.Text) ||
			row.BNumber > 0 && string(b.Line(row.BNumber-1)) != string(row.Text) {
			t.Fatalf("row %+v shows another line", row)
		}
	}
}
