package cli

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"
)

const versionHelp = `Print the version of memcurator, of the Go that built it, and the platform.

Usage:
  memcurator version
  memcurator --version        the same in one line
`

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print version and platform",
		Long:  versionHelp,
		Args:  noArguments,
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprint(a.out, buildVersion().lines())
			return err
		},
		ValidArgsFunction: cobra.NoFileCompletions,
	}
}

// versionFlag adds --version to the program itself. The one that cobra offers would be printed
// by text/template, which finds methods by their names at run time: the linker then keeps every
// exported method of every type, some megabytes of the binary.
func versionFlag(root *cobra.Command) {
	root.Flags().BoolP("version", "v", false, "print the version in one line")
}

// versionOr runs next unless --version was given.
func (a *app) versionOr(next func(*cobra.Command, []string) error) func(*cobra.Command, []string) error {
	return func(c *cobra.Command, args []string) error {
		if asked, _ := c.Flags().GetBool("version"); !asked {
			return next(c, args)
		}
		_, err := fmt.Fprintln(a.out, buildVersion().line())
		return err
	}
}

// build is what the binary knows of its own making.
type build struct {
	version  string // of the module, "devel" for a build in a clone
	revision string // of the source, "" where unknown
	modified bool   // the source had uncommitted changes
}

func buildVersion() build {
	b := build{version: "devel"}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if v := info.Main.Version; v != "(devel)" {
		b.version = cmp.Or(v, b.version)
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.revision = s.Value
		case "vcs.modified":
			b.modified = s.Value == "true"
		}
	}
	return b
}

func (b build) source() string {
	switch {
	case b.revision == "":
		return ""
	case b.modified:
		return b.revision + ", modified"
	}
	return b.revision
}

func (b build) line() string {
	source := ""
	if s := b.source(); s != "" {
		source = " (" + s + ")"
	}
	return fmt.Sprintf("%s %s%s %s %s/%s", program, b.version, source, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

func (b build) lines() string {
	return fmt.Sprintf("%s %s\nrevision %s\ngo       %s\nplatform %s/%s\n",
		program, b.version, cmp.Or(b.source(), "unknown"), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
