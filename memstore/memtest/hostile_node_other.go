//go:build unix && !linux

package memtest

import "errors"

// makeNode is for root alone on these systems.
func makeNode(string, uint32) error { return errors.ErrUnsupported }
