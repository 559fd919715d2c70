package scrubguard

import (
	"context"
	"strings"
	"testing"

	"memcurator/memstore"
)

// maskedNote is a store of one note whose values an agent reads as placeholders.
func maskedNote(t *testing.T, name, text string, o memstore.Options) *memstore.Store {
	t.Helper()
	k := New(nil, Settings{Read: true})
	k.engine = engine
	o.Guards = k.Guards()
	s := memstore.New(memstore.NewMemory(), o)
	if err := s.Backend().Create(name, []byte(text)); err != nil {
		t.Fatal(err)
	}
	return s
}

const uncovered = "A value that is masked would be shown after this."

func TestEditsThatUncoverAValueAreRefused(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		name, path, text string
		do               func(s *memstore.Store) memstore.Result
	}{
		{"the prefix of a token", "a.md", "token: " + token + "\n", func(s *memstore.Store) memstore.Result {
			return s.StrReplace(ctx, "/memories/a.md", "token: ", "tok. ")
		}},
		{"the word that names a password", "a.md", "password: " + secretKey + "\n", func(s *memstore.Store) memstore.Result {
			return s.StrReplace(ctx, "/memories/a.md", "password:", "pwd.")
		}},
		{"a word that allows it", "a.md", "password: " + secretKey + "\n", func(s *memstore.Store) memstore.Result {
			return s.StrReplace(ctx, "/memories/a.md", "password: ", "for example ")
		}},
		{"a line between the word and the value", "a.md", "Password:\n" + secretKey + "\n", func(s *memstore.Store) memstore.Result {
			return s.Insert(ctx, "/memories/a.md", 1, "\n\n# other\n\ntext of no interest\n")
		}},
		{"the first line of a key", "a.md", "-----BEGIN RSA PRIVATE" + " KEY-----\n" + strings.Repeat(secretKey+secretKey+"\n", 6) +
			"-----END RSA PRIVATE" + " KEY-----\n", func(s *memstore.Store) memstore.Result {
			return s.Insert(ctx, "/memories/a.md", 0, "\x00\x00\x00\x00")
		}},
		{"another format by the name", "a.csv", "user,password\nkim," + secretKey + "\n", func(s *memstore.Store) memstore.Result {
			if r := s.Rename(ctx, "/memories/a.csv", "/memories/a.txt"); r.IsError {
				return r
			}
			return s.View(ctx, "/memories/a.txt", nil)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := maskedNote(t, c.path, c.text, memstore.Options{})
			if view := s.View(ctx, "/memories/"+c.path, nil).Content; !strings.Contains(view, "[REDACTED:") || shownOf(view, secretKey, "") != "" {
				t.Fatalf("the value is not masked: %s", view)
			}
			r := c.do(s)
			if view := s.View(ctx, "/memories/"+c.path, nil).Content; shownOf(r.Content+view, secretKey, "") != "" {
				t.Errorf("%q, then %q", r.Content, view)
			}
			if got := textOf(t, s, c.path); strings.Contains(r.Content, uncovered) && got != c.text {
				t.Errorf("refused, and the file is %q", got)
			}
			mine := memstore.WithOrigin(ctx, memstore.Origin{Actor: memstore.Curator})
			if r := s.StrReplace(mine, "/memories/"+c.path, strings.SplitAfter(textOf(t, s, c.path), "\n")[0],
				"x"); strings.Contains(r.Content, uncovered) {
				t.Errorf("the curator is refused: %q", r.Content)
			}
		})
	}
}

// The answer to a guess of a part of a value is the same whether it is right or not.
func TestAGuessOfAMaskedValueLearnsNothing(t *testing.T) {
	ctx := context.Background()
	for _, d := range memstore.Dialects() {
		for _, guess := range []struct{ right, wrong string }{
			{secretKey[:5], "XXXXX"}, {"password: " + secretKey[:3], "password: XXX"},
			{secretKey[4:] + "\n", strings.Repeat("X", len(secretKey)-4) + "\n"},
			{"password: 4821Kqz", "password: 4821Kqy"},
		} {
			s := maskedNote(t, "a.md", "password: "+secretKey+"\nthe same password: "+secretKey+"\npassword: 4821Kqz\n",
				memstore.Options{Dialect: d})
			before := textOf(t, s, "a.md")
			answer := func(old string) string {
				return strings.ReplaceAll(s.StrReplace(ctx, "/memories/a.md", old, old).Content, old, "")
			}
			if right, wrong := answer(guess.right), answer(guess.wrong); right != wrong || textOf(t, s, "a.md") != before {
				t.Errorf("%s: %q is answered %q, and %q %q", d, guess.right, right, guess.wrong, wrong)
			}
			// What is typed beside the placeholder is not compared with what it stands for.
			typed := func(text string) string {
				s := maskedNote(t, "a.md", "password: "+secretKey+"\n", memstore.Options{Dialect: d})
				return strings.ReplaceAll(s.StrReplace(ctx, "/memories/a.md", "password: [REDACTED:password]", "password: "+text+" x").Content,
					text, "")
			}
			if right, wrong := typed(secretKey[:4]), typed("kP3v"); right != wrong {
				t.Errorf("%s: typed %q and %q", d, right, wrong)
			}
		}
	}
}

// An agent may delete what it sees as a placeholder, and may name a value that it knows whole.
func TestAMaskedValueCanBeReplacedWhole(t *testing.T) {
	ctx := context.Background()
	for _, old := range []string{"password: [REDACTED:password]", "[REDACTED:password]\nb", "password: " + secretKey, secretKey} {
		s := maskedNote(t, "a.md", "a\npassword: "+secretKey+"\nb\n", memstore.Options{})
		r := s.StrReplace(ctx, "/memories/a.md", old, "none")
		if r.IsError || strings.Contains(textOf(t, s, "a.md"), secretKey) {
			t.Errorf("%q: %q left %q", old, r.Content, textOf(t, s, "a.md"))
		}
	}
	s := maskedNote(t, "a.md", "a\npassword: "+secretKey+"\nb\n", memstore.Options{})
	if r := s.StrReplace(ctx, "/memories/a.md", "b\n", "c\n"); r.IsError ||
		!strings.Contains(r.Content, "     2\tpassword: [REDACTED:password]\n     3\tc") {
		t.Errorf("%q", r.Content)
	}
}

// The context that makes a text a value may be outside the rows that are shown.
func TestAPartOfANoteIsMaskedAsTheWhole(t *testing.T) {
	ctx := context.Background()
	key := "-----BEGIN RSA PRIVATE" + " KEY-----\n" + strings.Repeat(secretKey+secretKey+"\n", 12) + "-----END RSA PRIVATE" + " KEY-----\n"
	s := maskedNote(t, "a.md", "Password:\n"+secretKey+"\n\n"+key+"end\n", memstore.Options{})
	rows := strings.Count(textOf(t, s, "a.md"), "\n")
	for from := 1; from <= rows; from++ {
		for _, to := range []int{from, min(from+2, rows), -1} {
			if view := s.View(ctx, "/memories/a.md", []int{from, to}); view.IsError || shownOf(view.Content, secretKey, "") != "" {
				t.Errorf("rows %d to %d: %q", from, to, view.Content)
			}
		}
	}
	if view := s.View(ctx, "/memories/a.md", []int{rows, rows}).Content; !strings.HasSuffix(view, "\tend") {
		t.Errorf("%q", view)
	}
	if r := s.StrReplace(ctx, "/memories/a.md", "end", "the end"); r.IsError || shownOf(r.Content, secretKey, "") != "" {
		t.Errorf("%q", r.Content)
	}
}
