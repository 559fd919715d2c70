package sidecar

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

// Calls writes and reads the file of calls. Safe for concurrent use.
type Calls struct {
	file string // "": they stay in memory
	bell *Bell

	mu      sync.Mutex
	waiting []past.Call
	busy    bool
	held    []past.Call // without a file
	gone    int64       // calls that were held before them
	writers sync.WaitGroup
}

// NewCalls are the calls beside a database, or in memory for "". bell is rung when there are more.
func NewCalls(database string, bell *Bell) *Calls {
	l := &Calls{bell: bell}
	if database != "" {
		l.file = filepath.Join(filepath.Dir(database), callsName)
	}
	return l
}

// Add does not block: the call is written while the agent gets its answer.
func (l *Calls) Add(c past.Call) {
	if len(c.Path) > callText {
		c.Path = c.Path[:callText]
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == "" {
		if l.held = append(l.held, c); len(l.held) > 2*callsWaiting {
			l.held, l.gone = append([]past.Call(nil), l.held[callsWaiting:]...), l.gone+callsWaiting
		}
		l.bell.Wake()
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
func (l *Calls) write() {
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
			l.bell.Ring()
		}
	}
}

// append adds lines to the file, which is emptied first if it is large. It is not kept open, so that a purge can remove it.
func (l *Calls) append(lines []byte) error {
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

// Close waits for what is being written.
func (l *Calls) Close() { l.writers.Wait() }

// Drop removes all calls.
func (l *Calls) Drop() error {
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

// Follow waits for calls after a position, -1 for the end; next is the position after them.
func (l *Calls) Follow(ctx context.Context, after int64, wake wakeFunc) (list []past.Call, next int64, err error) {
	for {
		rung := l.bell.Wait()
		list, next, err = l.after(after)
		if err != nil || len(list) > 0 {
			return list, next, err
		}
		after = next
		if err := l.bell.Pause(ctx, rung, wake); err != nil {
			return nil, after, err
		}
	}
}

// after reads the calls after a position.
func (l *Calls) after(at int64) (list []past.Call, next int64, err error) {
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
