package tui

import (
	"testing"

	"memcurator/tui/ui"
)

// A purge forgets what was said a moment ago, before the end of that message was arranged.
func TestForgottenMessagesNeverExpire(t *testing.T) {
	var s messages
	s.tell(ui.Info, "a name")
	s.forget()
	if cmd := s.expiry(); cmd != nil {
		t.Error("a forgotten message is to expire")
	}
	if _, ok := s.current(); ok || s.logText() != "no message so far" {
		t.Errorf("the log holds %q", s.logText())
	}
}
