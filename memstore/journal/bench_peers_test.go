//go:build linux

package journal

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"syscall"
	"testing"
	"time"

	"memcurator/memstore"
	"memcurator/memstore/memtest"
)

// BenchmarkPeerCommands runs durable commands on notes of 3.6 KB in 20 folders on disk, with
// the journal and without, beside the TypeScript SDK (goal 4: with it at most 1.25 of the SDK, which
// keeps no record; without 0.85). Each round has a fresh store and a fresh journal, which has
// read the notes before. The SDK comes from where the benchmark of the library installs it.
func BenchmarkPeerCommands(b *testing.B) {
	peer := startPeer(b)
	for _, name := range []string{memstore.CmdCreate, memstore.CmdStrReplace, memstore.CmdInsert} {
		b.Run(name, func(b *testing.B) {
			var on, off, sdk, ratioOn, ratioOff []float64
			sides := []func(){
				func() { on = append(on, peerRound(b, name, true)) },
				func() { off = append(off, peerRound(b, name, false)) },
				func() { sdk = append(sdk, peer.round(b, name)) },
			}
			for n := range b.N {
				for i := range sides {
					sides[(i+n)%len(sides)]()
				}
				ratioOn, ratioOff = append(ratioOn, on[n]/sdk[n]), append(ratioOff, off[n]/sdk[n])
			}
			b.ReportMetric(0, "ns/op") // of a whole round: says nothing
			b.ReportMetric(medianOf(on), "on-µs")
			b.ReportMetric(medianOf(off), "off-µs")
			b.ReportMetric(medianOf(sdk), "ts-µs")
			b.ReportMetric(medianOf(ratioOn), "on-to-ts")
			b.ReportMetric(medianOf(ratioOff), "off-to-ts")
		})
	}
}

const peerNotes = 100

func peerCall(name string, i int) memstore.Command {
	c := memstore.Command{Name: name, Path: fmt.Sprintf("/memories/f%02d/note-%d.md", i%20, i)}
	switch name {
	case memstore.CmdCreate:
		c.FileText = peerNote
	case memstore.CmdStrReplace:
		c.OldStr, c.NewStr = "state: 0", "state: 1"
	case memstore.CmdInsert:
		c.InsertLine, c.InsertText = 3, "a line more\n"
	}
	return c
}

var peerNote = string(memtest.Note(3600, 1)) + "\nstate: 0\n"

// peerStore makes the folders, and the notes unless the benchmark creates them; what it wrote is on the disk.
func peerStore(b *testing.B, command string) (base string) {
	b.Helper()
	base, err := os.MkdirTemp(b.TempDir(), "round-")
	if err != nil {
		b.Fatal(err)
	}
	for i := range peerNotes {
		dir := filepath.Join(base, "memories", fmt.Sprintf("f%02d", i%20))
		err := os.MkdirAll(dir, 0o700)
		if err == nil && command != memstore.CmdCreate {
			err = os.WriteFile(filepath.Join(dir, fmt.Sprintf("note-%d.md", i)), []byte(peerNote), 0o600)
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	return base
}

// peerRound is the median time of one of our commands, in µs.
func peerRound(b *testing.B, command string, recorded bool) float64 {
	base := peerStore(b, command)
	d := &desk{t: b, dir: filepath.Join(base, "memories"), state: base}
	d.open(Options{})
	defer d.close()
	d.reconcile()
	if !recorded {
		d.store = memstore.New(d.store.Backend(), memstore.Options{})
	}
	syscall.Sync()
	times := make([]time.Duration, peerNotes)
	for i := range times {
		c := peerCall(command, i)
		start := time.Now()
		d.do(c)
		times[i] = time.Since(start)
	}
	return float64(median(times).Nanoseconds()) / 1e3
}

// peer is a process of node that runs commands by the TypeScript SDK.
type peer struct {
	send *json.Encoder
	recv *json.Decoder
}

func startPeer(b *testing.B) *peer {
	b.Helper()
	folder := os.Getenv("MEMCURATOR_BENCH_NPM")
	if cache, err := os.UserCacheDir(); folder == "" && err == nil {
		found, _ := filepath.Glob(filepath.Join(cache, "memcurator-bench", "sdk-*"))
		if len(found) > 0 {
			folder = found[len(found)-1]
		}
	}
	node, err := exec.LookPath("node")
	if err != nil || folder == "" {
		b.Skip("the peer needs node and the SDK: run the benchmark PeerCommands of memstore first")
	}
	cmd := exec.Command(node, filepath.Join("..", "..", "testdata", "bench", "sdk.mjs"), folder)
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		b.Skip("the peer does not start: ", err)
	}
	b.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait()
	})
	return &peer{json.NewEncoder(in), json.NewDecoder(out)}
}

func (p *peer) round(b *testing.B, command string) float64 {
	base := peerStore(b, command)
	syscall.Sync()
	inputs := make([]map[string]any, peerNotes)
	for i := range inputs {
		c := peerCall(command, i)
		inputs[i] = map[string]any{"command": c.Name, "path": c.Path}
		switch command {
		case memstore.CmdCreate:
			inputs[i]["file_text"] = c.FileText
		case memstore.CmdStrReplace:
			inputs[i]["old_str"], inputs[i]["new_str"] = c.OldStr, c.NewStr
		case memstore.CmdInsert:
			inputs[i]["insert_line"], inputs[i]["insert_text"] = c.InsertLine, c.InsertText
		}
	}
	if err := p.send.Encode(map[string]any{"base": base, "calls": inputs}); err != nil {
		b.Fatal(err)
	}
	var answer struct {
		NS    []time.Duration `json:"ns"`
		Error string          `json:"error"`
	}
	if err := p.recv.Decode(&answer); err != nil || answer.Error != "" {
		b.Skip("the peer does not run: ", err, answer.Error)
	}
	return float64(median(answer.NS).Nanoseconds()) / 1e3
}

func medianOf(v []float64) float64 {
	sorted := slices.Sorted(slices.Values(v))
	return sorted[len(sorted)/2]
}
