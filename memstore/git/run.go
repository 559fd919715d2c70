package git

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// The errors of a run, whose texts end a sentence. [failure] is any other.
var (
	ErrMissing = errors.New("git is not installed")
	ErrNone    = errors.New("its .git is not a repository")
	errForeign = errors.New("the repository belongs to another user")
	ErrSlow    = errors.New("git took too long")
	errTooMuch = errors.New("git answered too much")
)

// failure is what git printed when it failed: its first line, as bytes of unknown origin; "" if it printed nothing.
type failure struct{ Line string }

func (f *failure) Error() string { return "git: " + cmp.Or(f.Line, "it failed") }

const (
	// patience is how long a run may take where its context allows more.
	patience = 10 * time.Second
	// maxComplaint bounds what is kept of git's error output, in bytes.
	maxComplaint = 4 << 10
	// maxLine bounds the line of a [failure], in bytes.
	maxLine = 200
)

// inherited are the variables that git gets from our own environment: where programs and temporary files are. None of git's own,
// which name another repository when we run from a hook, none that load code, and no home folder, where users configure git.
var inherited = []string{
	"PATH", "TMPDIR", "TMP", "TEMP", "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT",
}

// environment is the environment of each run. No protocol is allowed, which keeps a missing object from being fetched.
func (r Repository) environment() []string {
	env := []string{
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_SYSTEM=" + os.DevNull, "GIT_ATTR_NOSYSTEM=1",
		"GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS=", "GIT_EDITOR=:", "GIT_PAGER=cat", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1",
		"GIT_ALLOW_PROTOCOL=none", "GIT_LITERAL_PATHSPECS=1", "GIT_NO_REPLACE_OBJECTS=1", "LC_ALL=C", "TZ=UTC0",
		// an empty folder .git must not lead to the one above it
		"GIT_CEILING_DIRECTORIES=" + filepath.Dir(r.Top),
	}
	for _, name := range inherited {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

// settings override what a repository may configure.
var settings = []string{
	"core.fsmonitor=false", "core.hooksPath=" + os.DevNull, "core.pager=cat", "core.askPass=", "core.sshCommand=false", "core.editor=:",
	"core.untrackedCache=false", "credential.helper=", "log.showSignature=false", "i18n.commitEncoding=UTF-8",
	"gc.auto=0", "maintenance.auto=false", "protocol.allow=never", "safe.bareRepository=explicit",
	"submodule.recurse=false", "core.quotePath=false", "core.splitIndex=false", "advice.detachedHead=false",
}

// Command is a run of git in the work tree. The caller passes a command that only reads, and that starts no program, whatever the
// configuration of the repository.
func (r Repository) Command(ctx context.Context, args ...string) *exec.Cmd {
	all := []string{"--no-pager"}
	for _, s := range settings {
		all = append(all, "-c", s)
	}
	c := exec.CommandContext(ctx, "git", append(append(all, "-C", r.Top), args...)...)
	c.Env = r.environment()
	c.WaitDelay = time.Second
	return c
}

// read runs a command and returns its output, which may have at most limit bytes.
func (r Repository) read(ctx context.Context, limit int, args ...string) ([]byte, error) {
	limited, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	c := r.Command(limited, args...)
	out, complaint := &bounded{left: limit, stop: cancel}, &bounded{left: maxComplaint}
	c.Stdout, c.Stderr = out, complaint
	err := c.Run()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case out.over:
		return nil, errTooMuch
	case limited.Err() != nil:
		return nil, ErrSlow
	case err != nil:
		return nil, explain(err, complaint.data.String())
	}
	return out.data.Bytes(), nil
}

// Explain turns the error of a [Repository.Command] into one of this package.
func Explain(err error) error { return explain(err, "") }

func explain(err error, complaint string) error {
	var exit *exec.ExitError
	switch {
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, exec.ErrDot):
		return ErrMissing
	case strings.Contains(complaint, "dubious ownership"):
		return errForeign
	case strings.Contains(complaint, "not a git repository"):
		return ErrNone
	case errors.As(err, &exit):
		line, _, _ := strings.Cut(strings.TrimSpace(complaint), "\n")
		for _, word := range []string{"fatal: ", "error: "} {
			line = strings.TrimPrefix(line, word)
		}
		return &failure{line[:min(len(line), maxLine)]}
	}
	return fmt.Errorf("can't run git: %w", err)
}

// bounded keeps the beginning of what is written to it, and calls stop when there is more.
type bounded struct {
	data bytes.Buffer
	left int
	over bool
	stop func()
}

func (b *bounded) Write(p []byte) (int, error) {
	n := min(b.left, len(p))
	b.data.Write(p[:n])
	if b.left -= n; n < len(p) && !b.over {
		b.over = true
		if b.stop != nil {
			b.stop()
			return n, io.ErrShortWrite
		}
	}
	return len(p), nil
}
