//go:build linux

package memstore

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"memcurator/memstore/backend"
	"memcurator/memstore/memtest"
)

// The differential tests run the same commands through the file memories of the two
// SDKs and through the dialects that follow them, on equal folders, and compare text, flag and
// tree after each. npm installs the TypeScript SDK into a cache folder; MEMCURATOR_NPM names a
// folder that has it. The Python SDK must be there: PYTHONPATH may name it. MEMCURATOR_DIFFERENTIAL
// is the number of sequences, MEMCURATOR_SEED the first of them.

const sequenceLength = 60

// treeRow is one path of a tree: its name, its kind, its bytes or target.
type treeRow [3]string

type sdkResult struct {
	Content string    `json:"content"`
	IsError bool      `json:"is_error"`
	Tree    []treeRow `json:"tree"` // nil: that of the command before
}

// driver is one process of the peer for the whole test.
type driver struct {
	send *json.Encoder
	recv *json.Decoder
	log  bytes.Buffer
}

func startDriver(t *testing.T, program string, args ...string) *driver {
	t.Helper()
	cmd := exec.Command(program, args...)
	d := &driver{}
	cmd.Stderr = &d.log
	in, err := cmd.StdinPipe()
	must(t, err)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	t.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait()
	})
	d.send, d.recv = json.NewEncoder(in), json.NewDecoder(out)
	d.send.SetEscapeHTML(false)
	return d
}

func (d *driver) run(t *testing.T, base string, commands []map[string]any) []sdkResult {
	t.Helper()
	must(t, d.send.Encode(map[string]any{"base": base, "commands": commands}))
	var results []sdkResult
	if err := d.recv.Decode(&results); err != nil {
		t.Fatalf("the SDK does not run: %v\n%s", err, d.log.String())
	}
	return results
}

// diskTree is the tree of dir as the driver writes it.
func diskTree(t *testing.T, dir, prefix string, rows []treeRow) []treeRow {
	t.Helper()
	entries, err := os.ReadDir(dir)
	must(t, err)
	for _, e := range entries {
		at, name := filepath.Join(dir, e.Name()), prefix+e.Name()
		switch e.Type() {
		case os.ModeSymlink:
			target, err := os.Readlink(at)
			must(t, err)
			rows = append(rows, treeRow{name, "link", target})
		case os.ModeDir:
			rows = diskTree(t, at, name+"/", append(rows, treeRow{name, "dir", ""}))
		case 0:
			data, err := os.ReadFile(at)
			must(t, err)
			rows = append(rows, treeRow{name, "file", base64.StdEncoding.EncodeToString(data)})
		default:
			rows = append(rows, treeRow{name, "other", ""})
		}
	}
	return rows
}

// normal makes trees of two folders comparable.
func normal(rows []treeRow, base string) []treeRow {
	out := make([]treeRow, len(rows))
	for i, r := range rows {
		r[0] = strings.ToValidUTF8(r[0], "\uFFFD")
		if r[1] == "link" {
			r[2] = strings.Replace(r[2], base, "BASE", 1)
		}
		out[i] = r
	}
	slices.SortFunc(out, func(a, b treeRow) int { return strings.Compare(a[0], b[0]) })
	return out
}

