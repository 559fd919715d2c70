package findings

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"memcurator/memstore/statedir"
)

// Dismissal is the user's decision that a value of a class is not a secret. It doesn't contain the value.
type Dismissal struct {
	ID    string    `json:"id"` // keyed hash of the value, as in its [Secret]
	Class string    `json:"class"`
	At    time.Time `json:"at"`    // when it was dismissed
	Label string    `json:"label"` // the user's name for the value, or the place where it was found; may be ""
}

// Dismiss returns the dismissal of a value, with its first place as the label.
func Dismiss(secret *Secret, at time.Time) Dismissal {
	d := Dismissal{ID: secret.ID, Class: secret.Class, At: at}
	if len(secret.Places) > 0 {
		p := secret.Places[0]
		if d.Label = p.Path; !p.InName {
			d.Label = fmt.Sprintf("%s:%d", p.Path, p.Line)
		}
	}
	return d
}

// dismissed is what a dismissal applies to. It includes the class, since a number that is not a card may still be a telephone number.
type dismissed struct{ id, class string }

func (d *Dismissal) applies() dismissed { return dismissed{d.ID, d.Class} }

// errNotKept means that a dismissal ends with the process, because there is no state folder.
var errNotKept = errors.New("no state folder to store it in")

// Keeps reports whether there is a state folder, so that IDs are the same in the next run.
func (m *State) Keeps() bool { return m.dir != "" }

// Dismissed reports whether a value of a class is dismissed. A nil state has none.
func (m *State) Dismissed(class, value string) bool {
	if m == nil {
		return false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.dismissals) == 0 {
		return false
	}
	_, ok := m.dismissals[dismissed{m.ID(value), class}]
	return ok
}

// Dismissals returns all, newest first.
func (m *State) Dismissals() []Dismissal {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.SortedFunc(maps.Values(m.dismissals), func(a, b Dismissal) int {
		return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.Class, b.Class), cmp.Compare(a.ID, b.ID))
	})
}

// Dismiss records dismissals. It keeps those that other processes recorded meanwhile.
func (m *State) Dismiss(list ...Dismissal) error {
	return m.record(func() error {
		for _, d := range list {
			m.dismissals[d.applies()] = d
		}
		return nil
	})
}

// Withdraw removes dismissals, so that their values count again. It matches them by ID and class.
func (m *State) Withdraw(list ...Dismissal) error {
	return m.record(func() error {
		for _, d := range list {
			delete(m.dismissals, d.applies())
		}
		return nil
	})
}

// record changes the dismissals and writes them to the state folder.
func (m *State) record(change func() error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.readDismissals(); err != nil {
		return err
	}
	if err := change(); err != nil {
		return err
	}
	if m.dir == "" {
		return errNotKept
	}
	list := slices.SortedFunc(maps.Values(m.dismissals), func(a, b Dismissal) int {
		return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Class, b.Class))
	})
	data, err := json.Marshal(list)
	if err != nil {
		return err
	}
	return statedir.WriteFile(filepath.Join(m.dir, dismissalsFile), data)
}

// Refresh reads dismissals that other processes recorded meanwhile.
func (m *State) Refresh() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.readDismissals()
}

// readDismissals reads the file of dismissals; those of a damaged one don't count.
func (m *State) readDismissals() error {
	if m.dir == "" {
		return nil
	}
	m.dismissals = map[dismissed]Dismissal{}
	var list []Dismissal
	if err := readJSON(filepath.Join(m.dir, dismissalsFile), &list); err != nil {
		return err
	}
	for _, d := range list {
		m.dismissals[d.applies()] = d
	}
	return nil
}
