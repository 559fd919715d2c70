package disk

import (
	"runtime/debug"
	"runtime/metrics"
)

// heapMost is how many bytes the heap may hold from the system, after work that needed much more
// than what stays, before it is returned immediately. The runtime would return it too, but over minutes.
const heapMost = 64 << 20

// FreeMemory returns to the system what a job has left behind; it is for jobs, since it
// collects garbage first. It skips a small heap.
func FreeMemory() {
	held := []metrics.Sample{
		{Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/memory/classes/heap/unused:bytes"},
		{Name: "/memory/classes/heap/free:bytes"},
	}
	metrics.Read(held)
	var sum uint64
	for _, s := range held {
		if s.Value.Kind() == metrics.KindUint64 {
			sum += s.Value.Uint64()
		}
	}
	if sum > heapMost {
		debug.FreeOSMemory()
	}
}
