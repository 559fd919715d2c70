package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"memcurator/cli/session"
)

// A purge names the journal that a moved store left behind, and other stores that hold the value.
func TestPurgeOfAMovedStore(t *testing.T) {
	t.Parallel()
	dir, env := secretive(t)
	dir, err := filepath.EvalSymlinks(dir)
	must(t, err)
	moved := dir + "-moved"
	must(t, os.Rename(dir, moved))
	do := func(args ...string) outcome { t.Helper(); return call{args: args, env: env}.run(t) }
	if got := do("doctor", moved); got.code != 0 || !strings.Contains(got.err, "doctor --relink OLD "+moved) {
		t.Errorf("doctor: %+v", got)
	}
	call{args: []string{"exec", moved}, env: env, stdin: `{"command":"view","path":"/memories"}`}.run(t)
	// A store of its own that holds the value is named, and stays as it is.
	other := newStore(t, nil)
	edits(t, env, other, `{"command":"create","path":"/memories/o.md","file_text":"token: `+someToken+`"}`)
	left := do("scrub", "--purge-history", "--yes", moved)
	if left.code != session.ExitFailed || !strings.Contains(left.err, "doctor --relink "+dir+" DIR") ||
		!strings.Contains(left.err, "scrub --purge-history "+other) || strings.Contains(left.err, "no traces left") {
		t.Errorf("purge: %+v", left)
	}
	if got := do("doctor", "--relink", dir, moved); got.code != 0 {
		t.Errorf("relink: %+v", got)
	}
	if got := do("log", moved); !strings.Contains(got.out, "/memories/c.md") {
		t.Errorf("the past has not followed: %+v", got)
	}
	do("scrub", "--purge-history", "--yes", moved) // the past that came back
	if got := do("scrub", "--purge-history", "--yes", other); got.code != 0 || !strings.Contains(got.err, "no traces left") {
		t.Errorf("purge of the other store: %+v", got)
	}
	nowhereBelow(t, env["MEMCURATOR_STATE"], someToken)
}
