//go:build !unix

package findings

import "io/fs"

// linkOf knows nothing: this system does not say how many names a file has.
func linkOf(fs.FileInfo) (link, bool) { return link{}, false }
