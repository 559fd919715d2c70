// Package discover finds what agents keep on this machine: memories (those of the configuration, and those in the places where agents
// keep them) and transcripts of conversations. Where each agent keeps them is a row of one table, [agents]. Lists are made
// of names, sizes and times; only the beginning of transcripts and the settings of agents are read, and nothing is changed. What is
// found depends on a [Machine] alone, which tests make up. Called by cli and memstore/overview.
package discover

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"memcurator/memstore/backend/quietfile"
	"memcurator/memstore/load"
)

// The bounds of a look at one directory: more is reported as "more".
const (
	maxEntries = 20_000
	maxDepth   = 32
)

// Place is a directory of the configuration.
type Place struct{ Name, Dir string }

// Kind says what a store consists of, in the words of the column kind of "stores --json".
type Kind string

// The kinds that discovery knows.
const (
	KindDir          Kind = "dir"          // a directory of files
	KindInstructions Kind = "instructions" // the instruction files of a folder, such as CLAUDE.md
	KindGraph        Kind = "graph"        // a file of entities and relations, of the MCP memory server
	// KindSQLite is a database of a program that can only be looked at.
	KindSQLite   Kind = "sqlite"
	KindCCMemory Kind = "cc-memory" // a database of cc-memory
)

// OfProgram reports whether stores of the kind are files of another program, each with records that it shows as files.
func (k Kind) OfProgram() bool { return k != KindDir && k != KindInstructions && k != "" }

// Found is a store, or a directory that may be one.
type Found struct {
	Name  string // "" if it has none
	Path  string // names the store wherever DIR is taken, as it was named or found; absolute if it was found
	Real  string // Path without links; "" if that is unknown, or there is none to count
	Kind  Kind
	Agent string // whose memory it is, as the interface shows it; "" if the place doesn't show it
	// Project is what the memory is about: the path of a project, "subagent NAME", a path with that or "team memory" behind a comma, or ""
	// if it belongs to the user or the place doesn't show it. Never a name that an agent made up for a folder of its own.
	Project string
	Root    string   // the folder of the project on this machine, gone if Stranded; "" if it is unknown or the store belongs to no project
	Others  []string // other projects of which it is the memory, since the agent gives all of them one folder
	Load    load.Rule
	Quirks  []string // what a user should know about the agent's own ways with the store, a clause each
	Files   int
	Bytes   int64
	More    bool      // there are more files than were counted
	Newest  time.Time // when a file was last written; zero if there is none
	Missing bool      // named, but not there
	// Stranded is set if the transcripts beside the store, or the agent's own list, name its project, and none of these directories exists.
	Stranded bool
	// Problem is why the store can't be read, as a sentence without a full stop; "" if it can.
	Problem string
}

// Machine is all that discovery depends on: what it finds is a function of these values.
type Machine struct {
	Home   string              // the home folder of the user; "" where there is none
	Getenv func(string) string // looks up a variable; nil: none is set

	known func() map[string][]string // [claudeKnown], read once in a run; nil: it is read again
}

// Local is this machine, for a user with a home folder and an environment.
func Local(home string, getenv func(string) string) Machine {
	return Machine{Home: home, Getenv: getenv}
}

// settings is the folder in which programs keep what is the user's; "" where there is none.
func (m Machine) settings() string {
	switch runtime.GOOS {
	case "windows":
		return m.setOr("APPDATA", m.Home, "AppData", "Roaming")
	case "darwin":
		return under(m.Home, "Library", "Application Support")
	}
	return m.setOr("XDG_CONFIG_HOME", m.Home, ".config")
}

// work is the working directory, "" if it is unknown.
func (m Machine) work() string {
	dir, err := filepath.Abs("")
	if err != nil {
		return ""
	}
	if at := trimEnd(dir); at != "" && !strings.HasSuffix(at, ":") {
		return at
	}
	return dir
}

// absolute is a path from the root, "" if there is none: variables may have a relative one.
func (m Machine) absolute(path string) string {
	if path == "" || filepath.IsAbs(path) {
		return path
	}
	full, err := filepath.Abs(path)
	if err != nil {
		return ""
	}
	return full
}

// variable is the value of a variable of the environment, "" if it isn't set.
func (m Machine) variable(name string) string {
	if m.Getenv == nil {
		return ""
	}
	return m.Getenv(name)
}

// setOr is the folder that a variable names, or one below a folder.
func (m Machine) setOr(variable, dir string, names ...string) string {
	if set := m.variable(variable); set != "" {
		return set
	}
	return under(dir, names...)
}

func (m Machine) isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// spelled is a path as the disk has it: on Windows agents write one in any case.
func (m Machine) spelled(path string) string {
	if runtime.GOOS == "windows" {
		return resolve(path)
	}
	return path
}

// openQuietly opens a file so that reading leaves no trace in its access time, where the system allows that.
func openQuietly(path string) (*os.File, error) { return quietfile.Open(path, 0) }

// resolve is a path from the root without links in it; of one that isn't there, with them.
func resolve(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if full, err := filepath.Abs(path); err == nil {
		path = full
	}
	return path
}

// readDir reads at most n entries of a folder, all where n is 0, in any order, as quietly as openQuietly.
func readDir(path string, n int) ([]fs.DirEntry, error) {
	f, err := quietfile.Open(path, quietfile.Directory)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was only read
	if n == 0 {
		n = -1
	}
	entries, err := f.ReadDir(n)
	if errors.Is(err, io.EOF) { // an empty folder
		err = nil
	}
	return entries, err
}
