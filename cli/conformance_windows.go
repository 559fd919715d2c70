package cli

import (
	"context"
	"os/exec"
	"syscall"
)

// shellCommand runs a shell command line with one more argument; it is killed when ctx ends. cmd takes its line
// literally, quotes and all.
func shellCommand(ctx context.Context, line, argument string) *exec.Cmd {
	c := exec.CommandContext(ctx, "cmd")
	c.SysProcAttr = &syscall.SysProcAttr{CmdLine: `cmd /d /s /c "` + line + ` "` + argument + `""`}
	return c
}
