package ui

import (
	"context"
	"time"
)

// Debounce waits inside a job for as long as the user must stay before the job is worth its
// cost; a user who only passes by starts a newer job, which cancels ctx and with it this one. The
// error is that of ctx.
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
