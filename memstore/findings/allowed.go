package findings

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// Harmless is a value that the user has judged harmless, as a value of a class. The value itself is kept nowhere.
type Harmless struct {
	ID    string    `json:"id"` // keyed hash of the value, that of its [Group]
	Class string    `json:"class"`
	At    time.Time `json:"at"`    // when it was judged
	Label string    `json:"label"` // what the user knows it by, or the place where it stood; may be ""
}

// HarmlessOf is a judgement about a value, with its first place as the label.
func HarmlessOf(g *Group, at time.Time) Harmless {
	h := Harmless{ID: g.ID, Class: g.Class, At: at}
	if len(g.Places) > 0 {
		p := g.Places[0]
		if h.Label = p.Path; !p.InName {
			h.Label = fmt.Sprintf("%s:%d", p.Path, p.Line)
		}
	}
	return h
}

// judged is what a judgement is about: a number that is not a card may be a telephone number.
type judged struct{ id, class string }

// errNotKept means that without a state folder a judgement lasts only as long as the process.
var errNotKept = errors.New("there is no state folder to keep it in")

// ErrTooMany bounds what is judged harmless one by one: a rule is to be changed instead.
var ErrTooMany = errors.New("too many values are judged harmless")

// Keeps reports whether there is a state folder, so that ids are the same in the next run.
func (m *Memory) Keeps() bool { return m.dir != "" }

// Allowed reports whether the user has judged a value harmless, as a value of this class.
func (m *Memory) Allowed(class, value string) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.allowed) == 0 {
		return false
	}
	_, ok := m.allowed[judged{m.ID(value), class}]
	return ok
}

// Harmless are all that were judged so, the newest first.
func (m *Memory) Harmless() []Harmless {
	m.mu.Lock()
	defer m.mu.Unlock()
	list := slices.Collect(maps.Values(m.allowed))
	slices.SortFunc(list, func(a, b Harmless) int {
		return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.Class, b.Class), cmp.Compare(a.ID, b.ID))
	})
	return list
}

// Allow notes that a value is harmless. What other processes judged meanwhile is kept.
func (m *Memory) Allow(h Harmless) error {
	return m.judge(func() error {
		if len(m.allowed) >= maxAllowed {
			return ErrTooMany
		}
		m.allowed[judged{h.ID, h.Class}] = h
		return nil
	})
}

// Disallow forgets the judgement about the value with this id, as a value of this class.
func (m *Memory) Disallow(class, id string) error {
	return m.judge(func() error {
		delete(m.allowed, judged{id, class})
		return nil
	})
}

// judge changes what is judged harmless, and keeps it.
func (m *Memory) judge(change func() error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.readAllowed(); err != nil {
		return err
	}
	if err := change(); err != nil {
		return err
	}
	if m.dir == "" {
		return errNotKept
	}
	list := slices.SortedFunc(maps.Values(m.allowed), func(a, b Harmless) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID),
			cmp.Compare(a.Class, b.Class))
	})
	data, err := json.Marshal(list)
	if err != nil {
		return err
	}
	name := filepath.Join(m.dir, allowedFile)
	if err := writeFile(name, data); err != nil {
		return err
	}
	m.read, err = os.Stat(name)
	return err
}

// Refresh takes what other processes have judged meanwhile.
func (m *Memory) Refresh() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.readAllowed()
}

// readAllowed reads the file of allowed where it is another than the last time.
func (m *Memory) readAllowed() error {
	if m.dir == "" {
		return nil
	}
	name := filepath.Join(m.dir, allowedFile)
	info, err := os.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if m.read != nil {
			m.read, m.allowed = nil, map[judged]Harmless{}
		}
		return nil
	case err != nil:
		return err
	case m.read != nil && os.SameFile(info, m.read) && info.ModTime().Equal(m.read.ModTime()) && info.Size() == m.read.Size():
		return nil
	}
	m.read, m.allowed = info, map[judged]Harmless{} // one that is damaged says so once, and then is as good as empty
	var list []Harmless
	if err := readJSON(name, &list); err != nil {
		return err
	}
	for _, h := range list[:min(len(list), maxAllowed)] {
		m.allowed[judged{h.ID, h.Class}] = h
	}
	return nil
}
