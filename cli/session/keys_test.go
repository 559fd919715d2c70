package session

import "testing"

// A passphrase opens the store that it was typed for, and no other.
func TestAPassphraseIsForOneStore(t *testing.T) {
	typed := "fer" + "ry"
	here := Opening{Dir: "here"}.Unlocked(typed, "")
	if got := here.For("here").passphrase; got != typed {
		t.Errorf("its own store gets %q", got)
	}
	if got := here.For("there").passphrase; got != "" {
		t.Errorf("another store gets %q", got)
	}
}
