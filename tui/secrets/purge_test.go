package secrets

import (
	"testing"

	"memcurator/memstore/findings"
)

func TestWhereAPurgeWasStoppedIsSaid(t *testing.T) {
	t.Parallel()
	rewritten := &findings.Purged{}
	rewritten.Journal.Number = 1
	for want, p := range map[string]*findings.Purged{textScrubStopped: nil, textPurgeStopped: {}, textPurgeUnproved: rewritten} {
		if got := whereStopped(p); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
