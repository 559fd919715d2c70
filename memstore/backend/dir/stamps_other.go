//go:build !linux || (!amd64 && !arm64)

package dir

import (
	"errors"
	"os"
	"time"
)

// setLinkTime: the standard library sets no time of a link itself here.
func setLinkTime(*os.File, string, time.Time) error { return errors.ErrUnsupported }
