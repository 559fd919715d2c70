package memstore

import (
	"errors"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"memcurator/memstore/backend"
)

// departure is one rule by which a dialect does not do what its original does. The differential test lets nothing else pass;
// docs/dialects.md sums them up.
type departure struct {
	in       string // the dialects
	what     string // the case
	original string
	shows    []example
	// allows reports whether a difference from the TypeScript SDK is of this kind.
	allows func(d difference) bool
}

// example is one command that shows a departure: run on the tree of newFloor, it gives
// this text in every dialect of the departure.
type example struct {
	input, want string
	fine        bool // it is not an error
}

// difference is one command that the SDK answered, or left the tree, otherwise than we did.
type difference struct {
	input    map[string]any
	ours     Result
	theirs   string
	theirErr bool
	sameTree bool
	host     string // the folder that the SDK works in
	linked   bool   // a path leads to a link, or over one
	loose    bool   // a path goes over a link that can't be followed, and not because its target is missing
	// irregular reports whether a row of a listing is about a link or a pipe.
	irregular func(row string) bool
}

func (d difference) paths() []string {
	var list []string
	for _, field := range []string{"path", "old_path", "new_path"} {
		if p, ok := d.input[field].(string); ok {
			list = append(list, p)
		}
	}
	return list
}

func (d difference) anyPath(is func(string) bool) bool {
	for _, p := range d.paths() {
		if is(p) {
			return true
		}
	}
	return false
}

const (
	tsOnly  = "typescript"
	pyOnly  = "python"
	sdkBoth = "typescript, python"
	vsOnly  = "vscode"
	all3    = "typescript, python, vscode"
)

const tooDeep = "Error: The path is too long. A path may have 4,096 bytes, and a new one 256 names below /memories."

func hasControl(p string) bool { return strings.ContainsFunc(p, unicode.IsControl) }

func noBoundary(p string) bool {
	rest, ok := strings.CutPrefix(p, backend.Root)
	return ok && rest != "" && rest[0] != '/'
}

