package overlay

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"memcurator/keymap"
	"memcurator/render/theme"
	"memcurator/tui/ui"
)

func environment() *ui.Env {
	return &ui.Env{Styles: theme.New(theme.Options{Dark: true}), Keys: keymap.Default(), Jobs: ui.NewJobs(context.Background())}
}

// draw holds what the root relies on: the wanted size is kept to, rows have exact sizes
// and nothing raw is in them.
func draw(t *testing.T, o ui.Overlay, maxW, maxH int) []string {
	t.Helper()
	w, h := o.Size(maxW, maxH)
	if w < 1 || h < 1 || w > max(1, maxW) || h > max(1, maxH) {
		t.Fatalf("wants %dx%d of %dx%d", w, h, maxW, maxH)
	}
	rows := o.Rows(w, h)
	if len(rows) != h {
		t.Fatalf("%d rows in a box of %d", len(rows), h)
	}
	for i, row := range rows {
		if got := ansi.StringWidth(row); got != w {
			t.Fatalf("row %d is %d cells wide in a box of %d: %q", i, got, w, row)
		}
		rows[i] = ansi.Strip(row)
		if strings.ContainsFunc(rows[i], func(r rune) bool { return r < 0x20 || r >= 0x7f && r < 0xa0 || r == 0x202e }) {
			t.Fatalf("row %d is raw: %q", i, row)
		}
	}
	return rows
}

func trimmed(rows []string) []string {
	out := make([]string, len(rows))
	for i, row := range rows {
		out[i] = strings.TrimRight(strings.TrimPrefix(row, " "), " ")
	}
	return out
}

const hostile = "plain\n\x1b[31mred\x1b[0m\t\x1b]52;c;YQ==\a\r\n日本語とEnglishの混ざった行です\n\u202eabc\u202c\xff\xfe\n\ttab\tstops\n\n" +
	"a long line of words that has to be wrapped at spaces because no box is as wide as it is, or only a very wide one\n"

func TestTextFitsEveryBox(t *testing.T) {
	for _, body := range []string{"", "\n", "one", hostile, strings.Repeat("全", 300), strings.Repeat("x\n", 500)} {
		for w := 1; w <= 130; w += 1 + w/3 {
			for h := 1; h <= 40; h += 1 + h/2 {
				o := NewText(environment(), "result", "title "+strings.Repeat("t", 40), body, w%2 == 0)
				draw(t, o, w, h)
				for _, id := range []keymap.ID{keymap.Down, keymap.PageDown, keymap.Bottom, keymap.HalfUp, keymap.Up, keymap.PageUp, keymap.HalfDown, keymap.Top, keymap.Right} {
					if !o.Handle(id) {
						t.Fatalf("%s is not handled", id)
					}
					draw(t, o, w, h)
				}
			}
		}
	}
}

func TestWrappedTextLosesNothing(t *testing.T) {
	o := NewText(environment(), "result", "t", hostile, false)
	got := strings.Join(draw(t, o, 20, 1000), "")
	want := "plain^[[31mred^[[0m^[]52;c;YQ==^G^M日本語とEnglishの混ざった行です<U+202E>abc<U+202C>\\xff\\xfetabstops"
	if squeezed := strings.ReplaceAll(got, " ", ""); !strings.HasPrefix(squeezed, want) {
		t.Errorf("%q does not begin with %q", squeezed, want)
	}
}

// A narrow box has no room for the column of the keys: the words begin behind a key, and go on indented.
func TestNarrowHelpWrapsWithinItsColumn(t *testing.T) {
	o := NewText(environment(), "help", "Keys", "Tree\n  enter               open the file, or unfold the folder", false)
	o.Hang = ui.KeyLineText
	rows := strings.Join(draw(t, o, 36, 10), "\n")
	if !strings.Contains(rows, "  enter  open the file, or unfold") || !strings.Contains(rows, "     the folder") {
		t.Errorf("\n%s", rows)
	}
}

