//go:build linux

package memstore

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"memcurator/memstore/memtest"
)

// The conformance vectors are written by hand, except for what they expect. That is recorded:
//
//	go test ./memstore -run Vectors -update
//
// fills in, or rewrites, the answers and the tree of each vector. Those of typescript are
// asked of the SDK's own tool, those of vscode of the editor's (see differential_test.go), those of python of the model in
// python_test.go, and what those two cannot say (docs; input that fits no schema; rules marked
// "(The original …)", where we part from the SDKs) of our handlers, which is then to be
// read with the rule beside it. Without -update what the original tools answer is compared.
var updateVectors = flag.Bool("update", false, "record what the conformance vectors expect")

const vectorFolder = "memtest/vectors"

// rawVector is a vector as it is written. What does not change keeps its spelling.
type rawVector struct {
	Name    string          `json:"name"`
	Rule    string          `json:"rule"`
	Dialect string          `json:"dialect"`
	Needs   json.RawMessage `json:"needs"`
	Tree    json.RawMessage `json:"tree"`
	Steps   []rawStep       `json:"steps"`
	After   json.RawMessage `json:"tree_after"`
}

type rawStep struct {
	Input   json.RawMessage `json:"input"`
	Content json.RawMessage `json:"content"`
	IsError bool            `json:"is_error"`
}

// plain is a JSON value without HTML escapes.
func plain(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(err) // strings and trees can be encoded
	}
	return bytes.TrimSpace(b.Bytes())
}

// format writes a file of vectors: a line for each field, two for each step.
func format(list []rawVector) []byte {
	var b bytes.Buffer
	b.WriteString("[\n")
	for i, v := range list {
		b.WriteString("  {\n")
		for _, f := range []struct {
			name  string
			value json.RawMessage
		}{{"name", plain(v.Name)}, {"rule", plain(v.Rule)}, {"dialect", plain(v.Dialect)}, {"needs", v.Needs}, {"tree", v.Tree}} {
			if f.value != nil {
				b.WriteString("    \"" + f.name + "\": " + string(f.value) + ",\n")
			}
		}
		b.WriteString("    \"steps\": [\n")
		for j, s := range v.Steps {
			b.WriteString("      {\"input\": " + string(s.Input) + ",\n       \"content\": " + string(s.Content) + ", \"is_error\": ")
			b.Write(plain(s.IsError))
			b.WriteString("}" + comma(j, len(v.Steps)) + "\n")
		}
		b.WriteString("    ]")
		if v.After != nil {
			b.WriteString(",\n    \"tree_after\": " + string(v.After))
		}
		b.WriteString("\n  }" + comma(i, len(list)) + "\n")
	}
	b.WriteString("]\n")
	return b.Bytes()
}

func comma(i, n int) string {
	if i == n-1 {
		return ""
	}
	return ","
}

// recorded is what a tool answered to the steps of a vector, and the tree that it left. The
// zero recorded says that it cannot be asked.
type recorded struct {
	results []Result
	after   memtest.Tree
}

// recorder asks one tool; the place is furnished with the vector's tree.
type vectorRecorder func(t *testing.T, v memtest.Vector, place memtest.Place) recorded

func TestVectorsAreCurrent(t *testing.T) {
	t.Parallel()
	folders, err := os.ReadDir(vectorFolder)
	must(t, err)
	for _, folder := range folders {
		t.Run(folder.Name(), func(t *testing.T) {
			d, err := ParseDialect(folder.Name())
			must(t, err)
			ask, tool := originalOf(t, d)
			files, err := os.ReadDir(filepath.Join(vectorFolder, folder.Name()))
			must(t, err)
			asked, total := 0, 0
			for _, file := range files {
				n, all := recordFile(t, filepath.Join(vectorFolder, folder.Name(), file.Name()), d, ask)
				asked, total = asked+n, total+all
			}
			t.Logf("%d of %d vectors were asked of %s, the others of our handlers", asked, total, tool)
		})
	}
}

