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
// program was started to ignore, as nohup does, stays ignored. After the first signal the next
// one ends the program at once, whatever it waits for; but for SIGHUP, of which a terminal that
// is closed sends several.
func untilSignal(ctx context.Context, signals ...os.Signal) (context.Context, context.CancelFunc) {
	signals = slices.DeleteFunc(slices.Clone(signals), signal.Ignored)
	if len(signals) == 0 {
		return context.WithCancel(ctx) // NotifyContext would take none for all
	}
	ctx, stop := signal.NotifyContext(ctx, signals...)
	context.AfterFunc(ctx, stop)
	if !slices.Contains[[]os.Signal, os.Signal](signals, syscall.SIGHUP) {
		return ctx, stop
	}
	hangups := make(chan os.Signal, 1)
	signal.Notify(hangups, syscall.SIGHUP)
	return ctx, func() {
		stop()
		signal.Stop(hangups)
	}
}
