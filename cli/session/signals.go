package session

import (
	"context"
	"os"
	"os/signal"
	"slices"
	"syscall"
)

// EndSignals end commands that show a screen or need to clean up: closing the
// terminal must not leave temporary copies behind.
var EndSignals = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}

// UntilSignal returns a context that ends with one of the signals. A signal that the program was started to ignore, as under nohup, stays
// ignored. After the first signal the next one ends the program immediately, whatever it is waiting for; except SIGHUP, which a closing
// terminal sends several times.
func UntilSignal(ctx context.Context, signals ...os.Signal) (context.Context, context.CancelFunc) {
	signals = slices.DeleteFunc(slices.Clone(signals), signal.Ignored)
	if len(signals) == 0 {
		return context.WithCancel(ctx) // NotifyContext would take an empty list for all signals
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

// UntilStopped is UntilSignal with those by which a user or a system stops a command.
func UntilStopped(ctx context.Context) (context.Context, context.CancelFunc) {
	return UntilSignal(ctx, os.Interrupt, syscall.SIGTERM)
}

// WhileShown is UntilSignal for the user interface. An interrupt ends nothing: ctrl+c is a key there, and in an editor on the same terminal
// it isn't meant for us.
func WhileShown(ctx context.Context) (context.Context, context.CancelFunc) {
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	ctx, stop := UntilSignal(ctx, syscall.SIGTERM, syscall.SIGHUP)
	return ctx, func() {
		signal.Stop(interrupts)
		stop()
	}
}
