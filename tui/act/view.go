package act

import (
	"context"
	"errors"
	"strings"

	"memcurator/memstore"
	"memcurator/tui/kit"
)

// TextTooLongToCopy refuses to copy more than terminals accept.
const TextTooLongToCopy = "Output over 1 MiB: too long for the clipboard. Run memcurator cat"

// View runs a view. cut: the result is longer than [kit.CopyLimit] and ends there, so that a file of a gigabyte does not become a
// text in memory.
func View(ctx context.Context, store *memstore.Store, c memstore.Command) (r memstore.Result, cut bool) {
	w := &boundedText{limit: kit.CopyLimit}
	err := store.ViewTo(ctx, w, c)
	switch {
	case w.full:
		return memstore.Result{Content: strings.ToValidUTF8(string(w.data), "")}, true
	case err != nil:
		return store.Do(ctx, c), false
	default:
		return memstore.Result{Content: string(w.data)}, false
	}
}

// boundedText keeps what is written to it, up to a limit.
type boundedText struct {
	data  []byte
	limit int
	full  bool
}

var errFull = errors.New("limit reached")

func (b *boundedText) Write(p []byte) (int, error) {
	if len(b.data)+len(p) > b.limit {
		b.data = append(b.data, p[:b.limit-len(b.data)]...)
		b.full = true
		return 0, errFull
	}
	b.data = append(b.data, p...)
	return len(p), nil
}
