//go:build unix

package cli

import (
	"context"
	"os/exec"
	"strings"
	"syscall"
)

// shellCommand runs a shell command line with one more argument, in its own process group, which is killed as a whole when ctx ends.
func shellCommand(ctx context.Context, line, argument string) *exec.Cmd {
	quoted := "'" + strings.ReplaceAll(argument, "'", `'\''`) + "'"
	c := exec.CommandContext(ctx, "sh", "-c", line+" "+quoted)
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	c.Cancel = func() error { return syscall.Kill(-c.Process.Pid, syscall.SIGKILL) }
	return c
}
