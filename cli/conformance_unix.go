//go:build unix

package cli

import (
	"context"
	"os/exec"
	"strings"
)

// shellCommand runs a shell command line with one more argument; it is killed when ctx ends.
func shellCommand(ctx context.Context, line, argument string) *exec.Cmd {
	return exec.CommandContext(ctx, "sh", "-c", line+" '"+strings.ReplaceAll(argument, "'", `'\''`)+"'")
}
