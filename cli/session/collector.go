package session

import (
	"os"
	"runtime"
	"runtime/debug"
	"sync/atomic"
)

// FirstCollection is how large the heap may grow before garbage is collected for the first
// time, in percent of the 4 MiB at which that would happen: 32 MiB. A start of the user
// interface stays below that, and so does nearly every command; the two or three collections
// that it had took as long as the journal takes to open.
const FirstCollection = 800

// CollectLate puts the first collection off; later ones come as usual. GOGC and GOMEMLIMIT
// take precedence.
func CollectLate() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	usual := debug.SetGCPercent(FirstCollection)
	// The first collection frees the value, and that ends the exception.
	runtime.AddCleanup(new(*int), func(percent int) {
		if !CollectsLean.Load() {
			debug.SetGCPercent(percent)
		}
	}, usual)
}

// CollectsLean is set by a command that has chosen its own memory limits.
var CollectsLean atomic.Bool
