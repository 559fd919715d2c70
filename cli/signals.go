package cli

import (
	"context"
	"os"
	"os/signal"
	"slices"
	"syscall"
)

// endSignals end what shows a screen or has something to take away: a terminal that
// is closed must not leave temporary copies behind.
var endSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}

// untilSignal returns a context that ends with one of the signals. A signal that the
// program was started to ignore, as nohup does, stays ignored.
func untilSignal(ctx context.Context, signals ...os.Signal) (context.Context, context.CancelFunc) {
	signals = slices.DeleteFunc(slices.Clone(signals), signal.Ignored)
	if len(signals) == 0 {
		return context.WithCancel(ctx) // NotifyContext would take none for all
	}
	return signal.NotifyContext(ctx, signals...)
}
