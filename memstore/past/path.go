package past

import "strings"

// MovedTo is where a rename moved path, which may be below the renamed folder; false: the revision did not move it.
func (r *Revision) MovedTo(path string) (string, bool) {
	if r.OldPath == "" {
		return "", false
	}
	rest, ok := strings.CutPrefix(path, r.OldPath)
	if !ok || rest != "" && rest[0] != '/' {
		return "", false
	}
	return r.Path + rest, true
}

// Touches reports whether a revision alters what view returns for path: the file
// itself, something below a listed folder, or a folder above it that was removed.
func (r *Revision) Touches(path string) bool {
	for _, p := range []string{r.Path, r.OldPath} {
		if p == "" {
			continue
		}
		if p == path || strings.HasPrefix(p, path+"/") || strings.HasPrefix(path, p+"/") {
			return true
		}
	}
	return false
}
