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

func TestDecodeErrors(t *testing.T) {
	const unknown = ". The field `command` must be one of view, create, str_replace, insert, delete, rename."
	required := func(f string) string { return "The field `" + f + "` is required" }
	for _, w := range []struct{ input, field, message string }{
		{``, "", "The input is not a JSON object"},
		{`nonsense`, "", "The input is not a JSON object"},
		{`null`, "", "The input is not a JSON object"},
		{`[]`, "", "The input is not a JSON object"},
		{`"view"`, "", "The input is not a JSON object"},
		{`{"command":"view","path":"/memories"} x`, "", "The input is not a JSON object"},
		{"{\"command\":\"view\",\"path\":\"\xff\"}", "", "The input is not valid UTF-8"},
		{`{}`, "command", required("command")},
		{`{"command":null}`, "command", required("command")},
		{`{"Command":"view","path":"/memories"}`, "command", required("command")},
		{`{"command":1}`, "command", "The field `command` must be a string"},
		{`{"command":"VIEW","path":"/memories"}`, "command", "Unknown command: VIEW" + unknown},
		{`{"command":"toString"}`, "command", "Unknown command: toString" + unknown},
		{`{"command":""}`, "command", "Unknown command: " + unknown},
		{`{"command":"view"}`, "path", required("path")},
		{`{"command":"view","Path":"/memories"}`, "path", required("path")},
		{`{"command":"view","path":["/memories"]}`, "path", "The field `path` must be a string"},
		{`{"command":"view","path":"a","view_range":"1,2"}`, "view_range", "The field `view_range` must be an array of integers"},
		{`{"command":"view","path":"a","view_range":{}}`, "view_range", "The field `view_range` must be an array of integers"},
		{`{"command":"view","path":"a","view_range":7}`, "view_range", "The field `view_range` must be an array of integers"},
		{`{"command":"view","path":"a","view_range":["1","2"]}`, "view_range", "The field `view_range` must be an array of integers"},
		{`{"command":"view","path":"a","view_range":[1.5,2]}`, "view_range", "The field `view_range` must be an array of integers"},
		{`{"command":"view","path":"a","view_range":[1,null]}`, "view_range", "The field `view_range` must be an array of integers"},
		{`{"command":"create","path":"a"}`, "file_text", required("file_text")},
		{`{"command":"create","path":"a","file_text":null}`, "file_text", required("file_text")},
		{`{"command":"create","path":"a","file_text":{}}`, "file_text", "The field `file_text` must be a string"},
		{`{"command":"str_replace","path":"a","new_str":"x"}`, "old_str", required("old_str")},
		{`{"command":"str_replace","path":"a","old_str":"x","new_str":false}`, "new_str", "The field `new_str` must be a string"},
		{`{"command":"insert","path":"a","insert_text":"x"}`, "insert_line", required("insert_line")},
		{`{"command":"insert","path":"a","insert_line":1.5,"insert_text":"x"}`, "insert_line", "The field `insert_line` must be an integer"},
		{`{"command":"insert","path":"a","insert_line":"1","insert_text":"x"}`, "insert_line", "The field `insert_line` must be an integer"},
		{`{"command":"insert","path":"a","insert_line":true,"insert_text":"x"}`, "insert_line", "The field `insert_line` must be an integer"},
		{`{"command":"insert","path":"a","insert_line":1}`, "insert_text", required("insert_text")},
		{`{"command":"insert","path":"a","insert_line":1,"new_str":"x"}`, "insert_text", required("insert_text")},
		{`{"command":"delete"}`, "path", required("path")},
		{`{"command":"rename","path":"a","new_path":"b"}`, "old_path", required("old_path")},
		{`{"command":"rename","old_path":"a"}`, "new_path", required("new_path")},
	} {
		_, err := DecodeCommand([]byte(w.input))
		var bad *InputError
		if !errors.As(err, &bad) || bad.Field != w.field || bad.Message != w.message || !errors.Is(err, ErrInput) {
			t.Errorf("%s\ngot  %#v\nwant %q: %q", w.input, err, w.field, w.message)
		}
		r := storeOf(t, Options{}).DoJSON(context.Background(), []byte(w.input))
		if r.Content != "Error: "+w.message || !r.IsError || !errors.Is(r.Err, ErrInput) {
			t.Errorf("%s: result %q", w.input, r.Content)
		}
	}
	r := storeOf(t, Options{}).Do(context.Background(), Command{Name: "open"})
	if r.Content != "Error: Unknown command: open"+unknown || !errors.Is(r.Err, ErrInput) {
		t.Errorf("a literal command: %q", r.Content)
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
		before := storeTree(t, s, "")
		r := s.DoJSON(context.Background(), input)
		if r.IsError != (r.Err != nil) || (r.Content == "" && !r.IsError) || !utf8.ValidString(r.Content) {
			t.Fatalf("result %+v", r)
		}
		if r.IsError && storeTree(t, s, "") != before {
			t.Fatal("an error changed the tree")
		}
	})
}