// furnish makes the tree that every sequence starts with; BASE in a target is the folder.
func furnish(t *testing.T, base string, r *rand.Rand) {
	t.Helper()
	root := filepath.Join(base, "memories")
	must(t, os.MkdirAll(filepath.Join(base, "beside"), 0o700))
	must(t, os.WriteFile(filepath.Join(base, "beside", "secret"), []byte("secret\n"), 0o600))
	must(t, os.MkdirAll(root, 0o700))
	put := func(name, data string) {
		at := filepath.Join(root, name)
		must(t, os.MkdirAll(filepath.Dir(at), 0o700))
		must(t, os.WriteFile(at, []byte(data), 0o600))
	}
	for _, f := range [][2]string{
		{"a", "a\nb\n"}, {"b", "no end"}, {"empty", ""}, {"crlf", "x\r\ny\r\nlone\rz\r\n"}, {"日本/语.md", "日本語\n🙂 é é\n"},
		{"d/a", "a a\nb\n\nc\nd\ne\nf\ng\n"}, {"d/e/deep", "1\n2\n3\n"}, {"d/e/f/g", "g"}, {".h/a", "hidden"}, {"node_modules/m/x", "x"},
		{"bin", "x\xffy\xe2\x82\nz\n"}, {"\U0001F642", "s"}, {"\uFB01", "l"}, {"s1280", strings.Repeat("k\n", 640)},
		{"with space .md", "\u2028\u2029\u0085\v\f\n"}, {"bad\xffname", "x"}, {"s2304", strings.Repeat("k", 2304)},
		{"bom", "\uFEFFx\n"}, {"rep", "aaaa\naa\n"}, {"ends", "a\vb\fc\x1cd\x1de\x1ef\x1fg\u0085h\u2028i\u2029j\rk\r\nl\n\rm\n"},
		{"e\u0301", "NFD"}, {"\u00e9", "NFC"}, {"back\\slash", "b"}, {"...", "dots"}, {"%2e%2e", "percent"}, {strings.Repeat("n", 255), "long"},
	} {
		if r.IntN(4) > 0 {
			put(f[0], f[1])
		}
	}
	put("d/keep", "")
	for _, l := range [][2]string{
		{"toa", "a"}, {"tod", "d"}, {"todeep", "d/e"}, {"out", "../beside"}, {"outfile", "../beside/secret"}, {"gone", "missing"},
		{"gonedeep", "new/missing"}, {"nowhere", "/nowhere/else"}, {"loop", "loop"}, {"d/up", ".."}, {"chain", "toa"},
		{"d/gone", "nothing"}, {"above", ".."}, {"toslash", "slash"}, {"slash", "a/"}, {"slashd", "d/"}, {"slashgone", "missing/"},
		{"slashdot", "a/."}, {"slashup", "a/../b"}, {"loop2", "d/../loop3"}, {"loop3", "./loop2"}, {"loopup", "loop/../a"},
		{"tofifo", "fifo"}, {"dot", "."}, {"d/e/self", "../e"},
	} {
		if r.IntN(4) > 0 {
			at := filepath.Join(root, l[0])
			must(t, os.MkdirAll(filepath.Dir(at), 0o700))
			must(t, os.Symlink(l[1], at))
		}
	}
	must(t, syscall.Mkfifo(filepath.Join(root, "fifo"), 0o600))
	must(t, syscall.Mkfifo(filepath.Join(root, "d", "fifo"), 0o600))
}

