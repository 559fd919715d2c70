package transcript_test

import (
	"fmt"
	"strings"
	"testing"

	"memcurator/memstore/transcript"
)

const listHead = "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and " +
	"node_modules:\n4.0K\t/memories"

func listingOf(rows ...string) *transcript.Call {
	return recorded(listR, strings.Join(append([]string{listHead}, rows...), "\n"), false)
}

// After a listing shows that files came and went, the replay continues with those names; what is in a
// file that came is unknown until something shows it, or that it is gone.
func TestListingIsAdopted(t *testing.T) {
	view := func(path, text string) *transcript.Call {
		return recorded(`{"command":"view","path":"`+path+`"}`, "Here's the content of "+path+" with line numbers:\n"+text, false)
	}
	list := []struct {
		call         *transcript.Call
		want         transcript.Verdict
		detail, held string
	}{
		{recorded(makeA, "File created successfully at: /memories/a.md", false), transcript.Identical, "", "[/memories/a.md]"},
		{listingOf("2.0K\t/memories/n/", "1.2K\t/memories/n/b.md", "4B\t/memories/c.md"), transcript.Differs,
			"also shows c.md, n, n/b.md and lacks a.md", "[/memories/c.md /memories/n/b.md?]"},
		{listingOf("4.0K\t/memories/n/", "1.2K\t/memories/n/b.md", "4B\t/memories/c.md"), transcript.OtherDialect, "",
			"[/memories/c.md /memories/n/b.md?]"},
		{recorded(viewA, "The path /memories/a.md does not exist. Please provide a valid path.", true), transcript.Identical, "",
			"[/memories/c.md /memories/n/b.md?]"},
		{recorded(`{"command":"rename","old_path":"/memories/n","new_path":"/memories/m"}`,
			"Successfully renamed /memories/n to /memories/m", false), transcript.Identical, "",
			"[/memories/c.md /memories/m/b.md?]"},
		{recorded(`{"command":"str_replace","path":"/memories/m/b.md","old_str":"x","new_str":"y"}`, "The memory file has been edited.\n",
			false), transcript.NotReplayable, "content unknown", "[/memories/c.md /memories/m/b.md?]"},
		{view("/memories/c.md", "     1\tfive"), transcript.Identical, "", "[/memories/c.md /memories/m/b.md?]"},
		{recorded(`{"command":"delete","path":"/memories/m"}`, "Successfully deleted /memories/m", false), transcript.Identical, "", "[/memories/c.md]"},
		{listingOf("4B\t/memories/a.md", "4B\t/memories/c.md"), transcript.Differs, "also shows a.md", "[/memories/a.md? /memories/c.md]"},
		{recorded(viewA, "The path /memories/a.md does not exist", true), transcript.Differs, "the file is gone", "[/memories/c.md]"},
	}
	calls := []*transcript.Call{listingOf()} // the memory is empty
	for _, c := range list {
		calls = append(calls, c.call)
	}
	track := trackOf(t, calls)
	for i, c := range list {
		s := track.Steps[i+1]
		var held []string
		for _, h := range track.Files(i + 2) {
			if h.Unknown {
				h.Path += "?"
			}
			held = append(held, h.Path)
		}
		if s.Verdict != c.want || !strings.Contains(s.Detail, c.detail) || fmt.Sprint(held) != c.held {
			t.Errorf("call %d: %s (%s), %v; want %s (%s), %s", i+1, s.Verdict, s.Detail, held, c.want, c.detail, c.held)
		}
	}
}

// Listings of all handlers are compared by what they show, as far down as they go.
func TestListingsOfHandlers(t *testing.T) {
	files := map[string]string{"/memories/a.md": strings.Repeat("x", 1536), "/memories/n/b.md": "b\n", "/memories/n/d/c.md": "c\n"}
	for _, c := range []struct {
		name, text string
		want       transcript.Verdict
	}{
		{"one level", "Directory: /memories\n- a.md\n- n/", transcript.OtherDialect},
		{"one level, raw sizes", "Here're the files and directories in /memories:\n1536\ta.md\nDIR\tn/", transcript.OtherDialect},
		{"one level, thousands", "Contents of directory /memories:\n1.5k\ta.md\nDIR\tn", transcript.OtherDialect},
		{"hidden ones too", "Contents of directory /memories:\n1.5k\ta.md\n9\t.git\nDIR\tn", transcript.OtherDialect},
		{"another size", "Here're the files and directories in /memories:\n1635\ta.md\nDIR\tn/", transcript.Differs},
	} {
		if s := stepOn(t, files, recorded(listR, c.text, false)); s.Verdict != c.want {
			t.Errorf("%s: %s (%s), want %s", c.name, s.Verdict, s.Detail, c.want)
		}
	}
}
