package cli

import (
	"os"
	"testing"

	"memcurator/cli/session"
)

// onlyTemp makes a folder the place for temporary files and checks at the end that it is empty.
func onlyTemp(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Cleanup(func() {
		if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
			t.Errorf("left in the folder for temporary files: %v, %v", left, err)
		}
	})
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	t.Setenv("TEMP", dir)
	return dir
}

func TestDemoWithoutATerminal(t *testing.T) {
	t.Parallel()
	do(t, "demo").sentence(t, session.ExitWrongUse, "needs a terminal")
}

func value[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