// departures is the safety floor as far as an SDK is below it.
var departures = []departure{
	{
		in: all3, what: "A field is missing or has the wrong type, or the command is unknown",
		original: "guesses (a line `\"1\"` is line 1), or returns an error text of its runtime",
		shows: []example{
			{input: `{"command":"view"}`, want: "Error: The field `path` is required"},
			{input: `{"command":"insert","path":"/memories/a","insert_line":"1","insert_text":"x"}`, want: "Error: The field " +
				"`insert_line` must be an integer"},
			{input: `{"command":"view","path":"/memories/a","view_range":[1.5,2.5]}`, want: "Error: The field `view_range` must be an " +
				"array of integers"},
			{input: `{"command":"toString"}`, want: "Error: Unknown command: toString. The field `command` must be one of view, create, " +
				"str_replace, insert, delete, rename."},
		},
		allows: func(d difference) bool { var in *InputError; return errors.As(d.ours.Err, &in) },
	},
	{
		in: all3, what: "`new_str` is absent or null",
		original: "writes `undefined` or `null`, or fails",
		shows:    []example{{input: `{"command":"str_replace","path":"/memories/a","old_str":"one"}`, fine: true}},
		allows: func(d difference) bool {
			text, is := d.input["new_str"]
			return d.input["command"] == CmdStrReplace && (!is || text == nil)
		},
	},
	{
		in: all3, what: "A path contains control characters",
		original: "accepts them, or returns an error text of its runtime (NUL)",
		shows: []example{{input: `{"command":"create","path":"/memories/x\ty","file_text":""}`, want: "Error: Path /memories/x\ty " +
			"contains control characters"}},
		allows: func(d difference) bool { return d.ours.IsError && d.anyPath(hasControl) },
	},
	{
		in: sdkBoth, what: "A path begins with `/memories` and another character follows",
		original: "treats `/memories_evil` as `/memories/_evil`",
		shows: []example{{input: `{"command":"create","path":"/memories_evil","file_text":""}`, want: "Error: Path must start " +
			"with /memories, got: /memories_evil"}},
		allows: func(d difference) bool { return d.ours.IsError && d.anyPath(noBoundary) },
	},
	{
		in: all3, what: "An error of the runtime or the system: a parent is a file, a name is too long, links form a loop, " +
			"permission is denied, the disk is full",
		original: "returns its text, usually with the host's path",
		shows: []example{
			{input: `{"command":"create","path":"/memories/a/x","file_text":""}`, want: "Error: Cannot create /memories/a/x, because " +
				"/memories/a is not a directory"},
			{input: `{"command":"rename","old_path":"/memories/d","new_path":"/memories/d/x"}`, want: "Error: Cannot rename /memories/d " +
				"to /memories/d/x, which is inside it"},
			{input: `{"command":"view","path":"/memories/loop"}`, want: "Error: The path /memories/loop leads through too many links"},
		},
		allows: func(d difference) bool {
			return d.theirErr && d.ours.IsError && d.sameTree && runtimeText(d.theirs, d.host)
		},
	},
	{
		in: all3, what: "A file that is not UTF-8 would be rewritten",
		original: "typescript and vscode replace bad bytes with U+FFFD; python returns an error text of its runtime, for a view too",
		shows: []example{{input: `{"command":"str_replace","path":"/memories/bin","old_str":"x","new_str":"y"}`,
			want: "Error: File /memories/bin is not valid UTF-8 text"}},
		allows: func(d difference) bool {
			return d.ours.IsError && strings.HasSuffix(d.ours.Content, "is not valid UTF-8 text")
		},
	},
	{
		in: tsOnly, what: "A link leads out of the store to a path that does not exist",
		original: "treats it as a dangling link inside",
		shows:    []example{{input: `{"command":"view","path":"/memories/nowhere"}`, want: "Path would escape /memories directory via symlink"}},
		allows: func(d difference) bool {
			return d.ours.IsError && d.linked && strings.Contains(d.ours.Content, "via symlink")
		},
	},
	{
		in: tsOnly, what: "A path leads to a link, or over one",
		original: "an edit or a rename can replace the link",
		shows: []example{{input: `{"command":"rename","old_path":"/memories/a","new_path":"/memories/folder"}`,
			want: "The destination /memories/folder already exists"}},
		allows: func(d difference) bool {
			c := d.input["command"]
			return d.linked && (c == CmdStrReplace || c == CmdInsert || c == CmdRename || strings.HasPrefix(d.theirs, "Unsupported file type"))
		},
	},
	{
		in: all3, what: "A create or a rename fails after folders were made for the new path",
		original: "the folders stay",
		shows:    []example{{input: `{"command":"rename","old_path":"/memories/none","new_path":"/memories/p/q"}`}},
		allows: func(d difference) bool {
			c := d.input["command"]
			return (c == CmdCreate || c == CmdRename) && d.ours.IsError && d.theirErr && !d.sameTree
		},
	},
	{
		in: pyOnly, what: "A listing meets a link that leads out of the store",
		original: "lists it and what is below it",
		shows: []example{{input: `{"command":"view","path":"/memories/links"}`, want: "Here're the files and directories up to 2 " +
			"levels deep in /memories/links, excluding hidden items:\n4K\t/memories/links", fine: true}},
		allows: func(d difference) bool {
			return d.sameTree && !d.ours.IsError && !d.theirErr && strings.HasPrefix(d.ours.Content, "Here're the files") &&
				without(d.theirs, d.ours.Content, leadsOut.MatchString)
		},
	},
	{
		in: pyOnly, what: "A path leads to a link, or over one and back by `..`",
		original: "acts on what the link leads to",
		shows: []example{
			{input: `{"command":"delete","path":"/memories/folder"}`, want: "Successfully deleted /memories/folder", fine: true},
		},
		allows: func(d difference) bool { return false },
	},
	{
		in: pyOnly, what: "The root is deleted under another spelling than `/memories`",
		original: "deletes everything",
		shows: []example{
			{input: `{"command":"delete","path":"/memories/"}`, want: "Cannot delete the /memories directory itself"},
		},
		allows: func(d difference) bool { return d.ours.Content == "Cannot delete the /memories directory itself" },
	},
	{
		in: vsOnly, what: "A path leads through a link out of the store",
		original: "follows it",
		shows: []example{{input: `{"command":"view","path":"/memories/links/out"}`, want: "Error: Path /memories/links/out would escape " +
			"/memories directory"}},
		allows: func(d difference) bool { return errors.Is(d.ours.Err, backend.ErrEscapes) },
	},
	{
		in: vsOnly, what: "A listing meets a pipe, or a link that leads out or nowhere",
		original: "lists it as a file",
		allows: func(d difference) bool {
			return d.sameTree && !d.theirErr && strings.HasPrefix(d.ours.Content, "Here are the files") &&
				without(d.theirs, d.ours.Content, d.irregular)
		},
	},
	{
		in: vsOnly, what: "A folder is viewed through a link",
		original: "returns an error text of its runtime",
		shows:    []example{{input: `{"command":"view","path":"/memories/folder"}`, fine: true}},
		allows: func(d difference) bool {
			return d.theirErr && d.sameTree && strings.HasPrefix(d.ours.Content, "Here are the files") && runtimeText(d.theirs, d.host)
		},
	},
	{
		in: vsOnly, what: "A path leads to a link in a loop, or to one whose target uses a file as a folder",
		original: "`Error: The path {p} does not exist`, or creates over it",
		shows:    []example{{input: `{"command":"delete","path":"/memories/loop"}`, want: "Successfully deleted /memories/loop", fine: true}},
		allows:   func(d difference) bool { return d.loose },
	},
	{
		in: vsOnly, what: "A path can't be looked up: a name is too long, or permission is denied",
		original: "says that the path does not exist",
		allows: func(d difference) bool {
			return d.sameTree && (errors.Is(d.ours.Err, backend.ErrNameTooLong) || errors.Is(d.ours.Err, backend.ErrPermission))
		},
	},
	{
		in: vsOnly, what: "`new_path` is empty",
		original: "`Error: All memory paths must start with /memories/`",
		shows: []example{{input: `{"command":"rename","old_path":"/memories/a","new_path":""}`,
			want: "Error: Missing required path parameter."}},
		allows: func(d difference) bool { return d.ours.IsError && d.sameTree && d.input["new_path"] == "" },
	},
	{
		in: vsOnly, what: "A path leads to a pipe, a socket or a device",
		original: "reads or writes it, and may wait for ever",
		allows:   func(d difference) bool { return errors.Is(d.ours.Err, backend.ErrNotRegular) },
	},
	{
		in: vsOnly, what: "The root is deleted or renamed",
		original: "deletes everything, or moves the folder",
		shows:    []example{{input: `{"command":"delete","path":"/memories"}`, want: "Error: Cannot delete the /memories directory itself"}},
		allows:   func(d difference) bool { return strings.HasSuffix(d.ours.Content, "the /memories directory itself") },
	},
	{
		in: vsOnly, what: "`old_str` is empty",
		original: "does not return",
		shows: []example{{input: `{"command":"str_replace","path":"/memories/a","old_str":"","new_str":"x"}`,
			want: "No replacement was performed, old_str `` did not appear verbatim in /memories/a."}},
		allows: func(d difference) bool { return d.input["old_str"] == "" },
	},
	{
		in: vsOnly, what: "`view_range` has fewer than two numbers",
		original: "shows the rest, or the whole file with `NaN` for numbers",
		shows:    []example{{input: `{"command":"view","path":"/memories/a","view_range":[2]}`, fine: true}},
		allows: func(d difference) bool {
			list, _ := d.input["view_range"].([]any)
			return d.input["command"] == CmdView && list != nil && len(list) < 2
		},
	},
	{
		in: vsOnly, what: "A file has more than 999,999 lines",
		original: "shows it, with numbers of seven digits",
		allows:   func(d difference) bool { return errors.Is(d.ours.Err, ErrTooLong) },
	},
	{
		in: all3, what: "The text of a command contains half of a surrogate pair",
		original: "writes U+FFFD; python fails, and a create leaves an empty file",
		shows: []example{{input: `{"command":"create","path":"/memories/new","file_text":"a\ud800b"}`, want: "Error: The field " +
			"`file_text` holds half of a surrogate pair, which is no text"}},
	},
	{
		in: all3, what: "A path has more than 4,096 bytes when cleaned (64 KiB as sent), or a new one (in python: any) more " +
			"than 256 names, counting followed links",
		original: "works on it, or returns an error text of its runtime",
		shows: []example{
			{input: `{"command":"create","path":"/memories/` + strings.Repeat("a/", 256) + `f","file_text":""}`, want: tooDeep},
			{input: `{"command":"view","path":"/memories/` + strings.Repeat("n", 5000) + `"}`, want: tooDeep},
		},
	},
	{
		in: all3, what: "A new name has the form of memcurator's temporary files (`.tmp-`, a process id, `-`, 16 hex " +
			"digits), or is `/memories/memcurator.agestore`",
		original: "creates it",
		shows: []example{
			{input: `{"command":"rename","old_path":"/memories/a","new_path":"/memories/d/.tmp-4000000-0123456789abcdef"}`,
				want: "Error: The name of /memories/d/.tmp-4000000-0123456789abcdef is kept for files of the store itself. Choose another name."},
			{input: `{"command":"create","path":"/memories/.tmp-4000000-0123456789abcdef/x","file_text":""}`,
				want: "Error: The name of /memories/.tmp-4000000-0123456789abcdef/x is kept for files of the store itself. Choose another name."},
			{input: `{"command":"create","path":"/memories/memcurator.agestore","file_text":""}`,
				want: "Error: The name of /memories/memcurator.agestore is kept for files of the store itself. Choose another name."},
		},
	},
}

