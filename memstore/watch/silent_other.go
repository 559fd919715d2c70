//go:build !linux

package watch

// silentKind is always "": only where no watch can be had the watcher polls.
func silentKind(string) string { return "" }
