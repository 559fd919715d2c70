package transcript_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/transcript"
)

const listHead = "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and " +
	"node_modules:\n4.0K\t/memories"

func listingOf(rows ...string) *transcript.Call {
	return recorded(listR, strings.Join(append([]string{listHead}, rows...), "\n"), false)
}

// After a listing shows that files came and went, the replay continues with those names; what is in a
// file that came is unknown until something shows it.
func TestListingIsAdopted(t *testing.T) {
	view := func(path, text string) *transcript.Call {
		return recorded(`{"command":"view","path":"`+path+`"}`, "Here's the content of "+path+" with line numbers:\n"+text, false)
	}
	calls := []struct {
		call    *transcript.Call
		want    transcript.Verdict
		detail  string
		unknown []string
	}{
		{recorded(makeA, "File created successfully at: /memories/a.md", false), transcript.Identical, "", nil},
		{listingOf("2.0K\t/memories/n/", "1.2K\t/memories/n/b.md", "4B\t/memories/c.md"), transcript.Drift,
			"also shows c.md, n, n/b.md and lacks a.md; the replay continues from the recording, and the content of c.md, n/b.md is unknown",
			[]string{"/memories/c.md", "/memories/n/b.md"}},
		{listingOf("4.0K\t/memories/n/", "1.2K\t/memories/n/b.md", "4B\t/memories/c.md"), transcript.OtherDialect, "",
			[]string{"/memories/c.md", "/memories/n/b.md"}},
		{recorded(viewA, "The path /memories/a.md does not exist. Please provide a valid path.", true), transcript.Identical, "",
			[]string{"/memories/c.md", "/memories/n/b.md"}},
		{recorded(`{"command":"rename","old_path":"/memories/n","new_path":"/memories/m"}`,
			"Successfully renamed /memories/n to /memories/m", false), transcript.Identical, "", []string{"/memories/c.md", "/memories/m/b.md"}},
		{recorded(`{"command":"str_replace","path":"/memories/m/b.md","old_str":"x","new_str":"y"}`, "The memory file has been edited.\n",
			false), transcript.Drift, "content unknown: the listing of call 2", []string{"/memories/c.md", "/memories/m/b.md"}},
		{view("/memories/c.md", "     1\tfive"), transcript.Drift, "another program wrote the file, as the listing of call 2 shows; " +
			"the replay continues", []string{"/memories/m/b.md"}},
		{view("/memories/c.md", "     1\tfive"), transcript.Identical, "", []string{"/memories/m/b.md"}},
		{recorded(`{"command":"delete","path":"/memories/m"}`, "Successfully deleted /memories/m", false), transcript.Identical, "", nil},
		{listingOf("4B\t/memories/c.md"), transcript.Identical, "", nil},
	}
	var list []*transcript.Call
	p := start(t, nil)
	for i, c := range calls {
		s := p.Step(t.Context(), c.call)
		if s.Verdict != c.want || !strings.Contains(s.Detail, c.detail) || !slices.Equal(p.Unknown(), c.unknown) {
			t.Errorf("call %d: %s (%s), unknown %q; want %s (%s), %q", i+1, s.Verdict, s.Detail, p.Unknown(), c.want, c.detail, c.unknown)
		}
		list = append(list, c.call)
	}
	track := trackOf(t, list, nil)
	for n, want := range map[int]string{1: "[/memories/a.md]", 2: "[/memories/c.md? /memories/n/b.md?]",
		6: "[/memories/c.md? /memories/m/b.md?]", 8: "[/memories/c.md /memories/m/b.md?]", 10: "[/memories/c.md]"} {
		var got []string
		for _, h := range track.Held(n) {
			if h.Kind != memstore.KindFile {
				continue
			}
			if track.Unknown(h.Path, n) != h.Unknown {
				t.Errorf("%s after call %d: %v", h.Path, n, h)
			}
			if h.Unknown {
				h.Path += "?"
			}
			got = append(got, h.Path)
		}
		if fmt.Sprint(got) != want {
			t.Errorf("after call %d the memory holds %v, want %s", n, got, want)
		}
	}
}

// Listings of all handlers are compared by what they show, as far down as they go.
func TestListingsOfHandlers(t *testing.T) {
	files := map[string][]byte{"/memories/a.md": []byte(strings.Repeat("x", 1536)), "/memories/n/b.md": []byte("b\n"),
		"/memories/n/d/c.md": []byte("c\n")}
	for _, c := range []struct {
		name, text string
		want       transcript.Verdict
	}{
		{"editor", "Here are the files and directories up to 2 levels deep in /memories, excluding hidden " +
			"items:\n/memories/n\n/memories/n/d\n/memories/a.md\n/memories/n/b.md\n", transcript.OtherDialect},
		{"editor, nothing", "Directory /memories is empty.\n", transcript.Drift},
		{"one level", "Directory: /memories\n- a.md\n- n/", transcript.OtherDialect},
		{"one level, raw sizes", "Here're the files and directories in /memories:\n1536\ta.md\nDIR\tn/", transcript.OtherDialect},
		{"one level, thousands", "Contents of directory /memories:\n1.5k\ta.md\nDIR\tn", transcript.OtherDialect},
		{"hidden ones too", "Contents of directory /memories:\n1.5k\ta.md\n9\t.git\nDIR\tn", transcript.OtherDialect},
		{"another size", "Here're the files and directories in /memories:\n1635\ta.md\nDIR\tn/", transcript.Drift},
	} {
		p := start(t, files)
		if s := p.Step(t.Context(), recorded(listR, c.text, false)); s.Verdict != c.want {
			t.Errorf("%s: %s (%s), want %s", c.name, s.Verdict, s.Detail, c.want)
		}
	}
}