func TestScrollingReachesBothEndsAndStops(t *testing.T) {
	body := make([]string, 100)
	for i := range body {
		body[i] = fmt.Sprint("line ", i)
	}
	o := NewText(environment(), "result", "t", strings.Join(body, "\n"), false)
	first := func() string { return trimmed(draw(t, o, 40, 10))[0] }
	first()
	for _, step := range []struct {
		id   keymap.ID
		want string
	}{
		{keymap.Up, "line 0"},
		{keymap.Down, "line 1"},
		{keymap.PageDown, "line 10"},
		{keymap.HalfDown, "line 15"},
		{keymap.Bottom, "line 90"},
		{keymap.Down, "line 90"},
		{keymap.PageUp, "line 81"},
		{keymap.HalfUp, "line 76"},
		{keymap.Top, "line 0"},
	} {
		o.Handle(step.id)
		if got := first(); got != step.want {
			t.Errorf("after %s the first row is %q, want %q", step.id, got, step.want)
		}
	}
}

func TestFilterKeepsTheLinesThatContainIt(t *testing.T) {
	o := NewText(environment(), "help", "t", "Alpha one\nbeta two\nALPHA three\n日本語 alpha", false)
	o.SetFooter("the footer")
	if o.Footer() != "the footer" {
		t.Errorf("the footer is %q", o.Footer())
	}
	o.SetFilter("AlPhA")
	if got := trimmed(draw(t, o, 60, 20)); strings.Join(got, "|") != "Alpha one|ALPHA three|日本語 alpha" {
		t.Errorf("filtered rows are %q", got)
	}
	if o.Footer() != "/alpha  3 lines" {
		t.Errorf("the footer is %q", o.Footer())
	}
	// Lines are counted, not the rows that they take.
	draw(t, o, 5, 20)
	if o.Footer() != "/alpha  3 lines" {
		t.Errorf("in a narrow box the footer is %q", o.Footer())
	}
	o.SetFilter("nothing like it")
	draw(t, o, 60, 20)
	if o.Footer() != "/nothing like it  no line matches" {
		t.Errorf("without a match the footer is %q", o.Footer())
	}
	o.SetFilter("")
	if got := draw(t, o, 60, 20); len(got) != 4 || o.Footer() != "the footer" {
		t.Errorf("without the filter there are %d rows and the footer %q", len(got), o.Footer())
	}
}

func TestHugeTextIsCutAndCopiedWhole(t *testing.T) {
	body := strings.Repeat("全", 1<<20)
	o := NewText(environment(), "result", "t", body, false)
	o.SetFilter("")
	draw(t, o, 100, 30)
	o.Handle(keymap.Bottom)
	rows := trimmed(draw(t, o, 100, 30))
	if want := fmt.Sprintf("... %d bytes more; y copies all of it", len(body)-wrapUpTo); rows[len(rows)-1] != want {
		t.Errorf("the last row is %q, want %q", rows[len(rows)-1], want)
	}
	if strings.Contains(strings.Join(rows, ""), `\x`) {
		t.Error("the cut goes through a character")
	}
	if o.Content() != body {
		t.Error("not all of it would be copied")
	}
	if small := NewText(environment(), "result", "t", "abc\xff", false); small.Content() != "abc\xff" {
		t.Errorf("%q would be copied", small.Content())
	}
}

func TestCutKeepsBytesThatAreNoText(t *testing.T) {
	for _, s := range []string{"", "a", "全", "\xff", "a\x80\x80\x80\x80", "\xf5\x80"} {
		if got := whole(s); got != s {
			t.Errorf("%q became %q", s, got)
		}
	}
	if got := whole("a全"[:3]); got != "a" {
		t.Errorf("a cut character left %q", got)
	}
}

