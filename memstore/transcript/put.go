package transcript

import (
	"context"
	"crypto/rand"
	"errors"

	"memcurator/memstore"
)

// PutGroup is the name of a group in which one undo reverts everything put into a store together; see
// [memstore.Origin].
func PutGroup() string { return "replay " + rand.Text() }

// Put writes a file into a store on behalf of a replay: a new one, or other bytes in place of those
// that are there.
func Put(ctx context.Context, s *memstore.Store, agentPath string, data []byte, o memstore.Origin) memstore.Result {
	ctx = memstore.WithOrigin(ctx, o)
	name, err := memstore.ParsePath(agentPath)
	if err == nil {
		_, err = s.Backend().Stat(name)
	}
	if errors.Is(err, memstore.ErrNotExist) {
		return s.Create(ctx, agentPath, string(data))
	}
	return s.Replace(ctx, agentPath, data)
}
