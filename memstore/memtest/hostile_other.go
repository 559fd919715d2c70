//go:build !unix

package memtest

import "errors"

// special makes nothing: these systems have no such paths in a folder.
func (w *hostileWriter) special() {}

func seal(string) error { return errors.ErrUnsupported }