// originalOf is the tool that a dialect's vectors are asked of.
func originalOf(t *testing.T, d Dialect) (vectorRecorder, string) {
	switch d {
	case Python:
		return askModel, "the model of the Python SDK"
	case TypeScript:
		node, err := exec.LookPath("node")
		if err != nil || testing.Short() || os.Getenv("MEMCURATOR_NPM") == "" && !*updateVectors {
			t.Log("the SDK of npm is not asked: that takes node, and MEMCURATOR_NPM or -update")
			break
		}
		driver := startDriver(t, node, filepath.Join("..", "testdata", "differential", "driver.mjs"), sdkFolder(t))
		return func(t *testing.T, v memtest.Vector, place memtest.Place) recorded {
			r := askSDK(t, driver, v, place)
			if r.results == nil && !slices.Contains(v.Needs, memtest.NeedsHoles) {
				t.Errorf("%s: the SDK fails this vector on purpose; its rule lacks the note (The original …)", v.Name)
			}
			return r
		}, "the TypeScript SDK"
	case VSCode:
		tool, modules := os.Getenv("MEMCURATOR_VSCODE"), os.Getenv("MEMCURATOR_NPM")
		node, err := exec.LookPath("node")
		if err != nil || tool == "" || modules == "" {
			t.Log("the tool of VS Code is not asked: that takes node, MEMCURATOR_VSCODE and MEMCURATOR_NPM")
			break
		}
		driver := startDriver(t, node, filepath.Join("..", "testdata", "differential", "vscode.mjs"), tool, modules)
		return func(t *testing.T, v memtest.Vector, place memtest.Place) recorded {
			return askVSCode(t, driver, v, place)
		}, "the tool of VS Code"
	}
	return nil, "nobody else"
}

// recordFile compares the vectors of a file with what the tools say, or writes that down.
func recordFile(t *testing.T, file string, d Dialect, original vectorRecorder) (asked, total int) {
	t.Helper()
	data, err := os.ReadFile(file)
	must(t, err)
	var list []rawVector
	must(t, json.Unmarshal(data, &list))
	vectors, err := memtest.ReadVectors(data)
	must(t, err)
	for i, v := range vectors {
		var r recorded
		if original != nil && !strings.Contains(v.Rule, "(The original") {
			r = onPlace(t, v, original)
		}
		if r.results != nil {
			asked++
		} else if *updateVectors { // else TestConformanceOnDisk asks them
			r = onPlace(t, v, askOurs(d))
		}
		if r.results == nil {
			continue // nobody is asked, or this system cannot hold its tree
		}
		list[i].take(t, v, r)
	}
	if got := format(list); !bytes.Equal(got, data) {
		if *updateVectors {
			must(t, os.WriteFile(file, got, 0o644))
		} else {
			t.Errorf("%s is not as it would be recorded now; see -update", file)
		}
	}
	return asked, len(list)
}

// onPlace asks a tool on a fresh directory that holds the vector's tree.
func onPlace(t *testing.T, v memtest.Vector, ask vectorRecorder) recorded {
	t.Helper()
	base, err := os.MkdirTemp("", "vector-")
	must(t, err)
	defer os.RemoveAll(base)
	place := memtest.Place(base)
	if err := place.Furnish(v); errors.Is(err, errors.ErrUnsupported) {
		return recorded{}
	} else if err != nil {
		t.Fatalf("%s: %v", v.Name, err)
	}
	return ask(t, v, place)
}

// take puts what was recorded into a vector, where it is not there already.
func (raw *rawVector) take(t *testing.T, v memtest.Vector, r recorded) {
	t.Helper()
	for i, got := range r.results {
		if got.IsError == v.Steps[i].IsError && memtest.Match(v.Steps[i].Content, got.Content) {
			continue
		}
		if !*updateVectors {
			t.Errorf("%s, step %d %s\nrecorded now %v %q\nexpected     %v %q", v.Name, i+1, v.Steps[i].Input,
				got.IsError, got.Content, v.Steps[i].IsError, v.Steps[i].Content)
		}
		raw.Steps[i].Content, raw.Steps[i].IsError = plain(anySizes(raw.Dialect, got)), got.IsError
	}
	if r.after.String() == v.After.String() {
		return
	}
	if !*updateVectors {
		t.Errorf("%s leaves\n%sexpected\n%s", v.Name, r.after, v.After)
	}
	raw.After = plain(r.after)
	if r.after.String() == v.Tree.String() {
		raw.After = nil
	}
}

// anySizes replaces the sizes that a file system reports for folders by [memtest.AnySize].
func anySizes(dialect string, r Result) string {
	head, body, found := strings.Cut(r.Content, "\n")
	if dialect == Docs.String() || r.IsError || !found || !strings.HasPrefix(head, "Here're the files") {
		return r.Content
	}
	rows := strings.Split(body, "\n")
	for i, row := range rows {
		if _, name, ok := strings.Cut(row, "\t"); ok && (i == 0 || strings.HasSuffix(name, "/")) {
			rows[i] = memtest.AnySize + "\t" + name
		}
	}
	return head + "\n" + strings.Join(rows, "\n")
}

func askOurs(d Dialect) vectorRecorder {
	return func(t *testing.T, v memtest.Vector, place memtest.Place) (r recorded) {
		t.Helper()
		s, err := Open(place.Store(), Options{Dialect: d})
		must(t, err)
		defer s.Close()
		for _, step := range v.Steps {
			r.results = append(r.results, s.DoJSON(t.Context(), step.Input))
		}
		r.after, err = place.Tree()
		must(t, err)
		return r
	}
}