func TestQuestionShowsAllOfALongPathOnASmallScreen(t *testing.T) {
	q := NewQuestion(environment(), "Delete?", strings.Repeat("long-", 60)+"\n1 file\n\nu undoes it")
	seen := ""
	draw(t, q, 16, 3)
	for range 60 {
		seen += strings.Join(trimmed(draw(t, q, 16, 3)), "")
		if !q.Handle(keymap.Down) {
			t.Fatal("a question does not scroll")
		}
	}
	if !strings.Contains(seen, "u undoes it") {
		t.Error("the end of the question cannot be reached")
	}
	if len(q.Scopes()) == 0 || q.Scopes()[0] != keymap.Confirm {
		t.Errorf("answers are looked up in %v", q.Scopes())
	}
}

func TestMenuNamesEveryChoice(t *testing.T) {
	env := environment()
	m := NewMenu(env, "Copy", keymap.Copy, env.Keys.InScope(keymap.Copy))
	rows := strings.Join(draw(t, m, 100, 30), "\n")
	for _, a := range env.Keys.InScope(keymap.Copy) {
		if !strings.Contains(rows, a.Help) {
			t.Errorf("the menu lacks %q", a.Help)
		}
	}
}

func TestPaletteNarrowsAndChooses(t *testing.T) {
	p := NewPalette(environment(), nil, []string{"view PATH", "delete PATH"})
	all := len(p.shown)
	draw(t, p, 80, 24)
	p.SetFilter("lines wrap")
	if a, ok := p.Chosen(); !ok || a.ID != keymap.Wrap {
		t.Errorf("%v %v is chosen", a.ID, ok)
	}
	p.SetFilter("delete path")
	if a, ok := p.Chosen(); !ok || a.Name != "delete" || a.ID != "" {
		t.Errorf("%+v %v is chosen for a memory command", a, ok)
	}
	p.SetFilter("no such action")
	if _, ok := p.Chosen(); ok {
		t.Error("something is chosen where nothing matches")
	}
	p.Handle(keymap.Down)
	draw(t, p, 80, 24)
	p.SetFilter("")
	if len(p.shown) != all {
		t.Errorf("%d of %d actions are back", len(p.shown), all)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		p.Handle([]keymap.ID{keymap.Down, keymap.HistoryNewer, keymap.Up, keymap.HistoryOlder}[r.IntN(4)])
		rows := draw(t, p, 1+r.IntN(90), 1+r.IntN(20))
		marked := 0
		for _, row := range rows {
			if strings.HasPrefix(row, p.env.Styles.Glyphs.Cursor) {
				marked++
			}
		}
		if marked != 1 {
			t.Fatalf("%d rows are marked", marked)
		}
	}
}

// An action is found first by its exact name, then by how a name begins, then by its help, and is listed once.
func TestPaletteRanksNamesFirst(t *testing.T) {
	p := NewPalette(environment(), []keymap.Scope{keymap.Diff, keymap.Global}, nil)
	listed := map[keymap.ID]bool{}
	for _, a := range p.actions {
		if listed[a.ID] {
			t.Errorf("%s is listed twice", a.ID)
		}
		listed[a.ID] = true
	}
	for _, name := range []string{"undo", "redo", "revert", "restore", "delete-marked", "help", "copy"} {
		p.SetFilter(name)
		if a, _ := p.Chosen(); a.Name != name {
			t.Errorf("%q chooses %q", name, a.Name)
		}
	}
	p.SetFilter("rever")
	if a, _ := p.Chosen(); !strings.HasPrefix(a.Name, "rever") {
		t.Errorf("the beginning of a name chooses %q", a.Name)
	}
}

func BenchmarkHugeTextRows(b *testing.B) {
	o := NewText(environment(), "result", "t", strings.Repeat("some words of a long result, 日本語\n", 1<<12), false)
	for b.Loop() {
		w, h := o.Size(110, 50)
		o.Rows(w, h)
	}
}

