package policy

import (
	"errors"
	"fmt"

	"memcurator/memstore"
	"memcurator/memstore/lint"
)

// textLimit bounds the notes that are compared or repaired, in bytes.
const textLimit = 1 << 20

// errTooLarge is why a text is neither compared nor rewritten.
var errTooLarge = errors.New("larger than 1 MB")

// Texts are the text of a file and what an action that rewrites it makes of it, or the two texts that a review compares, that of the
// other file last. The error is [memstore.ErrChanged] where a file changed since the action was proposed.
func (a *Action) Texts(b memstore.Backend) (before, after []byte, err error) {
	if before, err = readText(b, a.Path, a.Hash); err != nil {
		return nil, nil, err
	}
	switch {
	case a.Compares():
		after, err = readText(b, a.Found.Others[0], a.Other)
		return before, after, err
	case a.Do.Rewrites():
		return before, lint.Repaired(before, a.Found.Repairs), nil
	}
	return nil, nil, fmt.Errorf("%s rewrites nothing", a.Do)
}

// readText reads a note that must have the digest.
func readText(b memstore.Backend, agentPath string, want memstore.Digest) ([]byte, error) {
	data, err := memstore.ReadFile(b, memstore.BackendName(agentPath), memstore.Look, textLimit)
	switch {
	case errors.Is(err, memstore.ErrTooBig):
		return nil, errTooLarge
	case err != nil:
		return nil, err
	case memstore.Sum(data) != want:
		return nil, memstore.ErrChanged
	}
	return data, nil
}
