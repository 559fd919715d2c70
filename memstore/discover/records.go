package discover

import (
	"os"

	"memcurator/memstore/programs"
)

// mostOpened bounds the files that are opened only to count their records.
const mostOpened = 64 << 20

// problemForeign is of a file that is where a program keeps its memory, but that no adapter recognizes.
const problemForeign = "Not a memory that can be read here, or only half of one was written"

// namedProgram is the row of a file outside all places that is the memory of another program.
func (m Machine) namedProgram(file string) (r row, ok bool) {
	a, ok := programs.Of(file)
	if !ok {
		return r, false
	}
	for _, of := range agents {
		for _, at := range of.places {
			if at.kind == Kind(a.Kind) {
				at.owner = nil
				return rowOf(of, at, look{Machine: m}, file), true
			}
		}
	}
	return r, false
}

// records counts the records of a file on the disk of this machine.
func (c *counter) records() {
	info, err := os.Stat(c.found.Path)
	if err != nil {
		c.found.Problem = problemOf(err)
		return
	}
	c.found.Bytes, c.found.Newest = info.Size(), info.ModTime()
	c.found.More = true
	if info.Size() > mostOpened {
		return
	}
	a, ok := programs.Of(c.found.Path)
	if !ok {
		c.found.Problem = problemForeign
		return
	}
	if image, err := a.Read(c.ctx, c.found.Path); err == nil {
		c.found.Files, c.found.More = len(image.Entries), false
	}
}
