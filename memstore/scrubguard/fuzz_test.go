package scrubguard

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"unicode/utf8"

	"memcurator/memstore"
)

// What a guard leaves is text if it was text, has nothing to mask any more, and never a value in what the agent is told.
func FuzzAmend(f *testing.F) {
	f.Add("", "token: "+token)
	f.Add("the token "+token[:20], "the token "+token)
	f.Add("a: 1\n", "a: 1\npassword: \""+password+"\"\n")
	f.Add(`{"a":"b"}`, `{"a":"b","password":"`+password+`"}`)
	f.Add("x\n", "パスワードは"+password+"です。\n")
	f.Add("", "postgres://u:"+password+"@h/x -----BEGIN RSA PRIVATE")
	k := New(nil, Settings{Write: Mask})
	k.engine = engine
	f.Fuzz(func(t *testing.T, before, after string) {
		for _, path := range []string{"/memories/a.md", "/memories/a.json", "/memories/a.yaml"} {
			c := memstore.Command{Name: memstore.CmdEdit, Path: path}
			a, err := k.amend(context.Background(), c, []byte(before), []byte(after))
			if err != nil {
				t.Fatal(err)
			}
			if a.Data == nil {
				continue
			}
			if utf8.ValidString(after) && !utf8.Valid(a.Data) {
				t.Errorf("%s: %q is no longer text: %q", path, after, a.Data)
			}
			if bytes.Contains(a.Data, []byte(token)) && !strings.Contains(before, token) {
				t.Errorf("%s: the token is still in %q", path, a.Data)
			}
			if strings.Contains(a.Note, token) || strings.Contains(a.Note, password) {
				t.Errorf("the note holds a value: %q", a.Note)
			}
		}
	})
}