var (
	hostilePaths = []string{
		"/memories", "/memories/", "/memories//", "/memories/.", "/memories/..", "/memories/../memories", "/memories/../memories/a",
		"/memories/../x", "/memories/../../memories/a", "/memories/../other/../memories/d/a", "/memories/d/..", "/memories/d/../a",
		"/memories/tod/../a", "/memories/todeep/../a", "/memories/todeep/..", "/memories/a/..", "/memories/a/../b", "/memories/none/../a",
		"/memories/none/../../memories/b", "/memories/%2e%2e/x", "/memories/..%2fx", "/memories/..\\x", "/memories/d/..\\..\\x",
		"/memories_evil", "/memoriesn.md", "/memories_evil/../a", "/etc/passwd", "", "memories/a", "/Memories/a", "a", "/", "//memories/a",
		"/memories/a\x00b", "/memories/a\tb", "/memories/a\nb", "/memories/x\u0085", "/memories/./d/./a", "/memories/d//a", "/memories/d/a/",
		"/memories/" + strings.Repeat("n", 256), "/memories/p/" + strings.Repeat("n", 300) + "/x", "/memories/p/q/" + strings.Repeat("n", 256),
		"/memories/" + strings.Repeat("日", 86), "/memories/...", "/memories/a.", "/memories/ a", "/memories/{p}", "/memories/`$&`",
		"/memories/nowhere", "/memories/nowhere/x", "/memories/out", "/memories/out/secret", "/memories/out/none/x", "/memories/outfile",
		"/memories/out/../a", "/memories/loop", "/memories/loop/x", "/memories/fifo", "/memories/fifo/x", "/memories/\uFFFD",
		"/memories/loop/../a", "/memories/loop/../toa", "/memories/loop/x/../../tod/a", "/memories/loop2/../loop/../b",
		"/memories/above",
		"/memories/above/x",
		"/memories/above/beside/secret", "/memories/d/fifo", "/memories/tofifo", "/memories/tofifo/x",
		"/memories/slash/../b", "/memories/x\u2028y",
		"/memories/\u202ea", "/memories/NUL",
		"/memories/" + strings.Repeat("n", 255), "/memories/d/up/d/up/d/up/a",
	}
	hostileNames = []string{
		"a", "b", "empty", "crlf", "日本/语.md", "d", "d/a", "d/e", "d/e/deep", "d/e/f", "d/e/f/g", ".h", ".h/a", "node_modules", "node_modules/m/x",
		"bin", "\U0001F642", "\uFB01", "s1280", "with space .md", "bom", "rep", "toa", "tod", "tod/a", "tod/x", "todeep", "todeep/deep",
		"todeep/n/m",
		"gone", "gone/x", "gonedeep", "gonedeep/x/y", "d/up", "d/up/a", "d/up/d/a", "chain",
		"d/gone", "tod/gone",
		"slash", "slash/x", "slashd",
		"slashd/a",
		"slashgone", "slashdot", "slashup", "toslash", "loop2", "loop3", "loopup", "dot", "dot/a",
		"d/e/self", "d/e/self/deep",
		"d/e/self/self/x", "d/up/x", "d/up/d/x", "d/up/p/q", "ends", "e\u0301", "\u00e9", "back\\slash", "...", "%2e%2e",
		"a/x", "a/x/y", "new", "p/q/r", "d/x", "d/x/y", "d/e/x", "none", "none/x", "none/x/y", "missing", "missing/x", "new/missing", "d/nothing",
	}
	hostileTexts = []string{
		"", "\n", "a", "a\n", "b", "\n\n", "x\n\n", "a\nb", "a\nb\n", "$& $1 $$ $` $'", "x\r\ny", "\r", "aa", "日本", "本", "🙂", "é", "e\u0301",
		"no end", "\u2028", "\u2029x", "\u0085", "\v", "a\fb\n", "\x1c\x1d", "\x1e\n", "c\x1cd", "\r\r\n", "1\n2\n3\n4\n5\n6\n7\n",
		"{p} {old}", "\uFFFD", "\\n", "undefined", "\ufeff", "a a", "\x00", "k\n",
	}
	wrongValues = []any{nil, 1, 1.5, true, "1", "", []any{}, map[string]any{}, []any{"1", "2"}, []any{1.5, 2.5}, -1, 1e30}
	wildNumbers = []json.Number{
		"9007199254740991", "9007199254740992", "9007199254740993", "-9007199254740993", "4611686018427387904", "9223372036854775807",
		"9223372036854775808",
		"-9223372036854775808", "-9223372036854775809", "18446744073709551616", "123456789012345678901234567890", "1e15", "1e16", "1e18",
		"9.3e18", "1e20", "1e21", "1.5e22",
		"1e300", "-1e300", "1E+300", "1e400", "-1e400", "9007199254740993.0", "9223372036854775807.0", "-0", "-0.0", "2.0", "0.2e1", "1e-300",
	}
)

func hostilePath(r *rand.Rand) string {
	if r.IntN(5) == 0 {
		return hostilePaths[r.IntN(len(hostilePaths))]
	}
	p := "/memories/" + hostileNames[r.IntN(len(hostileNames))]
	if r.IntN(12) == 0 {
		p += "/"
	}
	if r.IntN(12) == 0 {
		p = strings.Replace(p, "/", "//", 2)[1:]
	}
	return p
}

func hostileRange(r *rand.Rand) []any {
	list := make([]any, []int{2, 2, 2, 2, 0, 1, 3}[r.IntN(7)])
	for i := range list {
		list[i] = []int{-999, -3, -2, -1, 0, 1, 1, 2, 3, 4, 5, 9, 1000, 1 << 40}[r.IntN(14)]
		if r.IntN(10) == 0 {
			list[i] = wildNumbers[r.IntN(len(wildNumbers))]
		}
	}
	return list
}

