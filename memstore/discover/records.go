package discover

import (
	"memcurator/memstore/programs"
	"os"
)

// mostOpened bounds the files that are opened only to count their records.
const mostOpened = 64 << 20

// problemForeign is of a file that is where a program keeps its memory, but that no adapter recognizes.
const problemForeign = "Not a memory that can be read here, or only half of one was written"

// namedProgram is the row of a store of the configuration that is the memory of another program.
func (m Machine) namedProgram(p Place) (r row, ok bool) {
	if !m.isFile(p.Dir) {
		return r, false
	}
	a, ok := programs.Of(p.Dir)
	if !ok {
		return r, false
	}
	for _, of := range agents {
		for _, at := range of.places {
			if at.kind == Kind(a.Kind) {
				r = rowOf(of, place{kind: at.kind, rule: at.rule, quirks: at.quirks, cautions: at.cautions, roots: none}, look{Machine: m}, p.Dir)
				r.Name, r.Real = p.Name, resolve(p.Dir)
				return r, true
			}
		}
	}
	return r, false
}

// none are the roots of a place that settings or the user name.
func none(Machine) []string { return nil }

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
	source, err := a.Open(c.found.Path)
	if err != nil {
		return
	}
	defer func() { _ = source.Close() }() // it was only read
	if image, err := source.Read(c.ctx); err == nil {
		c.found.Files, c.found.More = len(image.Entries), false
	}
}
