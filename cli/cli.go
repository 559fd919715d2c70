// Package cli is the command line of memcurator: one file a command. A command reads its
// flags, calls the library and prints; what a store, a listing or a screen is, it leaves
// to memstore and tui. Only main calls this package, by [Main]; tests call [Run] with
// streams of their own.
//
// The names, flags, exit statuses and output shapes of the commands are a contract that
// scripts rely on. Standard output gets the data and nothing else; what is said to the
// person goes to standard error, as sentences.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"runtime/debug"
	"strings"
	"sync"
	"syscall"

	"golang.org/x/term"

	"memcurator/render/text"
)

// program is the name that messages and help use, however the binary is called.
const program = "memcurator"

// The exit statuses.
const (
	exitDone     = 0
	exitFailed   = 1
	exitWrongUse = 2
)

// Environment is what a command may touch of the process around it.
type Environment struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
	// Assets holds the bundled store and the script of the demo, by their
	// paths in the repository.
	Assets fs.FS
	// Whether the streams are terminals.
	StdinTerminal, StdoutTerminal, StderrTerminal bool
	// Passphrase asks a person for a line without showing it; nil: there is nobody to ask.
	Passphrase func(prompt string) (string, error)
}

// Main runs the program on the process's own arguments and streams and returns its exit status.
func Main(assets fs.FS) int {
	collectLate()
	e := Environment{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Getenv: os.Getenv, Assets: assets,
		StdinTerminal:  term.IsTerminal(int(os.Stdin.Fd())),
		StdoutTerminal: term.IsTerminal(int(os.Stdout.Fd())),
		StderrTerminal: term.IsTerminal(int(os.Stderr.Fd())),
	}
	// A server that another program has started has a pipe on both and must not wait for anybody.
	if e.StdinTerminal || e.StderrTerminal {
		e.Passphrase = readPassphrase
	}
	return Run(context.Background(), os.Args[1:], e)
}

// Run runs one command line, without the program's name, and returns its exit
// status. The end of ctx ends the command as a signal does.
func Run(ctx context.Context, args []string, env Environment) (code int) {
	a := &app{env: env, out: &output{w: env.Stdout}, log: slog.New(slog.DiscardHandler)}
	defer a.closeLog()
	defer func() {
		if r := recover(); r != nil {
			code = a.fail(&panicError{value: r, stack: debug.Stack()})
		}
	}()
	root := a.rootCommand()
	root.SetArgs(args[:len(args):len(args)])
	err := root.ExecuteContext(ctx)
	if a.out.err != nil && !isExit(err) {
		err = outputError(a.out.err)
	}
	if err != nil {
		return a.fail(err)
	}
	return exitDone
}

// app is one run of the program.
type app struct {
	env     Environment
	out     *output // standard output for everything but the UI
	flags   globalFlags
	log     *slog.Logger // never nil
	logFile *os.File     // nil: no --log
	saying  sync.Mutex   // held for each line to standard error: a watch on the configuration speaks too

	configRules, ownRules ruleFile // the files of rules, as this run works by them
}

// output remembers that writing failed, so that a full disk or a closed pipe is told once, at the end.
type output struct {
	w   io.Writer
	err error
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.w.Write(p)
	if err != nil && o.err == nil {
		o.err = err
	}
	return n, err
}

// exitError ends the program with a sentence and a status.
type exitError struct {
	code int
	text string
	// verbatim: the text is the tool's own sentence and is printed as it is,
	// without the name of the program in front.
	verbatim bool
	more     []string // further lines, where one is not enough
	cause    error    // for the log
}

func (e *exitError) Error() string { return e.text }
func (e *exitError) Unwrap() error { return e.cause }

func isExit(err error) bool {
	var exit *exitError
	return errors.As(err, &exit)
}

func wrongUse(format string, args ...any) error {
	return &exitError{code: exitWrongUse, text: fmt.Sprintf(format, args...)}
}

func failed(cause error, format string, args ...any) error {
	return &exitError{code: exitFailed, text: fmt.Sprintf(format, args...), cause: cause}
}

// outputError is what a failed write to standard output ends with.
func outputError(err error) error {
	if errors.Is(err, syscall.EPIPE) || errors.Is(err, io.ErrClosedPipe) {
		return failed(err, "The output was closed before everything was written.")
	}
	return failed(err, "The output could not be written: %s.", reason(err))
}

// panicError is a mistake of ours, caught.
type panicError struct {
	value any
	stack []byte
}

func (e *panicError) Error() string { return fmt.Sprintf("panic: %v", e.value) }

// fail tells what went wrong and returns the exit status for it.
func (a *app) fail(err error) int {
	var crash *panicError
	if errors.As(err, &crash) {
		a.log.Error("panic", "value", fmt.Sprint(crash.value), "stack", string(crash.stack))
		where := "The details are in the file given with --log."
		if a.logFile == nil {
			where = "Run it again with --log FILE to get the details for a report."
		}
		a.say("Something went wrong inside " + program + ". " + where)
		return exitFailed
	}
	a.log.Error("the command failed", "error", err)
	var exit *exitError
	if !errors.As(err, &exit) {
		a.say(err.Error())
		return exitFailed
	}
	if exit.cause != nil {
		a.log.Error("the cause", "error", exit.cause)
	}
	if exit.verbatim {
		a.sayPlain(exit.text)
	} else {
		a.say(exit.text)
	}
	for _, line := range exit.more {
		a.sayPlain(line)
	}
	return exit.code
}

// say prints one sentence for the person.
func (a *app) say(sentence string) { a.sayPlain(program + ": " + sentence) }

// sayPlain prints one line to standard error. Names in it may come from anywhere, and what goes into a pipe ends
// on a terminal too: it is always cleaned, and always one line.
func (a *app) sayPlain(line string) {
	line = text.Clean(line)
	a.saying.Lock()
	defer a.saying.Unlock()
	// There is nobody left to tell when standard error is closed.
	_, _ = io.WriteString(a.env.Stderr, line+"\n")
}

// reason is the plain part of a system's error, without the names of calls.
func reason(err error) string {
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "it does not exist"
	case errors.Is(err, fs.ErrPermission):
		return "permission denied"
	case errors.Is(err, fs.ErrExist):
		return "it exists already"
	}
	var path *fs.PathError
	if errors.As(err, &path) {
		return path.Err.Error()
	}
	var link *os.LinkError
	if errors.As(err, &link) {
		return link.Err.Error()
	}
	return strings.TrimSpace(err.Error())
}
