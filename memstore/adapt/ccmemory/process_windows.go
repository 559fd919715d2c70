package ccmemory

import "errors"

// servers can't be listed there.
func servers() ([]int, error) { return nil, errors.ErrUnsupported }
