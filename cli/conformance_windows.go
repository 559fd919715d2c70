package cli

import (
	"context"
	"os/exec"
	"strconv"
	"syscall"
)

// shellCommand runs a shell command line with one more argument; it is killed with its children when ctx ends. cmd takes its line
// literally, quotes and all.
func shellCommand(ctx context.Context, line, argument string) *exec.Cmd {
	c := exec.CommandContext(ctx, "cmd")
	c.SysProcAttr = &syscall.SysProcAttr{CmdLine: `cmd /d /s /c "` + line + ` "` + argument + `""`}
	c.Cancel = func() error {
		// Children outlive their parent on Windows; taskkill can find them.
		if err := exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(c.Process.Pid)).Run(); err != nil {
			return c.Process.Kill()
		}
		return nil
	}
	return c
}

// killChildren does nothing: children of a process that has ended can't be identified.
func killChildren(*exec.Cmd) {}

// isNoCommand recognizes the status of a shell that can't find a command.
func isNoCommand(status int) bool { return status == 9009 }
