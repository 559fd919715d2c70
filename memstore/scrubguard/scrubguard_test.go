package scrubguard

import (
	"context"
	"strings"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/scrub"
)

var (
	engine   = func() *scrub.Engine { e, _ := scrub.New(scrub.Options{}); return e }()
	token    = "gh" + "p_" + strings.Repeat("a1B2c3", 6)
	password = strings.Join([]string{"Tr0ub4dor", "3x"}, "&")
)

func storeOf(t *testing.T, s Settings) *memstore.Store {
	t.Helper()
	k := New(func() *scrub.Engine { return engine }, s)
	return memstore.New(memstore.NewMemory(), memstore.Options{Guards: k.Guards()})
}

func textOf(t *testing.T, s *memstore.Store, name string) string {
	t.Helper()
	f, err := s.Backend().Open(name, memstore.Look)
	if err != nil {
		return ""
	}
	defer f.Close()
	info, err := f.Info()
	if err != nil {
		t.Fatal(err)
	}
	data := make([]byte, info.Size)
	_, _ = f.ReadAt(data, 0) // io.EOF at most
	return string(data)
}

func TestModes(t *testing.T) {
	for _, c := range []struct {
		name   string
		s      Settings
		text   string
		answer string // its end
		left   string
	}{
		{"off", Settings{}, "token: " + token, "/memories/a.md", "token: " + token},
		{"warn", Settings{Write: Warn}, "x\ntoken: " + token, "Warning: 1 sensitive value was written: github-token (line 2). " +
			"Secrets and personal data do not belong in memory.", "x\ntoken: " + token},
		{
			"mask", Settings{Write: Mask}, "token: " + token + "\nThe Grafana password is " + password + ".\n",
			"2 sensitive values were masked before writing: github-token (line 1), password (line 2). Do not write them again.",
			"token: REDACTED:github-token\nThe Grafana password is REDACTED:password.\n",
		},
		{"refuse", Settings{Write: Refuse}, "\n\ntoken: " + token, "Error: The text holds a sensitive value in line 3 " +
			"(github-token). Nothing was written. Leave the value out", ""},
		{
			"by class", Settings{Write: Mask, Classes: map[string]Mode{"password": Off, "github-token": Warn}},
			"token: " + token + "\nThe Grafana password is " + password + ".\n",
			"1 sensitive value was written: github-token (line 1). Secrets and personal data do not belong in memory.",
			"token: " + token + "\nThe Grafana password is " + password + ".\n",
		},
		{"dismissed", Settings{Write: Refuse, Dismissed: func(class, value string) bool { return value == token }}, "token: " + token,
			"/memories/a.md", "token: " + token},
		{"what is quiet stays", Settings{Write: Mask}, "server at 52.179.209.220\n", "/memories/a.md", "server at 52.179.209.220\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := storeOf(t, c.s)
			r := s.Create(context.Background(), "/memories/a.md", c.text)
			if !strings.HasSuffix(r.Content, c.answer) || textOf(t, s, "a.md") != c.left {
				t.Errorf("%q, left %q", r.Content, textOf(t, s, "a.md"))
			}
			if strings.Contains(r.Content, token) || strings.Contains(r.Content, password) {
				t.Error("the answer holds a value")
			}
		})
	}
}

