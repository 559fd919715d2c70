//go:build !linux

package watch

// silentKind is always "": the watcher polls only if it can't get a watch.
func silentKind(string) string { return "" }