// hostileInput is a random input of the tool; one in fifteen does not fit the schema.
func hostileInput(r *rand.Rand) map[string]any {
	text := func() string { return hostileTexts[r.IntN(len(hostileTexts))] }
	in := map[string]any{}
	switch r.IntN(11) {
	case 0, 1:
		in["command"], in["path"] = CmdView, hostilePath(r)
	case 2:
		in["command"], in["path"], in["view_range"] = CmdView, hostilePath(r), hostileRange(r)
	case 3, 4:
		in["command"], in["path"], in["file_text"] = CmdCreate, hostilePath(r), text()+text()+text()
	case 5, 6:
		in["command"], in["path"], in["old_str"], in["new_str"] = CmdStrReplace, hostilePath(r), text(), text()+text()
	case 7, 8:
		in["command"], in["path"], in["insert_line"], in["insert_text"] = CmdInsert, hostilePath(r), r.IntN(9)-1, text()+text()
		if r.IntN(6) == 0 {
			in["insert_line"] = wildNumbers[r.IntN(len(wildNumbers))]
		}
	case 9:
		in["command"], in["path"] = CmdDelete, hostilePath(r)
		if r.IntN(2) == 0 {
			in["path"] = hostilePath(r)
		}
	default:
		in["command"], in["old_path"], in["new_path"] = CmdRename, hostilePath(r), hostilePath(r)
	}
	if r.IntN(15) == 0 {
		fields := make([]string, 0, len(in))
		for f := range in {
			fields = append(fields, f)
		}
		slices.Sort(fields)
		f := fields[r.IntN(len(fields))]
		if r.IntN(2) == 0 {
			delete(in, f)
		} else {
			in[f] = wrongValues[r.IntN(len(wrongValues))]
		}
	}
	return in
}

// linkedPath reports whether a path leads to a link, or over one.
func linkedPath(root string) func(string) bool {
	return func(p string) bool {
		name, err := sdkPath(p)
		if err != nil {
			return false
		}
		at := root
		for segment := range backend.EachSegment(name) {
			at = filepath.Join(at, segment)
			if _, err := os.Readlink(at); err == nil {
				return true
			}
		}
		return false
	}
}

// loosePath reports whether a path goes over a link that can't be followed for another reason than a missing target.
func loosePath(root string) func(string) bool {
	return func(p string) bool {
		at := root
		name, err := vscodeParse(p)
		if err != nil {
			return false
		}
		for segment := range backend.EachSegment(name) {
			at = filepath.Join(at, segment)
			if _, err := os.Readlink(at); err != nil {
				continue
			}
			if _, err := os.Stat(at); err != nil && !errors.Is(err, os.ErrNotExist) {
				return true
			}
		}
		return false
	}
}

func numberFrom(variable string, otherwise int) int {
	n, err := strconv.Atoi(os.Getenv(variable))
	if err != nil {
		return otherwise
	}
	return n
}

func TestDifferential(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("the SDK is not run with -short")
	}
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("the SDK needs node, which is not installed")
	}
	differ(t, startDriver(t, node, filepath.Join("..", "testdata", "differential", "driver.mjs"), sdkFolder(t)), TypeScript)
}

func TestDifferentialPython(t *testing.T) {
	if testing.Short() {
		t.Skip("the SDK is not run with -short")
	}
	differ(t, startDriver(t, pythonSDK(t), filepath.Join("..", "testdata", "differential", "driver.py")), Python)
}

// The memory tool of VS Code has no package: MEMCURATOR_VSCODE names memoryTool.tsx in a clone of microsoft/vscode, and
// MEMCURATOR_NPM a folder in which npm has installed typescript.
func TestDifferentialVSCode(t *testing.T) {
	t.Parallel()
	tool, modules := os.Getenv("MEMCURATOR_VSCODE"), os.Getenv("MEMCURATOR_NPM")
	node, err := exec.LookPath("node")
	if err != nil || tool == "" || modules == "" {
		t.Skip("this takes node, MEMCURATOR_VSCODE and MEMCURATOR_NPM")
	}
	differ(t, startDriver(t, node, filepath.Join("..", "testdata", "differential", "vscode.mjs"), tool, modules), VSCode)
}

