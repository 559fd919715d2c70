package memstore

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestDecodeCommand(t *testing.T) {
	for input, want := range map[string]Command{
		`{"command":"view","path":"/memories"}`:                        view("/memories"),
		`{"command":"view","path":"/memories","view_range":null}`:      view("/memories"),
		`{"command":"view","path":"/memories","view_range":[1,-1]}`:    view("/memories", 1, -1),
		`{"command":"view","path":"/memories","view_range":[1.0,2e1]}`: view("/memories", 1, 20),
		`{"command":"view","path":"/memories","view_range":[]}`: {Name: CmdView, Path: "/memories",
			ViewRange: []int{}},
		`{"command":"view","path":"","view_range":[1,2,3]}`:                          view("", 1, 2, 3),
		`{"command":"view","path":"a","file_text":5,"insert_line":"x","x":{"y":[]}}`: view("a"),
		`{"command":"create","path":"a","file_text":""}`:                             create("a", ""),
		`{"command":"create","path":"a","file_text":"\ud83d\ude42\u0000<&>"}`:        create("a", "🙂\x00<&>"),
		`{"command":"str_replace","path":"a","old_str":"o","new_str":"n"}`:           replace("a", "o", "n"),
		`{"command":"str_replace","path":"a","old_str":"o"}`:                         replace("a", "o", ""),
		`{"command":"str_replace","path":"a","old_str":"o","new_str":null}`:          replace("a", "o", ""),
		`{"command":"insert","path":"a","insert_line":2,"insert_text":"t"}`:          insert("a", 2, "t"),
		`{"command":"insert","path":"a","insert_line":2.0,"insert_text":"t"}`:        insert("a", 2, "t"),
		`{"command":"insert","path":"a","insert_line":-0.0,"insert_text":"t"}`:       insert("a", 0, "t"),
		`{"command":"insert","path":"a","insert_line":99999999999999999999,"insert_text":"t"}`: {Name: CmdInsert, Path: "a",
			InsertLine: math.MaxInt, InsertText: "t", sentLine: "99999999999999999999"},
		`{"command":"insert","path":"a","insert_line":-1e999,"insert_text":"t"}`: {Name: CmdInsert, Path: "a",
			InsertLine: math.MinInt, InsertText: "t", sentLine: "-1e999"},
		`{"command":"view","path":"a","view_range":[1e300,2]}`: {Name: CmdView, Path: "a",
			ViewRange: []int{math.MaxInt, 2}, sentRange: []string{"1e300", ""}},
		`{"command":"delete","path":"a"}`:                             remove("a"),
		`{"command":"rename","old_path":"a","new_path":"b","path":7}`: move("a", "b"),
		"\n {\"path\":\"a\" , \"command\":\"de\\u006cete\"}\t\n":      remove("a"),
		`{"command":"delete","Path":"b","path":"a","PATH":"c"}`:       remove("a"),
	} {
		got, err := DecodeCommand([]byte(input))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s\ngot  %+v, %v\nwant %+v", input, got, err, want)
		}
	}
}

func FuzzDecodeCommand(f *testing.F) {
	for _, seed := range []string{
		`{"command":"view","path":"/memories","view_range":[1,-1]}`, `{"command":"create","path":"/memories/a","file_text":"x"}`,
		`{"command":"str_replace","path":"a","old_str":"o","new_str":null}`,
		`{"command":"insert","path":"a","insert_line":2.0,"insert_text":"t"}`,
		`{"command":"rename","old_path":"a","new_path":"b"}`, `{"command":"view"`, `[[[[`, `{"command":"view","path":"\ud800"}`,
		`{"command":"insert","insert_line":1e99}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, input []byte) {
		c, err := DecodeCommand(input)
		if err != nil {
			var bad *InputError
			if !errors.As(err, &bad) || bad.Message == "" || strings.Contains(bad.Message, "json:") {
				t.Fatalf("error %#v", err)
			}
		} else {
			var loose map[string]any
			if json.Unmarshal(input, &loose) != nil || loose["command"] != c.Name {
				t.Fatalf("accepted %q as %+v", input, c)
			}
		}
		// Whatever comes in, a result comes out, and no error touches the store.
		s := storeOf(t, Options{}, "a", "one\ntwo\n")
		before := storeTree(t, s)
		r := s.DoJSON(context.Background(), input)
		if r.IsError != (r.Err != nil) || (r.Content == "" && !r.IsError) || !utf8.ValidString(r.Content) {
			t.Fatalf("result %+v", r)
		}
		if r.IsError && storeTree(t, s) != before {
			t.Fatal("an error changed the tree")
		}
	})
}
