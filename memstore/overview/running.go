package overview

import (
	"encoding/json"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"memcurator/memstore/backend"
	"memcurator/memstore/discover"
)

// A program counts as running if its lock file names a live process that began before the file was written: VS Code writes
// its process ID into code.lock beside its user data (microsoft/vscode, src/vs/code/electron-main/main.ts and
// src/vs/platform/environment/electron-main/environmentMainService.ts, read in November 2026), Claude Code one file per process, with its
// ID and its working directory, into the folder sessions of its configuration (seen in versions of March 2026, as described in
// sverrirsig/claude-control issue 10; others write none). For other programs it is unknown.

// The names of those programs, as package discover has them.
const (
	vsCode     = "VS Code"
	claudeCode = "Claude Code"
)

const (
	// saidMost bounds what is read of such a file, in bytes; sessionsMost bounds how many are read.
	saidMost     = 64 << 10
	sessionsMost = 1000
	// clockSpare is how much the clocks of a process and of a file may differ.
	clockSpare = time.Minute
)

// programs knows which programs run, asking once.
type programs struct {
	machine  discover.Machine
	sessions func() []string // the working directories of Claude Code
}

func programsOf(m discover.Machine) *programs {
	p := &programs{machine: m}
	p.sessions = sync.OnceValue(p.claudeSessions)
	return p
}

// run reports whether the program that writes a store runs.
func (p *programs) run(f discover.Found) bool {
	switch f.Agent {
	case vsCode:
		for dir := filepath.Dir(f.Dir); filepath.Dir(dir) != dir; dir = filepath.Dir(dir) {
			if filepath.Base(dir) == "User" {
				return p.locked(filepath.Join(filepath.Dir(dir), "code.lock"))
			}
		}
	case claudeCode:
		for _, work := range p.sessions() {
			if f.Root != "" && isWithin(work, f.Root) {
				return true
			}
		}
	}
	return false
}

// locked reports whether the process whose ID is in a file is alive.
func (p *programs) locked(file string) bool {
	said, at := p.read(file, saidMost)
	pid, err := strconv.Atoi(strings.TrimSpace(string(said)))
	return err == nil && isAlive(pid, at)
}

// claudeSessions are the working directories of the sessions of Claude Code that run.
func (p *programs) claudeSessions() (list []string) {
	folder := ""
	if p.machine.Getenv != nil {
		folder = p.machine.Getenv("CLAUDE_CONFIG_DIR")
	}
	if folder == "" && p.machine.Home != "" {
		folder = filepath.Join(p.machine.Home, ".claude")
	}
	if folder == "" {
		return nil
	}
	folder = filepath.Join(folder, "sessions")
	entries, err := p.machine.Files.ReadDir(folder, sessionsMost)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		if !e.Type().IsRegular() || filepath.Ext(e.Name()) != ".json" {
			continue
		}
		var s struct {
			PID int    `json:"pid"`
			Cwd string `json:"cwd"`
		}
		said, at := p.read(filepath.Join(folder, e.Name()), saidMost)
		if json.Unmarshal(said, &s) == nil && filepath.IsAbs(s.Cwd) && isAlive(s.PID, at) {
			list = append(list, s.Cwd)
		}
	}
	return list
}

// read reads the beginning of a regular file, and when it was written; nothing where it can't.
func (p *programs) read(file string, most int64) ([]byte, time.Time) {
	info, err := p.machine.Files.Stat(file)
	if err != nil || !info.Mode().IsRegular() {
		return nil, time.Time{}
	}
	f, err := p.machine.Files.Open(file)
	if err != nil {
		return nil, time.Time{}
	}
	defer func() { _ = f.Close() }() // it was only read
	data, err := io.ReadAll(io.LimitReader(f, most))
	if err != nil {
		return nil, time.Time{}
	}
	return data, info.ModTime()
}

// isAlive reports whether a process runs that began before a file about it was written: the system reuses process IDs.
func isAlive(pid int, written time.Time) bool {
	if pid <= 0 || backend.ProcessDead(pid) {
		return false
	}
	began, ok := beganAt(pid)
	return !ok || began.Before(written.Add(clockSpare))
}

func isWithin(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && filepath.IsLocal(rel)
}

// gitMost bounds what is read of the file by which a worktree names its repository, in bytes.
const gitMost = 4 << 10

// worktreeOf is the project that another project is a worktree of, "" if it isn't a worktree.
func (p *programs) worktreeOf(root string) string {
	if root == "" {
		return ""
	}
	said, _ := p.read(filepath.Join(root, ".git"), gitMost)
	to, ok := strings.CutPrefix(strings.TrimSpace(string(said)), "gitdir: ")
	if !ok {
		return ""
	}
	if !filepath.IsAbs(to) {
		to = filepath.Join(root, to)
	}
	worktrees := filepath.Dir(filepath.Clean(to))
	git := filepath.Dir(worktrees)
	if filepath.Base(worktrees) != "worktrees" || filepath.Base(git) != ".git" {
		return ""
	}
	return filepath.Dir(git)
}
