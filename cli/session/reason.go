package session

import (
	"cmp"
	"errors"

	"memcurator/memstore"
	"memcurator/memstore/policy"
)

// ReadError is the sentence for a store that can't be read.
func ReadError(dir string, err error) error {
	return Failed(err, "Can't read the store %s: %s", dir, StoreReason(err))
}

// StoreReason says why a store can't be used, as the end of a sentence.
func StoreReason(err error) string {
	if errors.Is(err, policy.ErrUsed) {
		return "the agent used it meanwhile"
	}
	return cmp.Or(memstore.Reason(err), Reason(err))
}
