package cli

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"

	"memcurator/cli/session"
)

// After the first collection garbage is collected as usual.
func TestOnlyTheFirstCollectionIsLate(t *testing.T) {
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	defer session.CollectsLean.Store(session.CollectsLean.Swap(false)) // a command that another test ran in this process may have decided
	usual := debug.SetGCPercent(77)
	defer debug.SetGCPercent(usual)
	session.CollectLate()
	if now := percent(); now != session.FirstCollection {
		t.Fatalf("the first collection comes at %d %%", now)
	}
	for limit := time.Now().Add(30 * time.Second); percent() != 77; {
		runtime.GC() // the cleanup runs on a goroutine of its own afterwards
		if time.Now().After(limit) {
			t.Fatalf("after the first collection they come at %d %%", percent())
		}
	}
}

// The user's settings for memory take precedence.
func TestCollectionsAsTheEnvironmentSays(t *testing.T) {
	usual := debug.SetGCPercent(77)
	defer debug.SetGCPercent(usual)
	for _, name := range []string{"GOGC", "GOMEMLIMIT"} {
		t.Setenv("GOGC", "")
		t.Setenv("GOMEMLIMIT", "")
		t.Setenv(name, "50")
		if session.CollectLate(); percent() != 77 {
			t.Errorf("with %s collections come at %d %%", name, percent())
		}
	}
}

// percent is the setting in force.
func percent() int {
	now := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(now)
	return int(now[0].Value.Uint64())
}
