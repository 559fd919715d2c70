package tree

import (
	"context"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"memcurator/memstore"
	"memcurator/render/text"
	"memcurator/tui/ui"
)

// content is what a file's beginning says it is.
type content uint8

const (
	contentUnreadable content = iota // neither text nor binary as far as can be told
	contentText
	contentBinary
)

// OwnerKinds names the job that reads files for is:text and is:binary.
const OwnerKinds = "tree kinds"

// Limits of reading files: how much of each, how many between two updates of the screen,
// and how long one job runs before it shows what it has.
const (
	sniffBytes = 8 << 10
	sniffBatch = 4096
	sniffFor   = 200 * time.Millisecond
)

// contentKinds remembers what files are while a filter is set, by their node: a changed
// file has another one. Safe for concurrent use.
type contentKinds struct {
	mu   sync.Mutex
	kept map[*memstore.Node]content
}

func (k *contentKinds) get(n *memstore.Node) (content, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	c, ok := k.kept[n]
	return c, ok
}

func (k *contentKinds) put(n *memstore.Node, c content) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.kept == nil {
		k.kept = map[*memstore.Node]content{}
	}
	k.kept[n] = c
}

// unknownFile is a file whose beginning was not examined yet.
type unknownFile struct {
	path string
	node *memstore.Node
}

// sniffed is the result of a round of reading files.
type sniffed struct{}

// sniff reads the files that a filter could not decide by name; their rows follow afterwards.
func (k *contentKinds) sniff(jobs *ui.Jobs, backend memstore.Backend, files []unknownFile) tea.Cmd {
	return jobs.Start(OwnerKinds, labelFilter, func(ctx context.Context, progress *ui.Progress) (any, error) {
		began := time.Now()
		buf := make([]byte, sniffBytes)
		for i, f := range files {
			if ctx.Err() != nil || i > 0 && time.Since(began) > sniffFor {
				break
			}
			k.put(f.node, look(backend, f.path, buf))
			progress.Set(int64(i), int64(len(files)))
		}
		return sniffed{}, ctx.Err()
	})
}

// look reads the beginning of a file into buf and decides between text and binary.
func look(backend memstore.Backend, agentPath string, buf []byte) content {
	name, err := memstore.ParsePath(agentPath)
	if err != nil {
		return contentUnreadable
	}
	f, err := backend.Open(name, memstore.Look)
	if err != nil {
		return contentUnreadable
	}
	defer f.Close() // opened for reading: nothing can be lost here
	info, err := f.Info()
	if err != nil || info.Kind != memstore.KindFile {
		return contentUnreadable
	}
	n, err := f.ReadAt(buf[:min(int64(len(buf)), info.Size)], 0)
	if n == 0 && err != nil && info.Size > 0 {
		return contentUnreadable
	}
	if text.Binary(buf[:n]) {
		return contentBinary
	}
	return contentText
}
