//go:build linux || darwin

package cli

import (
	"path/filepath"
	"testing"
)

// A terminal with Kitty's keyboard protocol is asked to report when keys are let go, and a value is shown from the press of
// its key to its release.
func TestAValueIsShownFromPressToRelease(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeText(t, filepath.Join(dir, "a.md"), "token: "+someToken+"\n")
	s := openScreen(t, nil, "--state", t.TempDir(), dir)
	s.await("live")
	s.press("6")
	s.await("1 value, 1 place", "\x1b[=27;1u", "ghp_••••")
	s.press("\x1b[?27u") // the terminal does all that it was asked for
	s.await("redaction preview")
	at := len(s.text())
	s.press("\x1b[56:42;2:1;42u")
	s.awaitAfter(at, someToken[5:])
	at = len(s.text())
	s.press("\x1b[56:42;2:3u")
	s.awaitAfter(at, "••••")
	at = len(s.text())
	s.press("\x1b[27;1:1u")
	s.awaitAfter(at, "\x1b[=1;1u")
	s.press("q")
	s.leaves(0)
}
