//go:build race

package bigfile

// raceEnabled makes the huge texts smaller: the race detector slows them down tenfold.
const raceEnabled = true
