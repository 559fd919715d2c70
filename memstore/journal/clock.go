package journal

import (
	"context"
	"errors"
	"time"
)

// ClockAhead is how far the clock may be ahead of the newest time in a journal before it is doubted: daily
// work stays far below it, a wrong year does not. ClockBehind is how far it may be behind.
const (
	ClockAhead  = 180 * 24 * time.Hour
	ClockBehind = 24 * time.Hour
)

// ErrClock means that nothing was dropped by age, because the clock may be wrong.
var ErrClock = errors.New("the clock is far from the times in the journal")

// metaDoubt is the newest moment that the journal knew of when a start found the clock far from it. Revisions recorded since
// carry the times of that clock, so they cannot show that it is right: the user has to.
const metaDoubt = "clock_doubt"

// doubtClock compares the clock with the journal before anything is recorded with it.
func (j *Journal) doubtClock() {
	span, err := j.Span(context.Background())
	if err == nil && !span.Newest.IsZero() {
		if gap := j.options.Now().Sub(span.Newest); gap > ClockAhead || gap < -ClockBehind {
			err = j.tx("clock", false, func(w *writer) error {
				return w.do("INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO NOTHING", metaDoubt, span.Newest.UnixNano())
			})
		}
	}
	if err != nil {
		j.options.Warn(failed("clock", err))
	}
}

// clockDoubt is the newest moment before the clock jumped. It is zero where the clock is trusted: it never jumped, or it is
// near that moment again.
func (j *Journal) clockDoubt(ctx context.Context) (known time.Time, err error) {
	db, err := j.readerNow()
	if err != nil {
		return known, err
	}
	var at int64
	if err := db.QueryRowContext(ctx, "SELECT coalesce((SELECT value FROM meta WHERE key = ?), 0)", metaDoubt).
		Scan(&at); err != nil || at == 0 {
		return known, failed("clock", err)
	}
	if gap := j.options.Now().Sub(unixTime(at)); gap <= ClockAhead && gap >= -ClockBehind {
		return known, nil
	}
	return unixTime(at), nil
}
