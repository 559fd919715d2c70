package findings

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"memcurator/memstore"
	"memcurator/memstore/scrub"
)

// Files of a State in the state folder.
const (
	keyFile        = "scrub.key"
	dismissalsFile = "scrub-allowed.json"
)

// Limits of what is stored, and of what is remembered.
const (
	keyBytes  = 32
	maxCached = 200_000 // contents
	maxKept   = 64 << 20
)

// State is what scanning remembers about a store. Its files contain neither values nor plain hashes of them: a hash of a phone number is
// as good as the number to anyone who can count. It is safe for concurrent use.
type State struct {
	dir string // "": memory only
	key []byte

	mu         sync.Mutex
	dismissals map[dismissed]Dismissal
	cache      map[content][]scrub.Finding // of contents, until the process ends: a scan after each change is fast
	engine     *scrub.Engine               // that found them
}

// OpenState reads the state folder dir, and makes the key there if it is missing. If dir is "" or not writable, the State ends with the
// process; err says why, for the log.
func OpenState(dir string) (m *State, err error) {
	m = &State{dir: dir, dismissals: map[dismissed]Dismissal{}}
	if dir != "" {
		m.key, err = readKey(filepath.Join(dir, keyFile))
	}
	if m.key == nil {
		m.dir, m.key = "", make([]byte, keyBytes)
		_, _ = rand.Read(m.key) // never fails
		return m, err
	}
	return m, m.Refresh()
}

// readKey reads the key, or makes it.
func readKey(name string) ([]byte, error) {
	key, err := os.ReadFile(name)
	if err == nil && len(key) == keyBytes {
		return key, nil
	}
	if err == nil {
		return nil, errors.New("scrub.key is damaged")
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	key = make([]byte, keyBytes)
	_, _ = rand.Read(key) // never fails
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return os.ReadFile(name) // another process was faster
	}
	if err != nil {
		return nil, err
	}
	_, err = f.Write(key)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return nil, errors.Join(err, os.Remove(name))
	}
	return key, nil
}

// readJSON reads a state file; a missing, damaged or oversized one counts as empty.
func readJSON(name string, into any) error {
	info, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil || info.Size() > maxKept || !info.Mode().IsRegular() {
		return err
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, into)
}

// hash returns the keyed hash of some texts, for a purpose.
func (m *State) hash(purpose string, parts ...string) string {
	h := hmac.New(sha256.New, m.key)
	h.Write([]byte(purpose))
	for _, p := range parts {
		h.Write([]byte{0})
		h.Write([]byte(p))
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// ID identifies a value without revealing it. It is stable as long as the key exists.
func (m *State) ID(value string) string { return m.hash("value", value) }

// content is what the findings in a text depend on, beside the engine.
type content struct {
	digest memstore.Digest
	format string
}

// useCache forgets the findings of another engine.
func (m *State) useCache(e *scrub.Engine) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.engine != e {
		m.engine, m.cache = e, map[content][]scrub.Finding{}
	}
}

func (m *State) known(digest memstore.Digest, name string) ([]scrub.Finding, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	list, ok := m.cache[content{digest, format(name)}]
	return list, ok
}

func (m *State) keep(digest memstore.Digest, name string, list []scrub.Finding) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.cache) < maxCached {
		m.cache[content{digest, format(name)}] = list
	}
}

// format is the part of a name on which the findings in a content depend.
func format(name string) string {
	base := strings.ToLower(path.Base(name))
	if strings.HasPrefix(base, ".") {
		return base
	}
	return path.Ext(base)
}
