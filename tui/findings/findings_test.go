package findings

import (
	"context"
	"strconv"
	"strings"
	"testing"
	"time"

	"memcurator/keymap"
	"memcurator/memstore"
	"memcurator/memstore/findings"
	"memcurator/memstore/scrub"
	"memcurator/render/text"
	"memcurator/render/theme"
	"memcurator/tui/ui"

	"github.com/charmbracelet/x/ansi"
)

// boxOf is a box with what a scan finds in some texts.
func boxOf(t *testing.T, o theme.Options, texts ...string) *Box {
	t.Helper()
	b := memstore.NewMemory()
	for i, s := range texts {
		if err := b.Create(strings.Repeat("日本", i)+"a\x1b[31m.md", []byte(s)); err != nil {
			t.Fatal(err)
		}
	}
	e, _ := scrub.New(scrub.Options{})
	s, err := findings.Scan(context.Background(), findings.Options{Engine: e, Backend: b})
	if err != nil {
		t.Fatal(err)
	}
	env := &ui.Env{Styles: theme.New(o), Keys: keymap.Default(), ASCII: o.ASCII, Now: time.Now}
	box := New(env, func(g *findings.Group) string { return "[REDACTED:" + g.Class + "]" }, func() string { return "" })
	box.SetSurvey(s)
	return box
}

// Whatever bytes stand about a value, the box has as many rows as it is high, each as wide as it is.
func TestRowsFitWhateverTheText(t *testing.T) {
	token := "gh" + "p_" + strings.Repeat("a1B2c3", 6)
	texts := []string{
		"token: " + token + "\n", "パスワードは" + "Tr0ub4dor" + "&3x" + "です。👩‍👩‍👧 \u202eabc\n", "\x1b[2J\ttoken:\t" + token + "\xff\xfe\n",
		"key: -----BEGIN RSA PRIVATE" + " KEY-----\n" + strings.Repeat("aB3/", 200) + "\n-----END RSA PRIVATE" + " KEY-----\n",
	}
	for _, o := range []theme.Options{{Name: theme.Dark}, {Name: theme.Mono, ASCII: true}} {
		box := boxOf(t, o, texts...)
		if len(box.groups) < 3 {
			t.Fatalf("%d values", len(box.groups))
		}
		for _, id := range []keymap.ID{keymap.FindingReveal, keymap.Down, keymap.FindingReveal, keymap.FindingTick, keymap.FindingNext, keymap.Bottom, keymap.FindingReveal, keymap.FindingClass} {
			box.Handle(id)
			for w := 1; w < 130; w += 7 {
				for h := 1; h < 40; h += 6 {
					rows := box.Rows(w, h)
					if len(rows) != h {
						t.Fatalf("%d rows, want %d", len(rows), h)
					}
					for _, row := range rows {
						if n := text.Width(ansi.Strip(row)); n != w {
							t.Fatalf("%dx%d: a row of %d cells: %q", w, h, n, row)
						}
					}
				}
			}
		}
	}
}

// Decisions stay with their values when a newer survey comes; what is masked is masked again.
func TestDecisionsStayWithTheirValues(t *testing.T) {
	token, other := "gh"+"p_"+strings.Repeat("a1B2c3", 6), "gh"+"p_"+strings.Repeat("x9Y8z7", 6)
	box := boxOf(t, theme.Options{Name: theme.Dark}, "token: "+token+"\n", "token: "+other+"\n")
	box.Handle(keymap.FindingTick)
	accepted := box.Accepted()
	if len(accepted) != 1 {
		t.Fatalf("%d accepted", len(accepted))
	}
	again := box.survey
	box.SetSurvey(again)
	if now := box.Accepted(); len(now) != 1 || now[0].ID != accepted[0].ID {
		t.Errorf("%+v", now)
	}
	for _, row := range box.Rows(120, 30) {
		if strings.Contains(row, token[4:]) || strings.Contains(row, other[4:]) {
			t.Errorf("a value is shown unasked: %q", row)
		}
	}
	box.Handle(keymap.FindingTickAll)
	if !box.AcceptsAll() {
		t.Error("not all are accepted")
	}
	box.Handle(keymap.FindingTickAll)
	if len(box.Accepted()) != 0 {
		t.Error("some are accepted")
	}
}

// A list of tens of thousands of values is drawn and narrowed while the user types.
func BenchmarkManyValues(b *testing.B) {
	var text strings.Builder
	for i := range 20_000 {
		text.WriteString("token: gh" + "p_" + strings.Repeat("a", 20) + strconv.Itoa(1_000_000_000_000_000+i*7_919) + "\n")
	}
	m := memstore.NewMemory()
	if err := m.Create("a.md", []byte(text.String())); err != nil {
		b.Fatal(err)
	}
	e, _ := scrub.New(scrub.Options{})
	s, err := findings.Scan(context.Background(), findings.Options{Engine: e, Backend: m})
	if err != nil || len(s.Groups) < 10_000 {
		b.Fatal(len(s.Groups), err)
	}
	env := &ui.Env{Styles: theme.New(theme.Options{Name: theme.Dark}), Keys: keymap.Default(), Now: time.Now}
	box := New(env, func(*findings.Group) string { return "" }, func() string { return "" })
	box.SetSurvey(s)
	for name, do := range map[string]func(){
		"rows":   func() { box.Rows(110, 30) },
		"filter": func() { box.SetFilter("github a.m"); box.SetFilter("") },
		"accept": func() { box.Handle(keymap.FindingTickAll); box.Rows(110, 30) },
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				do()
			}
		})
	}
}
