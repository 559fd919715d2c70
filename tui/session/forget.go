package session

import (
	"path/filepath"
	"slices"

	"memcurator/memstore/statedir"
)

// A purge of sensitive values rewrites the file in the state folder, while an open interface has the same lines in memory
// and writes them again. So the Keeper learns how many purges there were: after another one it drops, from
// then on, what it is handed and the file does not hold. Lines typed in the seconds before, which were not written
// yet, go with them. A purge of another store cleans the file, too, and leaves its time beside the state folders.

// Watch lets the keeper ask, before it writes, how many purges the store has been through; now is their number when the
// state was loaded. It is called once.
func (k *Keeper) Watch(purges func() (int64, error), now int64) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.purges, k.seen = purges, now
}

// Purged says that there was a purge by this program, or that another one was noticed: from now on what s holds and
// the file does not is dropped. It returns the rest of s, for the screen to use.
func (k *Keeper) Purged(s State) (State, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	err := k.drop(s)
	k.last, k.purged = nil, statedir.LastPurge(filepath.Dir(k.dir))
	return k.without(s), err
}

// notice drops where there was a purge since the last time. The lock is held.
func (k *Keeper) notice(s State) error {
	n, at := k.seen, statedir.LastPurge(filepath.Dir(k.dir))
	if k.purges != nil {
		if count, err := k.purges(); err == nil { // a journal that is closed or unreadable can't be purged
			n = count
		}
	}
	if n == k.seen && at == k.purged {
		return nil
	}
	k.seen, k.purged, k.last = n, at, nil
	return k.drop(s)
}

// LastPurge is when the last purge that the keeper has followed was, see [statedir.LastPurge].
func (k *Keeper) LastPurge() int64 {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.purged
}

// Hide keeps typed lines that hold a secret out of the file. It is called once.
func (k *Keeper) Hide(secret func(line string) bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.secret, k.checked = secret, map[string]bool{}
}

// harmless is s without the lines and filters that hold a secret. The lock is held.
func (k *Keeper) harmless(s State) State {
	if k.secret == nil {
		return s
	}
	secret := func(line string) bool {
		if line == "" {
			return false
		}
		is, known := k.checked[line]
		if !known {
			is = k.secret(line)
			k.checked[line] = is
		}
		return is
	}
	for _, text := range []*string{&s.Filter, &s.Changes} {
		if secret(*text) {
			*text = ""
		}
	}
	if s.History == nil {
		return s
	}
	history := map[string][]string{}
	for purpose, lines := range s.History {
		history[purpose] = slices.DeleteFunc(slices.Clone(lines), secret)
	}
	s.History = history
	return s
}

// drop remembers what s holds and the file does not.
func (k *Keeper) drop(s State) error {
	file, err := Load(k.dir)
	kept := map[string]bool{}
	file.each(func(text string) { kept[text] = true })
	if k.dropped == nil {
		k.dropped = map[string]bool{}
	}
	s.each(func(text string) {
		if !kept[text] {
			k.dropped[text] = true
		}
	})
	return err
}

// without is s without what was dropped.
func (k *Keeper) without(s State) State {
	gone := func(text string) bool { return k.dropped[text] }
	s.Unfolded = slices.DeleteFunc(slices.Clone(s.Unfolded), gone)
	s.Places = slices.DeleteFunc(slices.Clone(s.Places), func(p Place) bool { return gone(p.Path) })
	for _, text := range []*string{&s.Selected, &s.Filter, &s.Changes} {
		if gone(*text) {
			*text = ""
		}
	}
	history := map[string][]string{}
	for purpose, lines := range s.History {
		history[purpose] = slices.DeleteFunc(slices.Clone(lines), gone)
	}
	if s.History != nil {
		s.History = history
	}
	return s
}

// each visits every text of a state that came from the user or from the store.
func (s *State) each(visit func(string)) {
	for _, text := range s.Unfolded {
		visit(text)
	}
	for _, p := range s.Places {
		visit(p.Path)
	}
	for _, lines := range s.History {
		for _, text := range lines {
			visit(text)
		}
	}
	for _, text := range []string{s.Selected, s.Filter, s.Changes} {
		if text != "" {
			visit(text)
		}
	}
}
