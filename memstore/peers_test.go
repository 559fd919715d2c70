//go:build linux

package memstore

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The peer of the library's benchmarks is the memory tool of Anthropic's TypeScript
// SDK. npm installs it into a cache folder outside the repository when a benchmark
// asks for it; MEMCURATOR_BENCH_NPM names a folder that has it already.
const (
	sdkPackage = "@anthropic-ai/sdk"
	sdkVersion = "1.12.0"
)

// sdk is a process of node that runs commands by the TypeScript SDK. One process
// serves a whole benchmark, so that its compiler is as warm as it gets.
type sdk struct {
	send *json.Encoder
	recv *json.Decoder
	log  bytes.Buffer // what it said on standard error
}

// sdkAnswer is what the script in testdata/bench says of one list of calls.
type sdkAnswer struct {
	NS     []int64 `json:"ns"` // one for each call
	Bytes  int     `json:"bytes"`
	SHA256 string  `json:"sha256"` // of the last result
	Peak   int64   `json:"peak"`   // resident bytes of the process, at most so far
	Error  string  `json:"error"`
}

// startSDK starts the peer, or skips the benchmark with a word.
func startSDK(b *testing.B) *sdk {
	b.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		b.Skip("the peer needs node, which is not installed")
	}
	cmd := exec.Command(node, filepath.Join("..", "testdata", "bench", "sdk.mjs"), sdkFolder(b))
	s := &sdk{}
	cmd.Stderr = &s.log
	in, err := cmd.StdinPipe()
	must(b, err)
	out, err := cmd.StdoutPipe()
	must(b, err)
	must(b, cmd.Start())
	b.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait()
	})
	s.send, s.recv = json.NewEncoder(in), json.NewDecoder(out)
	return s
}

// sdkFolder is where npm has installed the SDK; it installs it where it has not.
func sdkFolder(b testing.TB) string {
	b.Helper()
	if dir := cmp.Or(os.Getenv("MEMCURATOR_NPM"), os.Getenv("MEMCURATOR_BENCH_NPM")); dir != "" {
		return dir
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		b.Skip("the peer needs a cache folder: ", err)
	}
	dir := filepath.Join(cache, "memcurator-bench", "sdk-"+sdkVersion)
	if _, err := os.Stat(filepath.Join(dir, "node_modules", sdkPackage, "package.json")); err == nil {
		return dir
	}
	npm, err := exec.LookPath("npm")
	if err != nil {
		b.Skip("the peer needs npm, which is not installed")
	}
	must(b, os.MkdirAll(dir, 0o700))
	b.Logf("installing %s@%s into %s", sdkPackage, sdkVersion, dir)
	install := exec.Command(npm, "install", "--prefix", dir, "--no-audit", "--no-fund", "--ignore-scripts", "--fetch-retries=0",
		sdkPackage+"@"+sdkVersion)
	if said, err := install.CombinedOutput(); err != nil {
		b.Skipf("npm cannot install the peer: %v\n%s", err, said)
	}
	return dir
}

// run carries out calls on the store base/memories.
func (s *sdk) run(b *testing.B, base string, calls []Command) sdkAnswer {
	b.Helper()
	inputs := make([]json.RawMessage, len(calls))
	for i, c := range calls {
		inputs[i] = toolInput(b, c)
	}
	must(b, s.send.Encode(map[string]any{"base": base, "calls": inputs}))
	var answer sdkAnswer
	if err := s.recv.Decode(&answer); err != nil {
		b.Skipf("the peer does not run: %v\n%s", err, s.log.String())
	}
	if answer.Error != "" {
		b.Fatal("the peer failed: ", answer.Error)
	}
	return answer
}

// toolInput is a command as the JSON of the tool.
func toolInput(b *testing.B, c Command) json.RawMessage {
	b.Helper()
	input := map[string]any{"command": c.Name, "path": c.Path}
	switch c.Name {
	case CmdCreate:
		input["file_text"] = c.FileText
	case CmdStrReplace:
		input["old_str"], input["new_str"] = c.OldStr, c.NewStr
	case CmdInsert:
		input["insert_line"], input["insert_text"] = c.InsertLine, c.InsertText
	case CmdRename:
		delete(input, "path")
		input["old_path"], input["new_path"] = c.OldPath, c.NewPath
	}
	data, err := json.Marshal(input)
	must(b, err)
	return data
}

// contest times ours and theirs in turns, the other one first every second
// time, until the benchmark has had its rounds. Each gives the times of its calls of one round.
// Only the ratio of two medians of the same round means anything on a machine that others use too.
func contest(b *testing.B, peer string, ours, theirs func() []time.Duration) {
	b.Helper()
	var our, their, ratio []float64
	for round := 0; b.Loop(); round++ {
		var o, t float64
		if round%2 == 0 {
			o = middle(ours())
			t = middle(theirs())
		} else {
			t = middle(theirs())
			o = middle(ours())
		}
		our, their, ratio = append(our, o), append(their, t), append(ratio, o/t)
	}
	b.ReportMetric(0, "ns/op") // of a whole round: says nothing
	b.ReportMetric(middle(our)/1e3, "ours-us")
	b.ReportMetric(middle(their)/1e3, peer+"-us")
	b.ReportMetric(middle(ratio), "ratio-to-"+peer)
}

// middle is the median.
func middle[T time.Duration | float64](values []T) float64 {
	sorted := slices.Sorted(slices.Values(values))
	n := len(sorted)
	return float64(sorted[(n-1)/2]+sorted[n/2]) / 2
}

// timed is how long do takes.
func timed(do func()) time.Duration {
	begin := time.Now()
	do()
	return time.Since(begin)
}

func durations(ns []int64) []time.Duration {
	out := make([]time.Duration, len(ns))
	for i, n := range ns {
		out[i] = time.Duration(n)
	}
	return out
}

// inMemory is a folder on a file system in memory, where only the code counts.
func inMemory(b *testing.B) string {
	b.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "memcurator-bench-")
	if errors.Is(err, os.ErrNotExist) || errors.Is(err, os.ErrPermission) {
		b.Skip("there is no file system in memory at /dev/shm")
	}
	must(b, err)
	b.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// tmpfsMagic is how Linux names a file system in memory in statfs.
const tmpfsMagic = 0x01021994

// benchDisk is a folder where fsync means something: in MEMSTORE_BENCH_DIR, else in
// the system's folder for temporary files.
func benchDisk(b *testing.B) string {
	b.Helper()
	dir, err := os.MkdirTemp(os.Getenv("MEMSTORE_BENCH_DIR"), "memcurator-bench-")
	must(b, err)
	b.Cleanup(func() { _ = os.RemoveAll(dir) })
	var fs syscall.Statfs_t
	must(b, syscall.Statfs(dir, &fs))
	if fs.Type == tmpfsMagic {
		b.Skipf("%s is in memory: name a folder on a disk in MEMSTORE_BENCH_DIR", filepath.Dir(dir))
	}
	return dir
}

// runFind times find over a tree; it says how long the process took as a whole.
func runFind(b *testing.B, args ...string) time.Duration {
	b.Helper()
	find := exec.Command("find", args...)
	var said strings.Builder
	find.Stderr = &said
	took := timed(func() {
		if err := find.Run(); err != nil {
			b.Skipf("find cannot do this here: %v %s", err, said.String())
		}
	})
	return took
}
