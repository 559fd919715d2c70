package session

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
)

// Build is the build information in the binary.
type Build struct {
	Version  string // of the module; "devel" for a build in a clone
	Revision string // of the source; "" if unknown
	Modified bool   // the source had uncommitted changes
}

func BuildVersion() Build {
	b := Build{Version: "devel"}
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return b
	}
	if v := info.Main.Version; v != "(devel)" {
		b.Version = cmp.Or(v, b.Version)
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Revision = s.Value
		case "vcs.modified":
			b.Modified = s.Value == "true"
		}
	}
	return b
}

func (b Build) source() string {
	switch {
	case b.Revision == "":
		return ""
	case b.Modified:
		return b.Revision + ", modified"
	}
	return b.Revision
}

// String is the version with its source, the compiler and the platform.
func (b Build) String() string {
	source := ""
	if s := b.source(); s != "" {
		source = " (" + s + ")"
	}
	return fmt.Sprintf("%s %s%s %s %s/%s", Program, b.Version, source, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}
