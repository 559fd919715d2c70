//go:build !linux || (!amd64 && !arm64)

package dir

import (
	"errors"
	"os"
	"time"
)

// setLinkTime fails: the standard library can't set the time of a link itself here.
func setLinkTime(*os.File, string, time.Time) error { return errors.ErrUnsupported }
