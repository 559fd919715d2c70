//go:build !unix

package memtest

import "errors"

func makeFIFO(string) error { return errors.ErrUnsupported }
