package session

import (
	"context"
	"os"
	"os/signal"
	"slices"
	"sync/atomic"
	"syscall"
)

// EndSignals end what shows a screen or has something to clean up: a terminal that
// is closed must not leave temporary copies behind.
var EndSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}

// UntilSignal returns a context that ends with one of the signals. A signal that the
// program was started to ignore, as nohup does, stays ignored. After the first signal the next
// one ends the program at once, whatever it waits for; but for SIGHUP, of which a terminal that
// is closed sends several.
func UntilSignal(ctx context.Context, signals ...os.Signal) (context.Context, context.CancelFunc) {
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

// WhileShown is UntilSignal with EndSignals for the user interface. ctrl+c in an editor that
// has the terminal reaches us too, and is not meant for us: as long as away is above 0,
// interrupts are passed over, as git does it.
func WhileShown(ctx context.Context) (_ context.Context, away *atomic.Int32, stop context.CancelFunc) {
	away = new(atomic.Int32)
	ctx, stopOthers := UntilSignal(ctx, syscall.SIGTERM, syscall.SIGHUP)
	if signal.Ignored(os.Interrupt) {
		return ctx, away, stopOthers
	}
	ctx, end := context.WithCancel(ctx)
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	go func() {
		defer signal.Stop(interrupts) // the next one ends the program at once
		for {
			select {
			case <-interrupts:
				if away.Load() == 0 {
					end()
				}
			case <-ctx.Done():
				return
			}
		}
	}()
	return ctx, away, func() { end(); stopOthers() }
}
