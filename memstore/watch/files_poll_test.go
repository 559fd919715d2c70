package watch

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

// Where watching would open the files, they are polled: a write is reported, and the end closes the channel.
func TestFilesArePolled(t *testing.T) {
	t.Parallel()
	name := filepath.Join(t.TempDir(), "a")
	ctx, cancel := context.WithCancel(t.Context())
	told := pollFiles(ctx, []string{name})
	must(t, os.WriteFile(name, []byte("a"), 0o600))
	if _, ok := <-told; !ok {
		t.Fatal("the channel is closed")
	}
	cancel()
	for range told {
	}
}