func TestQuestionRepeatsItsVerbInTheAnswer(t *testing.T) {
	q := NewQuestion(environment(), "Delete 3 files?", "a.md\nb.md\nc.md")
	w, h := q.Size(80, 20)
	rows := trimmed(draw(t, q, w, h))
	if got := rows[len(rows)-1]; got != "[y] Delete 3 files  [n] Cancel" {
		t.Errorf("the answers are %q", got)
	}
	for want, x := range map[keymap.ID]int{keymap.Yes: 1, keymap.No: 23} {
		if id, ok := q.AnswerAt(x, h-1, w, h); !ok || id != want {
			t.Errorf("a click at %d answers %q, want %q", x, id, want)
		}
	}
	if _, ok := q.AnswerAt(0, 0, w, h); ok {
		t.Error("a click on the text is an answer")
	}
}

func TestQuestionWaitsForTheWord(t *testing.T) {
	q := NewTypedQuestion(environment(), "Purge 2 values everywhere?", "This cannot be undone.", "purge", "Purge 2 values")
	w, h := q.Size(80, 20)
	for i, key := range []string{"p", "x", "backspace", "u", "r", "g", "e"} {
		if !q.Handle(keymap.Accept) {
			t.Fatalf("enter is an answer after %d keys", i)
		}
		msg := tea.KeyPressMsg{Code: tea.KeyBackspace}
		if key != "backspace" {
			msg = tea.KeyPressMsg{Code: rune(key[0]), Text: key}
		}
		q.Type(msg)
	}
	rows := trimmed(draw(t, q, w, h))
	want := []string{"This cannot be undone.", "", "Type purge to confirm: purge", "", "[enter] Purge 2 values  [esc] Cancel"}
	if !slices.Equal(rows, want) {
		t.Errorf("the rows are %q, want %q", rows, want)
	}
	if at, ok := q.Cursor(); !ok || at != (ui.Point{X: 1 + len(want[2]), Y: 2}) {
		t.Errorf("the cursor is at %v", at)
	}
	if q.Handle(keymap.Accept) {
		t.Error("enter does not answer after the word")
	}
}

// Enter before the word says what to type. In a small box the first line, the word and the answers stay.
func TestQuestionAsksForTheWordAgain(t *testing.T) {
	q := NewTypedQuestion(environment(), "Purge 2 values everywhere?", "This cannot be undone.\none\ntwo\nthree", "purge", "Purge 2 values")
	q.Type(tea.KeyPressMsg{Code: 'p', Text: "p"})
	q.Handle(keymap.Accept)
	rows := trimmed(draw(t, q, 60, 9))
	if want := "Type the whole word: purge. esc cancels"; !slices.Contains(rows, want) {
		t.Errorf("the rows are %q, want one that is %q", rows, want)
	}
	q.Type(tea.KeyPressMsg{Code: 'u', Text: "u"})
	rows = trimmed(draw(t, q, 28, 4))
	want := []string{"This cannot be undone.", "Type purge to confirm: pu", "[enter] Purge 2 values", "[esc] Cancel"}
	if !slices.Equal(rows, want) {
		t.Errorf("the rows are %q, want %q", rows, want)
	}
	if at, _ := q.Cursor(); at.Y != 1 {
		t.Errorf("the cursor is in row %d", at.Y)
	}
}

// An action is found by the words of its help, and nothing that only holds their letters.
func TestPaletteFindsByWords(t *testing.T) {
	p := NewPalette(environment(), []keymap.Scope{keymap.Tree, keymap.Global}, nil)
	for word, want := range map[string][]string{
		"prune":  {"curate"},
		"purge":  {"purge", "purge-report"},
		"prvunr": {"previous-unread"},
	} {
		p.SetFilter(word)
		var got []string
		for _, i := range p.shown {
			got = append(got, p.actions[i].Name)
		}
		if !slices.Equal(got[:min(len(got), len(want))], want) || slices.Contains(got, "previous-unread") != (word == "prvunr") {
			t.Errorf("%q finds %q, want first %q", word, got, want)
		}
	}
}
