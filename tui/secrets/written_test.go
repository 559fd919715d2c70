package secrets

import (
	"testing"

	"memcurator/memstore"
	"memcurator/memstore/past"
	"memcurator/memstore/scrub/rule"
)

// The key to press fits a terminal of 80 columns also where the path is long.
func TestWrittenTextFits(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/memories/log.md": "Agent c3d8 wrote an Anthropic API key to log.md. Press 6 to review it",
		"/memories/projects/booking-api/payments_sandbox.md": "Agent c3d8 wrote a secret to payments_sandbox.md. Press 6 to review it",
	} {
		w := written{past.Revision{Actor: memstore.Agent, Session: "c3d8", Path: path}, []rule.Class{{Title: "Anthropic API key"}}}
		if got := writtenText(w, "6"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	w := written{past.Revision{Actor: memstore.Agent, Session: "c3d8", Path: "/memories/log.md"}, []rule.Class{{Title: "GitHub token"}}}
	if got, want := writtenText(w, ""), "Agent c3d8 wrote a GitHub token to log.md"; got != want {
		t.Errorf("on the screen of secrets: %q, want %q", got, want)
	}
}