// fitsSchema reports whether all inputs of a vector are ones that the tools are made for.
func fitsSchema(v memtest.Vector) bool {
	return !slices.ContainsFunc(v.Steps, func(s memtest.Step) bool {
		_, bad := DecodeCommand(s.Input)
		return bad != nil
	})
}

// askSDK asks the TypeScript SDK. Where it says what the table of departures names, we are asked.
func askSDK(t *testing.T, d *driver, v memtest.Vector, place memtest.Place) (r recorded) {
	t.Helper()
	if !fitsSchema(v) || slices.Contains(v.Needs, memtest.NeedsHoles) {
		return recorded{}
	}
	ours := onPlace(t, v, askOurs(TypeScript))
	var inputs []json.RawMessage
	for _, s := range v.Steps {
		inputs = append(inputs, s.Input)
	}
	must(t, d.send.Encode(map[string]any{"base": string(place), "commands": inputs}))
	var results []sdkResult
	if err := d.recv.Decode(&results); err != nil {
		t.Fatalf("the SDK does not run: %v\n%s", err, d.log.String())
	}
	for _, s := range results {
		r.results = append(r.results, Result{Content: s.Content, IsError: s.IsError})
	}
	var err error
	r.after, err = place.Tree()
	must(t, err)
	return unlessDeparting(t, TypeScript, v, place, ours, r)
}

// unlessDeparting returns what a tool answered, or nothing if an answer of ours differs as the table of departures says.
func unlessDeparting(t *testing.T, dialect Dialect, v memtest.Vector, place memtest.Place, ours, r recorded) recorded {
	t.Helper()
	same := ours.after.String() == r.after.String()
	for i, s := range v.Steps {
		if same && ours.results[i].Content == r.results[i].Content && ours.results[i].IsError == r.results[i].IsError {
			continue
		}
		var input map[string]any
		must(t, json.Unmarshal(s.Input, &input))
		if departs(dialect, difference{
			input: input, ours: ours.results[i], theirs: r.results[i].Content, theirErr: r.results[i].IsError, sameTree: same,
			host: string(place), irregular: func(string) bool { return false },
		}) {
			return recorded{}
		}
	}
	return r
}

// askVSCode asks the tool of VS Code, which flags no errors: the flags are ours.
func askVSCode(t *testing.T, d *driver, v memtest.Vector, place memtest.Place) (r recorded) {
	t.Helper()
	ours := onPlace(t, v, askOurs(VSCode))
	var inputs []json.RawMessage
	for _, s := range v.Steps {
		inputs = append(inputs, s.Input)
	}
	must(t, d.send.Encode(map[string]any{"base": string(place), "commands": inputs}))
	var results []sdkResult
	if err := d.recv.Decode(&results); err != nil {
		t.Fatalf("the tool does not run: %v\n%s", err, d.log.String())
	}
	for i, s := range results {
		if s.IsError {
			return recorded{} // a text of its runtime
		}
		r.results = append(r.results, Result{Content: s.Content, IsError: ours.results[i].IsError})
	}
	var err error
	if r.after, err = place.Tree(); err != nil {
		return recorded{} // it has deleted its own folder
	}
	return unlessDeparting(t, VSCode, v, place, ours, r)
}

// departs reports whether the table of departures has a row for a difference.
func departs(dialect Dialect, d difference) bool {
	return slices.ContainsFunc(departures, func(row departure) bool {
		return strings.Contains(row.in, dialect.String()) && row.allows != nil && row.allows(d)
	})
}

// askModel asks the model of the Python SDK, which knows files and folders and nothing else.
func askModel(t *testing.T, v memtest.Vector, _ memtest.Place) (r recorded) {
	t.Helper()
	if !fitsSchema(v) || len(v.Needs) > 0 {
		return recorded{}
	}
	m := pyModel{}
	for name, n := range v.Tree {
		for up := path.Dir(name); up != "." && up != ".."; up = path.Dir(up) {
			m[up] = nil
		}
		m[name] = nil
		if !n.Dir {
			text := string(n.Data)
			m[name] = &text
		}
	}
	for _, step := range v.Steps {
		c, err := DecodeCommand(step.Input)
		must(t, err)
		content, failed := m.do(c)
		r.results = append(r.results, Result{Content: content, IsError: failed})
	}
	r.after = memtest.Tree{}
	for name, text := range m {
		n := memtest.Node{Dir: text == nil}
		if text != nil {
			n.Data = []byte(*text)
		}
		r.after[name] = n
	}
	return r
}