// pythonSDK is the interpreter that has the Python SDK.
func pythonSDK(t *testing.T) string {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("the SDK needs python3, which is not installed")
	}
	if said, err := exec.Command(python, "-c", "import anthropic.lib.tools._beta_builtin_memory_tool").CombinedOutput(); err != nil {
		t.Skipf("the Python SDK is not installed: %v\n%s", err, said)
	}
	return python
}

// differ compares a dialect with the tool behind a driver.
func differ(t *testing.T, d *driver, dialect Dialect) {
	t.Helper()
	compared, reasons := 0, map[string]int{}
	first := numberFrom("MEMCURATOR_SEED", 1)
	for seed := first; seed < first+numberFrom("MEMCURATOR_DIFFERENTIAL", 10) && !t.Failed(); seed++ {
		r := rand.New(rand.NewPCG(uint64(seed), 11))
		theirs, ours := memtest.TempDir(t), memtest.TempDir(t)
		furnish(t, theirs, rand.New(rand.NewPCG(uint64(seed), 12)))
		furnish(t, ours, rand.New(rand.NewPCG(uint64(seed), 12)))
		commands := make([]map[string]any, sequenceLength)
		for i := range commands {
			commands[i] = hostileInput(r)
		}
		s, err := Open(filepath.Join(ours, "memories"), Options{Dialect: dialect})
		must(t, err)
		var tree []treeRow
		for i, want := range d.run(t, theirs, commands) {
			if want.Tree != nil {
				tree = normal(want.Tree, theirs)
			}
			compared++
			if why, goOn := compare(t, s, commands[i], want, ours, theirs, tree); why != "" {
				if reasons[why]++; why == unexplained {
					t.Errorf("seed %d, command %d", seed, i)
				}
				if !goOn {
					break
				}
			}
		}
		s.Close()
	}
	t.Logf("%d commands compared; of these differ as the table of departures says:", compared)
	for why, n := range reasons {
		t.Logf("%6d %s", n, why)
	}
}

const unexplained = "unexplained"

// compare runs one command and says by which departure it differs, "" if by none, and
// whether the trees are still equal.
func compare(t *testing.T, s *Store, command map[string]any, want sdkResult, ours, theirs string, tree []treeRow) (why string, goOn bool) {
	t.Helper()
	root := filepath.Join(ours, "memories")
	linked := difference{input: command}.anyPath(linkedPath(root))
	loose := difference{input: command}.anyPath(loosePath(root))
	input, err := json.Marshal(command)
	must(t, err)
	got := s.DoJSON(t.Context(), input)
	if strings.Contains(got.Content, ours) {
		t.Errorf("the result names the host: %q", got.Content)
	}
	if s.Dialect() == VSCode && !want.IsError {
		want.IsError = got.IsError // that tool flags no errors
	}
	mine := normal(diskTree(t, root, "", nil), ours)
	same := slices.Equal(mine, tree)
	got.Content = strings.ToValidUTF8(got.Content, "\uFFFD")
	if same && got.Content == want.Content && got.IsError == want.IsError {
		return "", true
	}
	d := difference{
		input: command, ours: got, theirs: want.Content, theirErr: want.IsError, sameTree: same, host: theirs, linked: linked, loose: loose,
		irregular: func(row string) bool {
			name := row[strings.LastIndexAny(row, "/ \t")+1:]
			return slices.ContainsFunc(mine, func(r treeRow) bool { return filepath.Base(r[0]) == name && (r[1] == "link" || r[1] == "other") })
		},
	}
	for _, dep := range departures {
		if strings.Contains(dep.in, s.Dialect().String()) && dep.allows != nil && dep.allows(d) {
			return dep.what, same
		}
	}
	t.Errorf("%s\n ours %v %q %v\ntheirs %v %q\nsame tree: %v%s", input,
		got.IsError, got.Content, got.Err, want.IsError, want.Content, same, treeDiff(mine, tree))
	return unexplained, same
}

func treeDiff(ours, theirs []treeRow) string {
	var b strings.Builder
	for _, r := range ours {
		if !slices.Contains(theirs, r) {
			fmt.Fprintf(&b, "\n ours only   %q", r)
		}
	}
	for _, r := range theirs {
		if !slices.Contains(ours, r) {
			fmt.Fprintf(&b, "\n theirs only %q", r)
		}
	}
	return b.String()
}
