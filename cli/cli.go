// Package cli is the command line of memcurator: it runs one command, and has the commands about the program itself. The others are in
// the packages below, grouped by use, one file each; root.go lists them all. A command parses its flags, calls the library and prints;
// stores, listings and screens belong to memstore and tui. Only main calls this package, through [Main]; tests call runLine with streams
// of their own.
//
// The names, flags, exit statuses and output formats of the commands are a contract that scripts rely on. Standard output gets only data;
// messages to the user go to standard error, as sentences.
package cli

import (
	"context"
	"io/fs"
	"os"
	"runtime/debug"

	"golang.org/x/term"

	"memcurator/cli/session"
)

// Main runs the program with the process's arguments and streams and returns its exit status.
func Main(assets fs.FS) int {
	e := session.Environment{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
		Getenv: os.Getenv, Assets: assets,
		StdinTerminal:  term.IsTerminal(int(os.Stdin.Fd())),
		StdoutTerminal: term.IsTerminal(int(os.Stdout.Fd())),
		StderrTerminal: term.IsTerminal(int(os.Stderr.Fd())),
	}
	return runLine(context.Background(), os.Args[1:], e)
}

// runLine runs one command line, without the program's name, and returns its exit
// status. When ctx ends, it ends the command as a signal does.
func runLine(ctx context.Context, args []string, env session.Environment) (code int) {
	run := session.New(env)
	defer func() {
		if r := recover(); r != nil {
			code = run.Fail(&session.PanicError{Value: r, Stack: debug.Stack()})
		}
	}()
	root := rootCommand(run)
	root.SetArgs(args[:len(args):len(args)])
	err := root.ExecuteContext(ctx)
	if run.Out.Err != nil && !session.IsExit(err) {
		err = session.OutputError(run.Out.Err)
	}
	if err != nil {
		return run.Fail(err)
	}
	return session.ExitDone
}