// leadsOut are the names of furnish's links that lead out of the store to something.
var leadsOut = regexp.MustCompile(`/(out|outfile|byout|above)(/.*)?$`)

// without reports whether a listing is another one except for some rows.
func without(theirs, ours string, omitted func(row string) bool) bool {
	left := strings.Split(strings.TrimSuffix(ours, "\n"), "\n")
	for line := range strings.SplitSeq(theirs, "\n") {
		if len(left) > 0 && left[0] == line {
			left = left[1:]
		} else if !omitted(line) {
			return false
		}
	}
	return len(left) == 0
}

// pythonError is an exception as Python writes it.
var pythonError = regexp.MustCompile(`^[A-Z][A-Za-z]*(Error|Exception)\(`)

// runtimeText recognizes what Node.js says of a failed system call, an exception of Python,
// and what names the host.
func runtimeText(text, host string) bool {
	if pythonError.MatchString(text) {
		return true
	}
	code, _, found := strings.Cut(text, ": ")
	isCode := found && len(code) > 2 && code[0] == 'E' && strings.ToUpper(code) == code && !strings.Contains(code, " ")
	return isCode || strings.Contains(text, host)
}

// evenSized is a dialect in which every directory has the same size, whatever the file system says.
func evenSized(d Dialect) Dialect {
	even := d.table().but(func(r *rules) { r.dirSize = func(backend.Info) int64 { return 4096 } })
	return Dialect{&even}
}

// newFloor is the tree that the examples describe.
func newFloor(t *testing.T, d Dialect) *Store {
	t.Helper()
	links := map[string]string{"loop": "loop", "nowhere": "/nowhere", "links/out": "/etc", "links/up": "..", "folder": "d"}
	return linkedStore(t, Options{Dialect: evenSized(d)}, links, "a", "one\ntwo\n", "bin", "x\xff", "d/f", "f")
}

// Each departure is as its example shows it, in each of its dialects.
func TestDepartures(t *testing.T) {
	for _, dep := range departures {
		for _, name := range strings.Split(dep.in, ", ") {
			d, err := ParseDialect(name)
			must(t, err)
			for _, e := range dep.shows {
				s := newFloor(t, d)
				if strings.Contains(e.input, `"/memories/links"`) {
					must(t, s.Backend().Remove("links/up"))
				}
				r := s.DoJSON(t.Context(), []byte(e.input))
				if r.IsError == e.fine || (e.want != "" && r.Content != e.want) || !utf8.ValidString(r.Content) {
					t.Errorf("%s, %s (the original: %s)\n%s\n got %v %q\nwant %q", name, dep.what, dep.original, e.input, r.IsError, r.Content, e.want)
				}
			}
		}
	}
}
