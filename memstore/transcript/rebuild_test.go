package transcript_test

import (
	"fmt"
	"strings"
	"testing"

	"memcurator/memstore/transcript"
)

// A session that begins with a memory that has files: what its calls show of them was there, and nothing
// differs unless something else changes them. After that the replay continues from what is shown.
func TestMemoryThatHadFiles(t *testing.T) {
	do := func(input, text string) *transcript.Call {
		return recorded(input, text, strings.Contains(text, "does not exist"))
	}
	view := func(path, text string) *transcript.Call {
		return do(`{"command":"view","path":"`+path+`"}`, "Here's the content of "+path+" with line numbers:\n"+text)
	}
	notes := "     1\thello\n     2\tworld\n     3\t"
	first := listingOf("4.0K\t/memories/e/", "12B\t/memories/notes.md", "6B\t/memories/other.md", "4.0K\t/memories/p/",
		"2B\t/memories/p/deep.md", "0B\t/memories/z")
	for name, c := range map[string]struct {
		calls []*transcript.Call
		start string // files with their texts, or sizes where only those are known
		want  string // verdicts
	}{
		"listed first": {[]*transcript.Call{
			first, view("/memories/notes.md", notes), do(`{"command":"delete","path":"/memories/other.md"}`, "Successfully deleted "+
				"/memories/other.md"),
			do(`{"command":"rename","old_path":"/memories/p/deep.md","new_path":"/memories/deep.md"}`, "Successfully renamed "+
				"/memories/p/deep.md to /memories/deep.md"),
			listingOf("2B\t/memories/deep.md", "4.0K\t/memories/e/", "12B\t/memories/notes.md", "4.0K\t/memories/p/", "0B\t/memories/z"),
			view("/memories/deep.md", "     1\td\n     2\t"),
		}, `notes.md "hello\nworld\n", other.md 6, p/deep.md 2, z ""`, "identical identical identical identical identical identical"},
		"listed with another size": {[]*transcript.Call{
			listingOf("6B\t/memories/other.md"), view("/memories/other.md", "     1\t123456\n     2\t"),
			view("/memories/other.md", "     1\t123456\n     2\t"),
		}, `other.md "123456\n"`, "identical identical identical"},
		"listed after a write": {[]*transcript.Call{
			do(makeA, "File created successfully at: /memories/a.md"), listingOf("8B\t/memories/a.md", "6B\t/memories/other.md"),
		}, "other.md 6", "identical identical"},
		"never listed": {[]*transcript.Call{
			do(`{"command":"delete","path":"/memories/x.md"}`, "Successfully deleted /memories/x.md"),
			do(`{"command":"rename","old_path":"/memories/f","new_path":"/memories/g"}`, "Successfully renamed /memories/f to /memories/g"),
			view("/memories/g/a.md", "     1\ta\n     2\t"),
		}, `f 0, x.md 0`, "identical identical identical"},
		"a folder of its own": {[]*transcript.Call{
			do(`{"command":"create","path":"/memories/n/m/a.md","file_text":"x"}`, "File created successfully at: /memories/n/m/a.md"),
			do(`{"command":"rename","old_path":"/memories/n/m","new_path":"/memories/o"}`, "Successfully renamed /memories/n/m to /memories/o"),
			do(`{"command":"delete","path":"/memories/n"}`, "Successfully deleted /memories/n"),
			listingOf("4.0K\t/memories/o/", "1B\t/memories/o/a.md"),
		}, "", "identical identical identical identical"},
		"made by a call whose result is gone": {[]*transcript.Call{
			do(makeA, "[Old tool result content cleared]"), do(`{"command":"rename","old_path":"/memories/b.md","new_path":"/memories/c.md"}`,
				"[Old tool result content cleared]"),
			do(`{"command":"str_replace","path":"/memories/a.md","old_str":"two","new_str":"2"}`, "The memory file has been "+
				"edited.\nHere is the snippet showing the change (with line numbers):\n     1\tone\n     2\t2\n     3\t"),
		}, "", "cleared cleared dialect"},
		"made beside another": {[]*transcript.Call{do(makeA, "File created successfully at: /memories/a.md"),
			view("/memories/notes.md", notes)}, `notes.md "hello\nworld\n"`, "identical identical"},
		"told by failures": {[]*transcript.Call{
			recorded(`{"command":"create","path":"/memories/a.md","file_text":"x"}`, "Error: File /memories/a.md already exists", true),
			recorded(`{"command":"str_replace","path":"/memories/b.md","old_str":"x","new_str":"y"}`, "No replacement was performed, "+
				"old_str `x` did not appear verbatim in /memories/b.md.", true),
			recorded(`{"command":"delete","path":"/memories/c.md"}`, "Error: The path /memories/c.md does not exist", true),
			view("/memories/c.md", notes), view("/memories/b.md", notes),
		}, `a.md 0, b.md "hello\nworld\n"`, "identical identical identical differs identical"},
		"edited before it was shown": {[]*transcript.Call{
			first, do(`{"command":"str_replace","path":"/memories/other.md","old_str":"a","new_str":"bc"}`, "The memory file has been "+
				"edited.\nHere is the snippet showing the change (with line numbers):\n     1\tbc"),
			listingOf("4.0K\t/memories/e/", "12B\t/memories/notes.md", "7B\t/memories/other.md", "4.0K\t/memories/p/",
				"2B\t/memories/p/deep.md", "0B\t/memories/z"),
			view("/memories/other.md", "     1\tbc1234\n     2\t"), view("/memories/other.md", "     1\tbc1234\n     2\t"),
		}, `notes.md 12, other.md 6, p/deep.md 2, z ""`, "identical not replayable identical identical identical"},
		"shown by a later listing only": {[]*transcript.Call{
			first, listingOf("4.0K\t/memories/e/", "12B\t/memories/notes.md", "6B\t/memories/new.md", "6B\t/memories/other.md",
				"4.0K\t/memories/p/", "2B\t/memories/p/deep.md", "0B\t/memories/z"),
		}, `notes.md 12, other.md 6, p/deep.md 2, z ""`, "identical differs"},
		"not there before": {[]*transcript.Call{
			do(`{"command":"view","path":"/memories/a.md"}`, "The path /memories/a.md does not exist. Please provide a valid path."),
			view("/memories/a.md", notes),
		}, "", "identical differs"},
		"changed by another program, and removed": {[]*transcript.Call{
			do(makeA, "File created successfully at: /memories/a.md"), view("/memories/a.md", "     1\tother\n     2\t"),
			view("/memories/a.md", "     1\tother\n     2\t"),
			do(viewA, "The path /memories/a.md does not exist. Please provide a valid path."),
			do(makeA, "File created successfully at: /memories/a.md"),
		}, "", "identical differs identical differs identical"},
		"a failure changes nothing, whatever our handlers would do": {[]*transcript.Call{
			recorded(makeA, "Error: EACCES: permission denied", true),
			do(viewA, "The path /memories/a.md does not exist. Please provide a valid path."),
		}, "", "differs identical"},
		"an empty memory": {[]*transcript.Call{listingOf(), view("/memories/notes.md", notes)}, "", "identical differs"},
	} {
		track := trackOf(t, c.calls)
		var verdicts, details []string
		var got []string
		for _, h := range track.Files(0) {
			name := strings.TrimPrefix(h.Path, "/memories/")
			switch {
			case h.Unknown:
				got = append(got, fmt.Sprintf("%s %d", name, len(h.Data)))
			default:
				got = append(got, fmt.Sprintf("%s %q", name, h.Data))
			}
		}
		if strings.Join(got, ", ") != c.start {
			t.Errorf("%s: began with %s, want %s", name, strings.Join(got, ", "), c.start)
		}
		for _, s := range track.Steps {
			verdicts, details = append(verdicts, string(s.Verdict)), append(details, s.Detail)
		}
		if strings.Join(verdicts, " ") != c.want {
			t.Errorf("%s: %s, want %s; %q", name, strings.Join(verdicts, " "), c.want, details)
		}
	}
}
