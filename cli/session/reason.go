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
		return "the directory is gone"
	case errors.Is(err, memstore.ErrReadOnly), errors.Is(err, memstore.ErrPermission):
		return "permission denied"
	case errors.Is(err, memstore.ErrNoSpace):
		return "no space left on the device"
	case errors.Is(err, policy.ErrUsed):
		return "the agent used it meanwhile"
	case errors.Is(err, memstore.ErrTooBig):
		return "it is larger than 256 MiB, too large for the journal to restore"
	case errors.Is(err, memstore.ErrNotRecorded):
		return "the journal could not record it first"
	case errors.Is(err, memstore.ErrNotExist):
		return "it is gone"
	case errors.Is(err, memstore.ErrChanged):
		return "it changed meanwhile"
	case errors.Is(err, memstore.ErrExist):
		return "its new path exists"
	}
	return Reason(err)
}
