package plan

import "testing"

func TestTheTermsThatAreOfferedAreUnderstood(t *testing.T) {
	for _, begun := range []string{"d", "g", "r", "i"} {
		lines := CompleteFilter("notes " + begun)
		if len(lines) != 1 {
			t.Errorf("%q is completed by %q", begun, lines)
			continue
		}
		if f := parseFilter(lines[0]); f.problem != "" {
			t.Errorf("%q is offered: %s", lines[0], f.problem)
		}
	}
}
