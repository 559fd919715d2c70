//go:build unix

package session

import (
	"path/filepath"
	"reflect"
	"syscall"
	"testing"
)

// A pipe that no one writes to would hold up the start for ever.
func TestPipeIsIgnored(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, file), 0o600); err != nil {
		t.Skip("pipes cannot be made here:", err)
	}
	if s, err := Load(dir); err == nil || !reflect.DeepEqual(s, State{}) {
		t.Errorf("loaded %+v, %v", s, err)
	}
}
