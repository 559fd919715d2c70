package config

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// folderName is the program's folder in the user's folder of configurations.
const folderName = "memcurator"

// fileName is the name of the configuration file in that folder.
const fileName = "config.toml"

// Path is where the file is that is read when none is named: in $XDG_CONFIG_HOME/memcurator,
// or the system's own place. "" where the environment names no home.
func Path(getenv func(string) string) string {
	base := getenv("XDG_CONFIG_HOME")
	if !filepath.IsAbs(base) { // relative ones are ignored, as the XDG specification has it
		base = systemFolder(getenv)
	}
	if base == "" {
		return ""
	}
	return filepath.Join(base, folderName, fileName)
}

// systemFolder is os.UserConfigDir with an environment that tests can replace.
func systemFolder(getenv func(string) string) string {
	if runtime.GOOS == "windows" {
		return getenv("AppData")
	}
	home := Home(getenv)
	switch {
	case home == "":
		return ""
	case runtime.GOOS == "darwin" || runtime.GOOS == "ios":
		return filepath.Join(home, "Library", "Application Support")
	default:
		return filepath.Join(home, ".config")
	}
}

// Home is the home folder that the environment names, "" where it names none.
func Home(getenv func(string) string) string {
	if runtime.GOOS == "windows" {
		return getenv("USERPROFILE")
	}
	return getenv("HOME")
}

// Read returns the bytes of a configuration file, at most one more than maxConfigBytes, so that a
// file that is too large is a mistake of [Parse].
func Read(file string) ([]byte, error) {
	// A named pipe would block for ever.
	info, err := os.Stat(file)
	if errors.Is(err, fs.ErrNotExist) {
		if _, there := os.Lstat(file); there == nil { // a missing file means no rules, but this one is meant to have some
			err = &fs.PathError{Op: "read", Path: file, Err: errors.New("it is a link that leads nowhere")}
		}
	}
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, &fs.PathError{Op: "read", Path: file, Err: errors.New("it is a directory")}
	}
	if !info.Mode().IsRegular() && file != os.DevNull { // which stands for no configuration at all
		return nil, &fs.PathError{Op: "read", Path: file, Err: errors.New("it is not a regular file")}
	}
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxConfigBytes+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", file, err)
	}
	return data, nil
}
