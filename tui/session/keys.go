package session

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Keys is what the user knows about the keys, in all stores: the version of their table, 0 before the first, and those that got another
// verb since the version before and were not pressed yet.
type Keys struct {
	Version int      `json:"version"`
	Left    []string `json:"left,omitempty"`
}

const (
	// keysFile is beside the state folders of the stores.
	keysFile = "keys.json"
	// maxKeys bounds that file, in bytes.
	maxKeys = 64 << 10
	// storesMost bounds the stores that are looked through until that file is there.
	storesMost = 200
)

// LoadKeys reads what the user knows; dir is the state folder of a store. Before there was one file for all stores, each store had its
// own: then the one that was used last counts. not known: this user is new.
func LoadKeys(dir string) (k Keys, known bool) {
	base := filepath.Dir(dir)
	if k, ok := readKeys(base); ok {
		return k, true
	}
	folders, err := os.ReadDir(base)
	if err != nil {
		return k, false
	}
	var newest time.Time
	for _, f := range folders[:min(len(folders), storesMost)] {
		info, err := os.Stat(filepath.Join(base, f.Name(), file))
		if err != nil || !info.ModTime().After(newest) {
			continue
		}
		if s, err := Load(filepath.Join(base, f.Name())); err == nil && s.Version != 0 {
			k, known, newest = Keys{s.Keys, s.KeysLeft}, true, info.ModTime()
		}
	}
	return k, known
}

func readKeys(base string) (k Keys, ok bool) {
	name := filepath.Join(base, keysFile)
	info, err := os.Lstat(name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxKeys {
		return k, false
	}
	data, err := os.ReadFile(name)
	return k, err == nil && json.Unmarshal(data, &k) == nil
}

// SaveKeys records which keys the user has been told about, for all stores. It keeps what another process recorded meanwhile.
func (k *Keeper) SaveKeys(known Keys) error {
	base := filepath.Dir(k.dir)
	was, ok := readKeys(base)
	if ok && was.Version == known.Version {
		known.Left = slices.DeleteFunc(slices.Clone(known.Left), func(key string) bool { return !slices.Contains(was.Left, key) })
		if slices.Equal(was.Left, known.Left) {
			return nil
		}
	}
	data, err := json.Marshal(known)
	if err != nil {
		return err
	}
	return replace(filepath.Join(base, keysFile), append(data, '\n'))
}
