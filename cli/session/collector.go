package session

import (
	"os"
	"runtime"
	"runtime/debug"
	"sync/atomic"
)

// FirstCollection is how large the heap may grow before the first garbage collection, in percent of the default 4 MiB: 32 MiB. A start of
// the user interface stays below that, and so do nearly all commands; the two or three collections that it used to have took as long as
// opening the journal.
const FirstCollection = 800

// CollectLate delays the first collection; later ones are as usual. GOGC and GOMEMLIMIT take precedence.
func CollectLate() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	usual := debug.SetGCPercent(FirstCollection)
	usualPercent.Store(int64(usual))
	// The first collection frees the value, which restores the default.
	runtime.AddCleanup(new(*int), func(struct{}) { collectUsually() }, struct{}{})
}

// usualPercent is what [CollectLate] found; 0: it did nothing.
var usualPercent atomic.Int64

// collectUsually ends the delay, for work on many stores: what that leaves behind would fill it.
func collectUsually() {
	if usual := usualPercent.Swap(0); usual > 0 && !CollectsLean.Load() {
		debug.SetGCPercent(int(usual))
	}
}

// CollectOften halves how much the heap grows between collections, until done is called: for work that leaves much behind beside what the
// user does.
func CollectOften() (done func()) {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" || CollectsLean.Load() {
		return func() {}
	}
	collectUsually()
	before := debug.SetGCPercent(often)
	return func() { debug.SetGCPercent(before) }
}

// often is that growth in percent; usual are 100.
const often = 50

// CollectsLean is set by a command that has chosen its own memory limits.
var CollectsLean atomic.Bool
