//go:build linux

package memstore

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"memcurator/memstore/backend"
)

// BenchmarkPeerCommands runs each command on notes of 3.6 KB in 20 folders, by our
// handlers and by the SDK's, without guards and recorders. In memory it compares the
// code (goal: at most 0.30 of the SDK); on disk what a durable write costs (goal: 0.85).
// The SDK syncs a new or changed file, we its folder too.
func BenchmarkPeerCommands(b *testing.B) {
	for _, where := range []struct {
		name   string
		folder func(*testing.B) string
	}{{"memory", inMemory}, {"disk", benchDisk}} {
		b.Run(where.name, func(b *testing.B) {
			peer := startSDK(b)
			for _, name := range []string{CmdCreate, CmdView, CmdStrReplace, CmdInsert, CmdRename, CmdDelete} {
				b.Run(name, func(b *testing.B) { peerCommand(b, peer, where.folder(b), name) })
			}
		})
	}
}

// notesPerRound is how often each side runs a command in one round.
const notesPerRound = 100

// peerNote is the note of the other benchmarks with a line that stands there once.
var peerNote = note + "state: 0\n"

// peerCommand compares one command.
func peerCommand(b *testing.B, peer *sdk, folder, name string) {
	calls := make([]Command, notesPerRound)
	for i := range calls {
		calls[i] = noteCall(name, fmt.Sprintf("/memories/f%02d/note-%d.md", i%20, i))
	}
	ours := func() []time.Duration {
		base := noteStore(b, folder, name)
		defer os.RemoveAll(base)
		s, err := Open(filepath.Join(base, "memories"), Options{})
		must(b, err)
		defer s.Close()
		times := make([]time.Duration, len(calls))
		for i, c := range calls {
			var r Result
			times[i] = timed(func() { r = s.Do(context.Background(), c) })
			if r.IsError {
				b.Fatal(r.Content)
			}
		}
		return times
	}
	theirs := func() []time.Duration {
		base := noteStore(b, folder, name)
		defer os.RemoveAll(base)
		return durations(peer.run(b, base, calls).NS)
	}
	contest(b, "ts", ours, theirs)
}

func noteCall(name, path string) Command {
	c := Command{Name: name, Path: path}
	switch name {
	case CmdCreate:
		c.FileText = peerNote
	case CmdStrReplace:
		c.OldStr, c.NewStr = "state: 0", "state: 1"
	case CmdInsert:
		c.InsertLine, c.InsertText = 3, "a line more\n"
	case CmdRename:
		c.Path, c.OldPath, c.NewPath = "", path, path+".old"
	}
	return c
}

// noteStore makes a fresh store in base/memories, with the notes there unless they are
// to be created. What it wrote is on the disk before anything is timed: the
// first fsync would pay for it.
func noteStore(b *testing.B, folder, command string) (base string) {
	b.Helper()
	base, err := os.MkdirTemp(folder, "round-")
	must(b, err)
	for i := range 20 {
		must(b, os.MkdirAll(filepath.Join(base, "memories", fmt.Sprintf("f%02d", i)), 0o700))
	}
	for i := range notesPerRound {
		if command == CmdCreate {
			break
		}
		path := filepath.Join(base, "memories", fmt.Sprintf("f%02d", i%20), fmt.Sprintf("note-%d.md", i))
		must(b, os.WriteFile(path, []byte(peerNote), 0o600))
	}
	syscall.Sync()
	return base
}

// BenchmarkPeerView views the largest file that the tool shows (goal: at most 0.10 of
// the SDK). Both must return the same bytes.
func BenchmarkPeerView(b *testing.B) {
	peer := startSDK(b)
	base := b.TempDir()
	must(b, os.Mkdir(filepath.Join(base, "memories"), 0o700))
	must(b, os.WriteFile(filepath.Join(base, "memories", "big.txt"), bigText(), 0o600))
	s, err := Open(filepath.Join(base, "memories"), Options{})
	must(b, err)
	defer s.Close()
	call := Command{Name: CmdView, Path: "/memories/big.txt"}

	first := peer.run(b, base, []Command{call})
	text := s.Do(context.Background(), call).Content
	if sum := sha256.Sum256([]byte(text)); len(text) != first.Bytes || hex.EncodeToString(sum[:]) != first.SHA256 {
		b.Errorf("we return %d bytes, the SDK %d other ones", len(text), first.Bytes)
	}
	contest(b, "ts", func() []time.Duration {
		return []time.Duration{timed(func() { s.Do(context.Background(), call) })}
	}, func() []time.Duration {
		return durations(peer.run(b, base, []Command{call}).NS)
	})
	b.ReportMetric(float64(first.Peak)/(1<<20), "ts-peak-MiB") // of a process that did this once
}

// BenchmarkPeerListing lists 100,000 files in 1,000 folders (goals: at most 1.0 of
// find, 0.03 of the SDK). The SDK runs once only: it takes half a minute.
func BenchmarkPeerListing(b *testing.B) {
	base := benchDisk(b)
	root := filepath.Join(base, "memories")
	makeTree(b, root)
	s, err := Open(root, Options{})
	must(b, err)
	defer s.Close()
	call := Command{Name: CmdView, Path: backend.Root}
	ours := func() []time.Duration {
		var r Result
		took := timed(func() { r = s.Do(context.Background(), call) })
		if r.IsError {
			b.Fatal(r.Content)
		}
		return []time.Duration{took}
	}
	b.Run("find", func(b *testing.B) {
		contest(b, "find", ours, func() []time.Duration {
			return []time.Duration{runFind(b, root, "-maxdepth", "2", "-printf", `%s\t%p\n`)}
		})
	})
	b.Run("ts", func(b *testing.B) {
		peer := startSDK(b)
		once := durations(peer.run(b, base, []Command{call}).NS)
		contest(b, "ts", ours, func() []time.Duration { return once })
	})
}

// makeTree writes 1,000 folders of 100 files of 10 KB each, 1 GB in all; the files are
// holes, since no listing reads them.
func makeTree(b *testing.B, root string) {
	b.Helper()
	for d := range 1000 {
		dir := filepath.Join(root, fmt.Sprintf("folder-%04d", d))
		must(b, os.MkdirAll(dir, 0o700))
		for f := range 100 {
			name := filepath.Join(dir, fmt.Sprintf("note-%03d.md", f))
			must(b, os.WriteFile(name, nil, 0o600))
			must(b, os.Truncate(name, 10<<10))
		}
	}
}
