// Package use puts transcripts to use for a store: it gathers those of one memory into one track, gives a journal the calls behind
// its revisions, and writes what a replay has into a store.
package use

import (
	"context"

	"memcurator/memstore"
	"memcurator/memstore/transcript"
)

// Gather reads the transcripts of one memory and replays their calls, as the handler answers that their results are closest to; dialect
// decides where they show none. A file that can't be read is handed to unread and left out.
func Gather(
	ctx context.Context, files []string, o transcript.Options, dialect memstore.Dialect, unread func(file string, err error),
) (*transcript.Track, error) {
	r, err := transcript.NewReader(o)
	if err != nil {
		return nil, err
	}
	for _, name := range files {
		if err := readFile(r, name); err != nil {
			unread(name, err)
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
	}
	calls := r.Calls()
	start, _ := transcript.Begin(calls)
	handler, err := transcript.Guess(ctx, calls, start, dialect)
	if err != nil {
		return nil, err
	}
	t, err := transcript.NewTrack(start, handler)
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

func readFile(r *transcript.Reader, name string) error {
	f, err := transcript.Open(name)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	return r.Read(name, f)
}
