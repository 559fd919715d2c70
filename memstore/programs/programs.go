// Package programs lists the programs whose memories open as stores, an adapter each. A new one is a line here.
package programs

import (
	"os"

	"memcurator/memstore/adapt"
	"memcurator/memstore/adapt/graph"
	"memcurator/memstore/adapt/tables"
)

// adapters are tried in this order.
var adapters = append([]adapt.Adapter{graph.Adapter}, tables.Adapters...)

// Of returns the adapter whose program the file at a path belongs to; ok is false for any other file, and for a directory.
func Of(path string) (a adapt.Adapter, ok bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return a, false
	}
	for _, a := range adapters {
		if a.Recognize(path) {
			return a, true
		}
	}
	return a, false
}
