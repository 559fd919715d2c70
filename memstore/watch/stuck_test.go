package watch

import (
	"context"
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/past"
)

// TestCloseDoesNotWaitForAStuckLook: the other side of the file system is gone.
func TestCloseDoesNotWaitForAStuckLook(t *testing.T) {
	t.Parallel()
	begun, release := make(chan struct{}), make(chan struct{})
	defer close(release)
	store, err := memstore.Open(t.TempDir(), memstore.Options{})
	must(t, err)
	defer store.Close()
	w, err := Start(context.Background(), store, Options{Sync: func(context.Context, past.Hints) (past.Synced, error) {
		close(begun)
		<-release
		return past.Synced{}, nil
	}})
	must(t, err)
	for u := range w.Updates() {
		if u.State != Loading {
			break
		}
	}
	w.Rescan()
	<-begun
	must(t, w.Close()) // a test that hangs here has failed
	<-w.Done()
}
