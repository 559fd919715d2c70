package drafts

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"memcurator/memstore"
)

// editorLeftover is an abandoned copy: its process was killed, or left it on purpose.
type editorLeftover struct {
	Copy *editedCopy
	Path string // agent path of the file that it is of
	// Filled is the digest of what the copy was filled with.
	Filled memstore.Digest
}

// note is what is kept beside a copy, so that it can be found again: in a file named like its folder with noteEnd.
type note struct {
	Path    string `json:"path,omitempty"`
	Filled  string `json:"sha256,omitempty"`
	Process int    `json:"pid"`
}

const (
	noteEnd = ".json"
	noteMax = 64 << 10 // bytes; longer ones are none of ours
	// leftoverMost bounds the copies that are examined.
	leftoverMost = 64
)

// Note says beside a copy which file it is of, for [leftovers] after a crash.
func (c *editedCopy) Note(agentPath string, filled []byte) error {
	data, err := json.Marshal(note{Path: agentPath, Filled: memstore.Sum(filled).String(), Process: os.Getpid()})
	if err != nil {
		return err
	}
	return os.WriteFile(c.dir+noteEnd, data, 0o600)
}

// leftovers finds the copies below base whose process is gone; what says not which file it is
// of is omitted. It only looks.
func leftovers(base string) ([]editorLeftover, error) {
	entries, err := os.ReadDir(base)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var list []editorLeftover
	for _, e := range entries {
		if !e.IsDir() || !strings.HasPrefix(e.Name(), "edit-") || len(list) == leftoverMost {
			continue
		}
		if l, ok := leftover(filepath.Join(base, e.Name())); ok {
			list = append(list, l)
		}
	}
	return list, nil
}

func leftover(dir string) (l editorLeftover, ok bool) {
	info, err := os.Lstat(dir + noteEnd)
	if err != nil || !info.Mode().IsRegular() || info.Size() > noteMax {
		return l, false
	}
	data, err := os.ReadFile(dir + noteEnd)
	var n note
	if err != nil || json.Unmarshal(data, &n) != nil || n.Path == "" || n.Process == os.Getpid() || alive(n.Process) {
		return l, false
	}
	l.Path, l.Copy = n.Path, &editedCopy{dir, filepath.Join(dir, safeName(filepath.Base(n.Path)))}
	sum, err := hex.DecodeString(n.Filled)
	return l, err == nil && copy(l.Filled[:], sum) == len(l.Filled)
}

// alive reports whether a process of this number runs. Another one may have got the number: then the
// copy is offered by a later start.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil || pid <= 0 {
		return false
	}
	if runtime.GOOS == "windows" {
		return p.Release() == nil // it was opened, so it is there
	}
	// One that has ended and that no one has asked for, as in a container without an init, is a number only.
	if stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat"); err == nil && bytes.Contains(stat, []byte(") Z ")) {
		return false
	}
	err = p.Signal(syscall.Signal(0))
	return err == nil || errors.Is(err, fs.ErrPermission)
}
