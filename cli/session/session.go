// Package session is one run of the program as all commands see it: its streams, flags and configuration, and the stores that it
// opens with their journals and guards. Commands call it and print; messages for the user go through [Session.Say]. It knows none of the
// commands.
package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
	"sync"

	"memcurator/render/text"
)

// Program is the name in messages and help, whatever the binary is called.
const Program = "memcurator"

// Exit statuses.
const (
	ExitDone     = 0
	ExitFailed   = 1
	ExitWrongUse = 2
)

// Environment is what a command may use of the surrounding process.
type Environment struct {
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
	// Assets has the bundled store and the script of the demo, by their paths in
	// the repository.
	Assets fs.FS
	// Whether the streams are terminals.
	StdinTerminal, StdoutTerminal, StderrTerminal bool
}

// Session is one run of the program.
type Session struct {
	Env    Environment
	Out    *Output // standard output for everything but the UI
	Flags  GlobalFlags
	saying sync.Mutex // held for each line to standard error
	muted  bool       // what is said is dropped; guarded by saying
	warned sync.Map   // the sentences of [Session.Warn]

	config, rules configText
}

// New begins a session. Its flags are set when the command line is parsed.
func New(env Environment) *Session {
	return &Session{Env: env, Out: &Output{W: env.Stdout, terminal: env.StdoutTerminal}}
}

// Beside is a session for work beside the user interface, where nothing may be printed or asked: what is said goes to said.
func (run *Session) Beside(said io.Writer) *Session {
	quiet := New(Environment{
		Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: said, Getenv: run.Env.Getenv, Assets: run.Env.Assets,
	})
	quiet.Flags = run.Flags
	return quiet
}

// Fail reports an error and returns its exit status.
func (run *Session) Fail(err error) int {
	var crash *PanicError
	if errors.As(err, &crash) {
		run.Say(fmt.Sprintf("Internal error in %s, please report it: %v", Program, crash.Value))
		for line := range strings.Lines(string(crash.Stack)) {
			run.SayPlain(strings.TrimSuffix(line, "\n"))
		}
		return ExitFailed
	}
	err = PastError(err)
	var exit *ExitError
	switch {
	case errors.As(err, &exit):
	case errors.Is(err, context.Canceled):
		run.Say("Stopped")
		return ExitFailed
	default:
		run.Say(err.Error())
		return ExitFailed
	}
	switch {
	case exit.Text == "": // the command has already printed it
	case exit.Verbatim:
		run.SayPlain(exit.Text)
	default:
		run.Say(exit.Text)
	}
	for _, line := range exit.More {
		run.SayPlain(line)
	}
	return exit.Code
}

// Say prints one sentence for the user.
func (run *Session) Say(sentence string) {
	run.SayPlain(Program + ": " + sentence)
}

// Mute keeps what is said from the terminal, which the user interface has to itself, until speak is called.
func (run *Session) Mute() (speak func()) {
	set := func(muted bool) {
		run.saying.Lock()
		defer run.saying.Unlock()
		run.muted = muted
	}
	set(true)
	return func() { set(false) }
}

// SayPlain prints one line to standard error. Names in it may come from anywhere, and even piped output ends up on a terminal: it is
// always sanitized, and always one line.
func (run *Session) SayPlain(line string) {
	line = text.Clean(line)
	run.saying.Lock()
	defer run.saying.Unlock()
	if run.muted {
		return
	}
	// A closed standard error leaves no way to report it.
	_, _ = io.WriteString(run.Env.Stderr, line+"\n")
}
