package session

import (
	"cmp"
	"errors"

	"memcurator/memstore"
	"memcurator/memstore/policy"
)

// StoreReason is the end of a sentence about a store that cannot be worked on.
func StoreReason(err error) string {
	if errors.Is(err, policy.ErrUsed) {
		return "the agent used it meanwhile"
	}
	return cmp.Or(memstore.Reason(err), Reason(err))
}
