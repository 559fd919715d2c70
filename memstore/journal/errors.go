package journal

import (
	"errors"

	"memcurator/memstore/journal/database"
	"memcurator/memstore/past"
)

// The sentinels of the package, for errors.Is. Their texts are the end of a sentence
// ("Can't open it: the journal is damaged"); none holds a host path.
var (
	ErrVersion = errors.New("another version wrote the journal")
	errNone    = errors.New("no journal yet")

	// errEmptied is of a store whose files are all gone; see [Journal.Emptied].
	errEmptied = errors.New("all files of the store are gone")
)

// failed wraps an error of the database or the system with its sentinel. Damage starts a check of every open journal of the process,
// because the error does not name its database.
func failed(op string, err error) error {
	if err == nil {
		return nil
	}
	err = classify(op, err)
	if errors.Is(err, past.ErrCorrupt) {
		suspectAll()
	}
	return err
}

// sentinelOf is the sentinel that an error would be given; nil: none.
func sentinelOf(err error) error {
	var known *past.Error
	if err == nil || !errors.As(classify("", err), &known) {
		return nil
	}
	return known.Err
}

// classify is failed without the check for damage.
func classify(op string, err error) error {
	var known *past.Error
	if errors.As(err, &known) {
		return err
	}
	return database.Wrap(op, err)
}
