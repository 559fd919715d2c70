//go:build unix

package integrate

import (
	"context"
	"os/exec"
	"strings"
	"syscall"
)

// shellCommand runs a command line of the shell with one more argument, in a process group of
// its own that dies as a whole when ctx ends.
func shellCommand(ctx context.Context, line, argument string) *exec.Cmd {
	quoted := "'" + strings.ReplaceAll(argument, "'", `'\''`) + "'"
	c := exec.CommandContext(ctx, "sh", "-c", line+" "+quoted)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	return c
}

// killChildren ends what is left of the process group of a command that has ended.
func killChildren(c *exec.Cmd) { _ = syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }

// isNoCommand recognises the statuses of a shell that finds no such command, or may not run it.
func isNoCommand(status int) bool { return status == 126 || status == 127 }
