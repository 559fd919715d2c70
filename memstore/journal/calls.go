package journal

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// callsName is a file in the state folder with the newest calls of agents that changed nothing, as JSON lines. It is a wire from the
// processes of agents to interfaces that are open, not a record: it is emptied when it grows, and by a purge.
const callsName = "calls.jsonl"

const (
	callsLimit   = 256 << 10 // bytes of the file
	callsWaiting = 1000      // calls that wait to be written; further ones are dropped
	callText     = 400       // bytes of a path
)

// calls writes and reads the file of calls. Safe for concurrent use.
type calls struct {
	file string // "": they stay in memory
	j    *Journal

	mu      sync.Mutex
	waiting []past.Call
	busy    bool
	held    []past.Call // without a file
	gone    int64       // calls that were held before them
	writers sync.WaitGroup
}

// Called implements [memstore.CallRecorder]. It returns at once: the call is written beside the answer to the agent.
func (l *calls) Called(c memstore.Call) {
	path := c.Path
	if len(path) > callText {
		path = path[:callText]
	}
	l.add(past.Call{
		Time: c.Time, Actor: c.Origin.Actor, Session: cutText(c.Origin.Session), Command: cutText(c.Command), Path: path, Failed: c.Failed,
	})
}

func (l *calls) add(c past.Call) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == "" {
		if l.held = append(l.held, c); len(l.held) > 2*callsWaiting {
			l.held, l.gone = append([]past.Call(nil), l.held[callsWaiting:]...), l.gone+callsWaiting
		}
		l.j.bell.wake()
		return
	}
	if len(l.waiting) < callsWaiting {
		l.waiting = append(l.waiting, c)
	}
	if !l.busy {
		l.busy = true
		l.writers.Add(1)
		go l.write()
	}
}

// write writes the calls that wait, until there are none.
func (l *calls) write() {
	defer l.writers.Done()
	for {
		l.mu.Lock()
		list := l.waiting
		l.waiting = nil
		if len(list) == 0 {
			l.busy = false
			l.mu.Unlock()
			return
		}
		l.mu.Unlock()
		var lines bytes.Buffer
		e := json.NewEncoder(&lines)
		for _, c := range list {
			_ = e.Encode(c) // it has nothing that cannot be encoded
		}
		if l.append(lines.Bytes()) == nil {
			l.j.bell.ring()
		}
	}
}

// append adds lines to the file, which is emptied first if it is large. It is not kept open, so that a purge can remove it.
func (l *calls) append(lines []byte) error {
	f, err := os.OpenFile(l.file, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	if info, err := f.Stat(); err == nil && info.Size() > callsLimit {
		_ = f.Truncate(0) // it only grows further if that fails
	}
	_, err = f.Write(lines)
	return errors.Join(err, f.Close())
}

// close waits for what is being written.
func (l *calls) close() { l.writers.Wait() }

// drop removes all calls.
func (l *calls) drop() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.gone += int64(len(l.held))
	l.waiting, l.held = nil, nil
	if l.file == "" {
		return nil
	}
	if err := os.Remove(l.file); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// FollowCalls implements [past.CallFollower].
func (l *calls) FollowCalls(ctx context.Context, after int64) ([]past.Call, int64, error) {
	for {
		rung := l.j.bell.wait()
		list, next, err := l.after(after)
		if err != nil || len(list) > 0 {
			return list, next, err
		}
		after = next
		if err := l.j.bell.pause(ctx, rung, l.j.options.Wake); err != nil {
			return nil, after, err
		}
	}
}

// after reads the calls after a position.
func (l *calls) after(at int64) (list []past.Call, next int64, err error) {
	if l.file == "" {
		l.mu.Lock()
		defer l.mu.Unlock()
		n := l.gone + int64(len(l.held))
		if at < 0 || at > n {
			return nil, n, nil
		}
		return append(list, l.held[max(0, at-l.gone):]...), n, nil
	}
	f, err := os.Open(l.file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, nil
	}
	if err != nil {
		return nil, at, err
	}
	defer f.Close() // opened for reading
	info, err := f.Stat()
	switch {
	case err != nil:
		return nil, at, err
	case at < 0:
		return nil, info.Size(), nil
	case at > info.Size():
		at = 0 // it was emptied
	}
	data, err := io.ReadAll(io.LimitReader(io.NewSectionReader(f, at, info.Size()-at), 2*callsLimit))
	if err != nil {
		return nil, at, err
	}
	end := bytes.LastIndexByte(data, '\n') + 1 // a line that is being written comes next time
	for line := range bytes.Lines(data[:end]) {
		var c past.Call
		if json.Unmarshal(line, &c) == nil {
			list = append(list, c)
		}
	}
	return list, at + int64(end), nil
}

func callsFile(database string) string { return filepath.Join(filepath.Dir(database), callsName) }
