package cli

import (
	"maps"
	"math"
	"slices"

	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/findings"
	"memcurator/render/text"
)

// purgedValues recognizes what was purged from the stores of this machine.
func purgedValues(run *session.Session) *findings.PurgedValues {
	purged, _ := findings.ReadPurged(run.State().Root()) // what can be read of it counts
	return purged
}

// bringBack asks before files get purged values back, also with --yes, which answers another question. written has the new bytes of each
// file, by agent path.
func bringBack(run *session.Session, b memstore.Backend, written map[string][]byte) error {
	purged, n := purgedValues(run), 0
	for _, path := range slices.Sorted(maps.Keys(written)) {
		now, _ := memstore.ReadFile(b, memstore.BackendName(path), memstore.Look, math.MaxInt64) // of what can't be read, all comes back
		if says := purged.ReturnText(path, now, written[path]); says != "" {
			run.Say(text.Clean(says))
			n++
		}
	}
	switch {
	case n == 0:
		return nil
	case !run.CanAsk():
		return session.WrongUse("Not a terminal, so nobody can agree to bring back what was purged. Nothing changed")
	}
	return run.Confirm(false, "Bring it back?")
}
