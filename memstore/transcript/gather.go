package transcript

import (
	"context"
	"os"

	"memcurator/memstore"
)

// Gather reads the transcripts of one memory and replays their calls, as the handler answers that their results are closest to; dialect
// decides where they show none. A file that can't be read is handed to unread and left out.
func Gather(ctx context.Context, files []string, o Options, dialect memstore.Dialect, unread func(file string, err error)) (*Track, error) {
	r, err := NewReader(o)
	if err != nil {
		return nil, err
	}
	for _, name := range files {
		if err := r.readFile(name); err != nil {
			unread(name, err)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	calls := r.Calls()
	start, _ := Begin(calls)
	handler, err := Guess(ctx, calls, start, dialect)
	if err != nil {
		return nil, err
	}
	t, err := NewTrack(start, handler)
	if err != nil {
		return nil, err
	}
	for _, c := range calls {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		t.Add(ctx, c)
	}
	t.SetBoundaries(r.Boundaries())
	return t, nil
}

func (r *Reader) readFile(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	return r.Read(name, f)
}
