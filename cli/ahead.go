package cli

import (
	"io"
	"os"
)

// aheadWriter writes on a goroutine of its own, so that the next piece of a large view
// is made while the last one is on its way to the disk or the pipe. Its memory is
// bounded by the pieces under way. Close waits for them. For one caller at a time.
type aheadWriter struct {
	free chan piece // to fill
	full chan piece // to write, in order
	err  error      // what writing failed with, once the caller knows
	last chan error // the goroutine's word at its end
}

// piece is a buffer, and on its way back what writing has failed with so far.
type piece struct {
	data []byte
	err  error
}

// aheadPieces is how many pieces may be under way; a view makes them of 256 KiB.
const aheadPieces = 4

// writingTakesTime tells whether writing to w is worth a goroutine and a copy of
// everything: to a file or a pipe, not to the null device.
func writingTakesTime(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeDevice == 0
}

func newAheadWriter(w io.Writer) *aheadWriter {
	a := &aheadWriter{free: make(chan piece, aheadPieces), full: make(chan piece, aheadPieces), last: make(chan error, 1)}
	for range aheadPieces {
		a.free <- piece{} // grown when it is used first
	}
	go func() {
		var err error
		for p := range a.full {
			if err == nil {
				_, err = w.Write(p.data)
			}
			a.free <- piece{p.data[:0], err}
		}
		a.last <- err
	}()
	return a
}

// Write implements [io.Writer]. An error of an earlier piece comes with a later one, or with Close.
func (a *aheadWriter) Write(data []byte) (int, error) {
	if a.err != nil {
		return 0, a.err
	}
	p := <-a.free
	if a.err = p.err; a.err != nil {
		return 0, a.err
	}
	p.data = append(p.data, data...)
	a.full <- p
	return len(data), nil
}

// Close waits until everything is written.
func (a *aheadWriter) Close() error {
	close(a.full)
	return <-a.last
}
