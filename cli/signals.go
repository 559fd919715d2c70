package cli

import (
	"context"
	"os"
	"os/signal"
	"slices"
)

// untilSignal returns a context that ends with one of the signals. A signal that the
// program was started to ignore, as nohup does, stays ignored.
func untilSignal(ctx context.Context, signals ...os.Signal) (context.Context, context.CancelFunc) {
	signals = slices.DeleteFunc(signals, signal.Ignored)
	if len(signals) == 0 {
		return context.WithCancel(ctx) // NotifyContext would take none for all
	}
	return signal.NotifyContext(ctx, signals...)
}
