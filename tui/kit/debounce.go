package kit

import (
	"context"
	"time"
)

// Debounce waits, inside a job, until the user has stayed long enough for the job to be worth its cost. If the user moves on, a newer job
// cancels ctx and with it this one. The error is that of ctx.
func Debounce(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}
