//go:build !unix

package findings

import "io/fs"

// linkOf can't tell: this system doesn't report how many names a file has.
func linkOf(fs.FileInfo) (link, bool) { return link{}, false }
