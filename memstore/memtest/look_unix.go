//go:build unix

package memtest

import (
	"syscall"
	"testing"
	"time"

	"memcurator/memstore/backend"
)

// FirstLook opens a store and lists it, as a screen does first, and reports the processor's time: that of the clock is also others'.
func FirstLook(b *testing.B, open func() (backend.Backend, error)) {
	was := processor()
	for b.Loop() {
		s, err := open()
		if err != nil {
			b.Fatal(err)
		}
		if _, err := backend.Scan(b.Context(), s, 2, backend.ScanOptions{}); err != nil {
			b.Fatal(err)
		}
		_ = s.Close() // it was only read
	}
	b.ReportMetric((processor()-was).Seconds()/float64(b.N), "cpu-s/op")
}

func processor() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
