package scrubguard

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"memcurator/memstore"
	"memcurator/memstore/scrub"
)

// names are the values that were masked in names of files: the agent acts by the names it has read, so that each
// value has a placeholder of its own, which is read back in the paths of its commands.
type names struct {
	shown  map[string]string // placeholders by value
	values map[string]string // values by placeholder
	order  []string          // the values, the longest first: one may hold another
}

// maskNames masks values in the lines without a number: the rows of a listing, and messages about a path. known:
// only those that were masked before.
func (k *Keeper) maskNames(e *scrub.Engine, s *Settings, content string, known bool) string {
	var out strings.Builder
	for line := range strings.Lines(content) {
		label, _, ok := strings.Cut(line, "\t")
		if ok && isNumber(label) {
			out.WriteString(line)
			continue
		}
		if !known && strings.Contains(line, memstore.Root+"/") {
			line = k.maskName(e, s, line)
		}
		out.WriteString(k.maskKnown(line))
	}
	return out.String()
}

// maskName masks values in one line with a path, which goes up to its end or to words after it.
func (k *Keeper) maskName(e *scrub.Engine, s *Settings, line string) string {
	var out strings.Builder
	from := strings.Index(line, memstore.Root+"/")
	at := from
	for _, f := range e.FindName(line[from:]) {
		if f.Start+from < at || !s.masksRead(e, "", []byte(line[from:]), f) {
			continue
		}
		value := line[from+f.Start : from+f.End]
		if strings.Contains(value, "/") {
			continue // it is not in one name, and an agent could not name the file any more
		}
		out.WriteString(line[at:from+f.Start] + k.placeholder(f.Class, value))
		at = from + f.End
	}
	return line[:from] + out.String() + line[at:]
}

// placeholder is what the agent reads instead of a value in a name; from the second value of a class on it has a number.
func (k *Keeper) placeholder(class, value string) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	if p := k.inNames.shown[value]; p != "" {
		return p
	}
	if k.inNames.shown == nil {
		k.inNames.shown, k.inNames.values = map[string]string{}, map[string]string{}
	}
	p := "[REDACTED:" + class + "]"
	if len(k.inNames.shown) >= maskedMost {
		return p
	}
	for n := 2; k.inNames.values[p] != ""; n++ {
		p = fmt.Sprintf("[REDACTED:%s:%d]", class, n)
	}
	k.inNames.shown[value], k.inNames.values[p] = p, value
	at, _ := slices.BinarySearchFunc(k.inNames.order, value, func(a, b string) int { return len(b) - len(a) })
	k.inNames.order = slices.Insert(k.inNames.order, at, value)
	return p
}

// maskKnown masks what was masked in a name before, even if less of the path announces it.
func (k *Keeper) maskKnown(line string) string {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, value := range k.inNames.order {
		line = strings.ReplaceAll(line, value, k.inNames.shown[value])
	}
	return line
}

// unmask gives the paths of a command the values back that were masked when the agent read them.
func (k *Keeper) unmask(_ context.Context, c memstore.Command) memstore.Command {
	k.mu.Lock()
	defer k.mu.Unlock()
	for p, value := range k.inNames.values {
		for _, path := range []*string{&c.Path, &c.OldPath} {
			*path = strings.ReplaceAll(*path, p, value)
		}
	}
	return c
}
