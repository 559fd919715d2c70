//go:build linux

package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// failf ends the step under way, and the world: something is wrong.
func (w *world) failf(format string, args ...any) { w.day.t.Fatalf(format, args...) }

func (w *world) must(err error) { must(w.day.t, err) }

// together runs parts beside each other. A fault ends its part, and the world after all parts.
func (w *world) together(parts ...func()) {
	var all sync.WaitGroup
	for _, part := range parts {
		all.Go(part)
	}
	all.Wait()
	if w.day.t.Failed() {
		w.day.t.FailNow()
	}
}

// note logs a step, to help find the cause of a failure.
func (w *world) note(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.steps = append(w.steps, time.Now().UTC().Format("15:04:05.000 ")+w.now+": "+fmt.Sprintf(format, args...))
}

// dayProcess is one run of the program that ends by itself.
type dayProcess struct {
	cmd       *exec.Cmd
	out, errs bytes.Buffer
}

// begin starts the program.
func (w *world) begin(stdin string, args ...string) *dayProcess {
	p := &dayProcess{cmd: exec.Command(w.day.binary, args...)}
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr, p.cmd.Env, p.cmd.Dir = strings.NewReader(stdin), &p.out, &p.errs, w.env(),
		filepath.Join(w.root, "tmp")
	p.cmd.WaitDelay = dayPatience
	w.must(p.cmd.Start())
	return p
}

// wait is what the process left, once it has ended.
func (w *world) wait(p *dayProcess) outcome {
	hung := time.AfterFunc(dayPatience, func() { _ = p.cmd.Process.Kill() })
	_ = p.cmd.Wait() // the status says it
	if !hung.Stop() {
		w.failf("%s did not end within %v", strings.Join(p.cmd.Args[1:], " "), dayPatience)
	}
	return outcome{p.cmd.ProcessState.ExitCode(), p.out.String(), p.errs.String()}
}

// try runs the program to its end and checks that a failure prints a sentence.
func (w *world) try(args ...string) outcome {
	o := w.wait(w.begin("", args...))
	w.note("%s: %d %s", strings.ReplaceAll(strings.Join(args, " "), w.root, ""), o.code, firstLine(o.err))
	w.spoken(args[0], o)
	return o
}

