package journal

import (
	"context"
	"errors"
	"time"

	"memcurator/memstore/journal/schema"
)

// ClockAhead is how far the clock may be ahead of the newest time in a journal before it is doubted: daily
// work stays far below it, a wrong year does not. ClockBehind is how far it may be behind.
const (
	ClockAhead  = 180 * 24 * time.Hour
	ClockBehind = 24 * time.Hour
)

// errClock means that nothing was dropped by age, because the clock may be wrong.
var errClock = errors.New("the clock is far off the times in the journal")

// clockCheck doubts the clock while it is far off the times of the revisions.
type clockCheck struct {
	j *Journal
}

// check compares the clock with the journal before anything is recorded with it.
func (c *clockCheck) check() {
	span, err := c.j.Span(context.Background())
	if err == nil && !span.Newest.IsZero() {
		if gap := c.j.options.Now().Sub(span.Newest); isFarOff(gap) {
			err = c.j.tx("clock", false, func(w *tableWriter) error {
				return w.Do("INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT (key) DO NOTHING", schema.MetaDoubt, span.Newest.UnixNano())
			})
		}
	}
	if err != nil {
		c.j.options.Warn(failed("clock", err))
	}
}

// isFarOff reports whether the clock may be wrong, by how far it is ahead of a recorded time.
func isFarOff(gap time.Duration) bool { return gap > ClockAhead || gap < -ClockBehind }

// doubt is the newest moment before the clock jumped. It is zero where the clock is trusted: it never jumped, or it is
// near that moment again.
func (c *clockCheck) doubt(ctx context.Context) (known time.Time, err error) {
	db, err := c.j.pool.ReaderNow()
	if err != nil {
		return known, err
	}
	var at int64
	if err := db.QueryRowContext(ctx, "SELECT coalesce((SELECT value FROM meta WHERE key = ?), 0)", schema.MetaDoubt).
		Scan(&at); err != nil || at == 0 {
		return known, failed("clock", err)
	}
	if !isFarOff(c.j.options.Now().Sub(schema.Time(at))) {
		return known, nil
	}
	return schema.Time(at), nil
}