// A value that is completed by an edit is caught with the half that was there; what stood there before stays.
func TestWhatAnEditCompletes(t *testing.T) {
	ctx := context.Background()
	for _, c := range []struct {
		name, before string
		edit         func(s *memstore.Store) memstore.Result
		left         string
	}{
		{"the second half by a str_replace", "the token " + token[:20] + "|\n", func(s *memstore.Store) memstore.Result {
			return s.StrReplace(ctx, "/memories/a.md", "|", token[20:])
		}, "the token REDACTED:github-token\n"},
		{"the first half by a str_replace", "the token |" + token[20:] + "\n", func(s *memstore.Store) memstore.Result {
			return s.StrReplace(ctx, "/memories/a.md", "|", token[:20])
		}, "the token REDACTED:github-token\n"},
		{"by removing what split it", "the token " + token[:20] + " " + token[20:] + "\n", func(s *memstore.Store) memstore.Result {
			return s.StrReplace(ctx, "/memories/a.md", token[18:20]+" ", token[18:20])
		}, "the token REDACTED:github-token\n"},
		{"by the word before it", "x\nGrafana: \"" + password + "\"\n", func(s *memstore.Store) memstore.Result {
			return s.StrReplace(ctx, "/memories/a.md", "Grafana", "Grafana password")
		}, "x\nGrafana password: \"REDACTED:password\"\n"},
		{"by an insert", "a\nb\n", func(s *memstore.Store) memstore.Result {
			return s.Insert(ctx, "/memories/a.md", 1, "token: "+token)
		}, "a\ntoken: REDACTED:github-token\nb\n"},
		{"what was there stays", "token: " + token + "\nb\n", func(s *memstore.Store) memstore.Result {
			return s.Insert(ctx, "/memories/a.md", 2, "more")
		}, "token: " + token + "\nb\nmore\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := storeOf(t, Settings{Write: Mask})
			if err := s.Backend().Create("a.md", []byte(c.before)); err != nil {
				t.Fatal(err)
			}
			r := c.edit(s)
			if got := textOf(t, s, "a.md"); r.IsError || strings.TrimRight(got, "\n") != strings.TrimRight(c.left, "\n") {
				t.Errorf("%q, left %q", r.Content, got)
			}
			if !strings.Contains(c.left, token) && (strings.Contains(r.Content, token) || strings.Contains(r.Content, password)) {
				t.Errorf("the answer holds a value: %q", r.Content)
			}
		})
	}
}

func TestMaskedValuesAreNamedLater(t *testing.T) {
	ctx := context.Background()
	s := storeOf(t, Settings{Write: Mask})
	s.Create(ctx, "/memories/a.md", "The Grafana password is "+password+".\ntoken: "+token+"\n")
	for _, old := range []string{"is " + password + ".", "token: " + token} {
		if r := s.StrReplace(ctx, "/memories/a.md", old, "gone"); r.IsError {
			t.Errorf("%q", r.Content)
		}
	}
	if got := textOf(t, s, "a.md"); got != "The Grafana password gone\ngone\n" {
		t.Errorf("%q", got)
	}
	if r := s.StrReplace(ctx, "/memories/a.md", "no "+password, "x"); !r.IsError || strings.Contains(r.Content, password) {
		t.Errorf("%q", r.Content)
	}
	// A process that did not mask it knows it by the words around it.
	other := storeOf(t, Settings{Write: Mask})
	if err := other.Backend().Create("a.md", []byte("token: REDACTED:github-token\n")); err != nil {
		t.Fatal(err)
	}
	if r := other.StrReplace(ctx, "/memories/a.md", "token: "+token, "none"); r.IsError || textOf(t, other, "a.md") != "none\n" {
		t.Errorf("%q", r.Content)
	}
}

func TestNames(t *testing.T) {
	ctx := context.Background()
	s := storeOf(t, Settings{Write: Mask})
	for _, r := range []memstore.Result{
		s.Create(ctx, "/memories/"+token+".md", "x"), s.Create(ctx, "/memories/d/"+token+"/a.md", "x"),
	} {
		if !r.IsError || strings.Contains(r.Content, token) || !strings.Contains(r.Content, "github-token") {
			t.Errorf("%q", r.Content)
		}
	}
	s.Create(ctx, "/memories/a.md", "x")
	if r := s.Rename(ctx, "/memories/a.md", "/memories/"+token); !r.IsError || strings.Contains(r.Content, token) {
		t.Errorf("%q", r.Content)
	}
	s = storeOf(t, Settings{Write: Warn})
	s.Create(ctx, "/memories/a.md", "x")
	if r := s.Rename(ctx, "/memories/a.md", "/memories/"+token); r.IsError || !strings.Contains(r.Content, "Warning: the path holds") {
		t.Errorf("%q", r.Content)
	}
}