// spoken checks how a run ended: a failure has a sentence, and nothing ends in a panic.
func (w *world) spoken(what string, o outcome) {
	if strings.Contains(o.err, "goroutine ") || strings.Contains(o.err, "panic:") {
		w.failf("%s panicked: %s", what, o.err)
	}
	if o.code < 0 || o.code > 0 && len(strings.TrimSpace(o.err)) < 10 {
		w.failf("%s ended with %d and no sentence: %q", what, o.code, o.err)
	}
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// dayAgent is a process that edits as an agent: exec in a dialect, or a server of the protocol.
type dayAgent struct {
	w        *world
	who      int // as for hire
	session  string
	actor    string
	cmd      *exec.Cmd
	in       io.WriteCloser
	out      *bufio.Reader
	client   *mcp.ClientSession // nil for exec
	errs     said
	gone     bool
	position sync.Mutex // one command at a time
}

var dayDialects = []string{"docs", "typescript", "python"}

// hire starts an agent; who: 0 to 2 are exec in the dialects, 3 is mcp.
func (w *world) hire(who int) *dayAgent {
	w.mu.Lock()
	w.serial++
	a := &dayAgent{w: w, who: who, session: fmt.Sprintf("s%d-%d", w.n, w.serial), actor: "agent"}
	w.mu.Unlock()
	args := []string{"exec", w.store, "--session", a.session}
	switch {
	case who >= len(dayDialects):
		args[0] = "mcp"
	default:
		args = append(args, "--dialect", dayDialects[who])
	}
	a.cmd = exec.Command(w.day.binary, args...)
	a.cmd.Env, a.cmd.Stderr, a.cmd.Dir = w.env(), &a.errs, filepath.Join(w.root, "tmp")
	if args[0] == "mcp" {
		client := mcp.NewClient(&mcp.Implementation{Name: "day", Version: "1"}, nil)
		ctx, stop := context.WithTimeout(context.Background(), dayPatience)
		defer stop()
		session, err := client.Connect(ctx, &mcp.CommandTransport{Command: a.cmd, TerminateDuration: dayPatience}, nil)
		if err != nil {
			w.failf("mcp does not start: %v, %s", err, a.errs.String())
		}
		a.client = session
	} else {
		in, err := a.cmd.StdinPipe()
		w.must(err)
		out, err := a.cmd.StdoutPipe()
		w.must(err)
		a.in, a.out = in, bufio.NewReader(out)
		w.must(a.cmd.Start())
	}
	w.mu.Lock()
	w.agents = append(w.agents, a)
	w.mu.Unlock()
	w.note("%s started: session %s", args[0], a.session)
	return a
}

// agent is the living agent of a number, started where there is none.
func (w *world) agent(who int) *dayAgent {
	for _, a := range w.agents {
		if a.who == who && !a.gone {
			return a
		}
	}
	return w.hire(who)
}

// dismiss lets every agent end as its client would.
func (w *world) dismiss() {
	for _, a := range w.agents {
		a.close()
	}
	w.agents = nil
}

// ask gives a command; no answer at all is an error.
func (a *dayAgent) ask(c dayCommand) (*dayEdit, string, error) {
	a.position.Lock()
	defer a.position.Unlock()
	w := a.w
	w.mu.Lock()
	w.serial++
	id := fmt.Sprintf("call-%d-%d", w.n, w.serial)
	w.mu.Unlock()
	e := w.issue(id, a.session, a.actor, c)
	hung := time.AfterFunc(dayPatience, func() { _ = a.cmd.Process.Kill() })
	defer hung.Stop()
	text, isError, err := a.send(e)
	if err != nil {
		return e, "", err
	}
	w.answered(e, isError)
	w.note("%s %s %s %s%s: %.60q", id, a.session, c.Command, c.OldPath, " "+c.target(), text)
	return e, text, nil
}

func (a *dayAgent) send(e *dayEdit) (text string, isError bool, err error) {
	input, err := json.Marshal(e.command)
	if err != nil {
		return "", false, err
	}
	if a.client != nil {
		ctx, stop := context.WithTimeout(context.Background(), dayPatience)
		defer stop()
		p := &mcp.CallToolParams{Meta: mcp.Meta{"toolUseId": e.id}, Name: "memory", Arguments: json.RawMessage(input)}
		r, err := a.client.CallTool(ctx, p)
		if err != nil {
			return "", false, err
		}
		return r.Content[0].(*mcp.TextContent).Text, r.IsError, nil
	}
	line, err := json.Marshal(map[string]any{"type": "tool_use", "id": e.id, "name": "memory", "input": json.RawMessage(input)})
	if err != nil {
		return "", false, err
	}
	if _, err := a.in.Write(append(line, '\n')); err != nil {
		return "", false, err
	}
	return a.receive(e.id)
}

// receive reads one answer of exec.
func (a *dayAgent) receive(id string) (text string, isError bool, err error) {
	line, err := a.out.ReadString('\n')
	if err != nil {
		return "", false, err
	}
	var answer struct {
		ID      string `json:"tool_use_id"`
		Content string `json:"content"`
		IsError bool   `json:"is_error"`
	}
	if err := json.Unmarshal([]byte(line), &answer); err != nil || answer.ID != id {
		return "", false, fmt.Errorf("the answer to %s is %q", id, line)
	}
	return answer.Content, answer.IsError, nil
}

// does gives a command to an agent that lives; no answer is a fault.
func (a *dayAgent) does(c dayCommand) (*dayEdit, string) {
	e, text, err := a.ask(c)
	if err != nil {
		a.w.failf("%s got no answer to %s %s: %v, %s", a.session, c.Command, c.target(), err, a.errs.String())
	}
	if e.state == dayDenied && text == "" {
		a.w.failf("%s was refused %s %s without a sentence", a.session, c.Command, c.target())
	}
	return e, text
}

// close ends the input and waits for the process.
func (a *dayAgent) close() {
	if a.gone {
		return
	}
	a.gone = true
	if a.client != nil {
		if err := a.client.Close(); err != nil {
			a.w.failf("mcp ended with %v: %s", err, a.errs.String())
		}
		return
	}
	hung := time.AfterFunc(dayPatience, func() { _ = a.cmd.Process.Kill() })
	defer hung.Stop()
	_ = a.in.Close()
	_, _ = io.Copy(io.Discard, a.out)
	if err := a.cmd.Wait(); err != nil {
		a.w.failf("exec ended with %v: %s", err, a.errs.String())
	}
}

// kill ends the process at once, as a power button or the kernel would.
func (a *dayAgent) kill() {
	if a.gone {
		return
	}
	a.gone = true
	_ = a.cmd.Process.Kill()
	if a.client != nil {
		_ = a.client.Close() // it was killed
		return
	}
	_, _ = io.Copy(io.Discard, a.out)
	_ = a.cmd.Wait() // it was killed
	_ = a.in.Close()
}

// writeFile is a plain write of another program, which may fail: the step goes on.
func writeFile(file, text string) error {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return err
	}
	return os.WriteFile(file, []byte(text), 0o600)
}
