package session

import (
	"errors"

	"memcurator/memstore"
	"memcurator/memstore/policy"
)

// StoreReason is the end of a sentence about a store that cannot be worked on.
func StoreReason(err error) string {
	switch {
	case errors.Is(err, memstore.ErrUnavailable):
		return "the directory is not available any more"
	case errors.Is(err, memstore.ErrReadOnly), errors.Is(err, memstore.ErrPermission):
		return "permission denied"
	case errors.Is(err, memstore.ErrNoSpace):
		return "no space is left on the device"
	case errors.Is(err, policy.ErrUsed):
		return "the agent has used it meanwhile"
	case errors.Is(err, memstore.ErrTooBig):
		return "it has more than 256 MiB, which the journal does not take to give it back"
	case errors.Is(err, memstore.ErrNotRecorded):
		return "it could not be recorded first"
	case errors.Is(err, memstore.ErrNotExist):
		return "it is not there any more"
	case errors.Is(err, memstore.ErrChanged):
		return "it was changed meanwhile"
	case errors.Is(err, memstore.ErrExist):
		return "something is at the path that it would get"
	}
	return Reason(err)
}
