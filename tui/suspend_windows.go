package tui

// inShell reports that no shell can stop a process and continue it.
func inShell() bool { return false }
