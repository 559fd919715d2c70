//go:build !race

package bigfile

const raceEnabled = false
