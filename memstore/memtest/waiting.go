package memtest

import (
	"flag"
	"runtime"
	"strconv"
	"testing"
)

// perProcessor is how many tests that wait share a processor.
const perProcessor = 4

// RunWaiting is m.Run for a package whose parallel tests wait for files, processes and
// timers more than they compute: it runs more of them at once than there are processors.
// A number given by -parallel is kept.
func RunWaiting(m *testing.M) int {
	flag.Parse()
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == "test.parallel" })
	if !given {
		if err := flag.Set("test.parallel", strconv.Itoa(perProcessor*runtime.GOMAXPROCS(0))); err != nil {
			panic(err)
		}
	}
	return m.Run()
}
