package scrubguard

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"memcurator/memstore"
)

// Ways in which a value comes into a file by more than one edit, or in other clothes. None ends with the value in the file.
func TestAttacks(t *testing.T) {
	ctx := context.Background()
	long := strings.Repeat("nothing of note in this line\n", 11_000) // more than is looked at whole
	for _, c := range []struct {
		name string
		do   func(s *memstore.Store) memstore.Result
	}{
		{"two inserts", func(s *memstore.Store) memstore.Result {
			s.Create(ctx, "/memories/a.md", "# a\n")
			s.Insert(ctx, "/memories/a.md", 1, "The Grafana password is "+password[:5])
			return s.StrReplace(ctx, "/memories/a.md", password[:5], password)
		}},
		{"piece by piece", func(s *memstore.Store) memstore.Result {
			s.Create(ctx, "/memories/a.md", "token: \n")
			r := memstore.Result{}
			for i := 0; i < len(token); i += 4 {
				text := textOf(t, s, "a.md")
				r = s.StrReplace(ctx, "/memories/a.md", text, strings.TrimSuffix(text, "\n")+token[i:min(i+4, len(token))]+"\n")
			}
			return r
		}},
		{"a token over two lines", func(s *memstore.Store) memstore.Result {
			s.Create(ctx, "/memories/a.md", "token: "+token[:20]+"\\\n")
			return s.Insert(ctx, "/memories/a.md", 1, token[20:])
		}},
		{"the word after the value", func(s *memstore.Store) memstore.Result {
			s.Create(ctx, "/memories/a.yaml", "a: 1\nb: "+password+"\n")
			return s.StrReplace(ctx, "/memories/a.yaml", "b:", "password:")
		}},
		{"the heading above the value", func(s *memstore.Store) memstore.Result {
			s.Create(ctx, "/memories/a.md", "| host | note |\n|---|---|\n| db | "+password+" |\n")
			return s.StrReplace(ctx, "/memories/a.md", "note", "password")
		}},
		{"at the end of a large file", func(s *memstore.Store) memstore.Result {
			s.Create(ctx, "/memories/a.md", long)
			return s.Insert(ctx, "/memories/a.md", 11_000, "token: "+token)
		}},
		{"a large file whole", func(s *memstore.Store) memstore.Result {
			return s.Create(ctx, "/memories/a.md", long+"token: "+token+"\n"+long)
		}},
		{"into the file by a rename of the extension", func(s *memstore.Store) memstore.Result {
			s.Create(ctx, "/memories/a.txt", `{"token":"`+token+`"}`)
			return s.Rename(ctx, "/memories/a.txt", "/memories/a.md")
		}},
		{"as bytes of a merge or a replay", func(s *memstore.Store) memstore.Result {
			s.Create(ctx, "/memories/a.md", "x\n")
			return s.Replace(ctx, "/memories/a.md", []byte("token: "+token+"\n"), nil)
		}},
		{"with invisible marks inside", func(s *memstore.Store) memstore.Result {
			return s.Create(ctx, "/memories/a.md", "token: "+token[:9]+"\u200b"+token[9:]+"\n")
		}},
		{"many at once", func(s *memstore.Store) memstore.Result {
			var b strings.Builder
			for i := range 300 {
				fmt.Fprintf(&b, "- token %d: %s%03d\n", i, token[:37], i)
			}
			return s.Create(ctx, "/memories/a.md", b.String()+token)
		}},
	} {
		for _, mode := range []Mode{Mask, Refuse} {
			t.Run(c.name+" "+string(mode), func(t *testing.T) {
				s := storeOf(t, Settings{Write: mode})
				r := c.do(s)
				got := textOf(t, s, "a.md") + textOf(t, s, "a.yaml") + textOf(t, s, "a.txt")
				plain := strings.NewReplacer("\\\n", "", "\u200b", "").Replace(got)
				if held := strings.Contains(plain, token) || strings.Contains(plain, password); held && (mode == Mask || !r.IsError) {
					t.Errorf("the value is in the file: %q", r.Content) // refused, the half that was nothing by itself stays
				}
				if told := r.Content; strings.Contains(told, token) || strings.Contains(told, password) {
					t.Errorf("the answer holds a value: %q", told)
				}
				if mode == Mask && len(r.Content) > 4096 {
					t.Errorf("an answer of %d bytes", len(r.Content))
				}
			})
		}
	}
}

// What was written before the guard was there stays, and is told to the agent in no answer where only the old text has it.
func TestOnlyInOldStr(t *testing.T) {
	ctx := context.Background()
	s := storeOf(t, Settings{Write: Mask})
	if err := s.Backend().Create("a.md", []byte("token: "+token+"\nThe Grafana password is "+password+".\n")); err != nil {
		t.Fatal(err)
	}
	if r := s.StrReplace(ctx, "/memories/a.md", "token: "+token, "no token"); r.IsError ||
		textOf(t, s, "a.md") != "no token\nThe Grafana password is "+password+".\n" {
		t.Errorf("%q left %q", r.Content, textOf(t, s, "a.md"))
	}
	for _, old := range []string{"token: " + token, "The Grafana password is " + password + "!"} {
		if r := s.StrReplace(ctx, "/memories/a.md", old, "x"); !r.IsError || strings.Contains(r.Content, token) ||
			strings.Contains(r.Content, password) {
			t.Errorf("%q", r.Content)
		}
	}
}
