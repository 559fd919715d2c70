package integrate

import (
	"context"
	"os/exec"
	"strconv"
	"syscall"
)

// shellCommand runs a command line of the shell with one more argument; it is killed with
// its children when ctx ends. cmd takes its line as it is, quotes and all.
func shellCommand(ctx context.Context, line, argument string) *exec.Cmd {
	c := exec.CommandContext(ctx, "cmd")
	c.SysProcAttr = &syscall.SysProcAttr{CmdLine: `cmd /d /s /c "` + line + ` "` + argument + `""`}
	c.Cancel = func() error {
		// Children do not die with their parent here; the tool of the system knows them.
		if err := exec.Command("taskkill", "/T", "/F", "/PID", strconv.Itoa(c.Process.Pid)).Run(); err != nil {
			return c.Process.Kill()
		}
		return nil
	}
	return c
}

// killChildren does nothing: the children of a process that has ended are not told from others.
func killChildren(*exec.Cmd) {}

// isNoCommand recognises the status of a shell that finds no such command.
func isNoCommand(status int) bool { return status == 9009 }
