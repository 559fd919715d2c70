package journal

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"memcurator/memstore/past"
)

// moveAside renames the files of a damaged journal; aside is "" where there was no database among them.
func moveAside(dir string) (aside string, err error) {
	file := filepath.Join(dir, fileName)
	if isOpenElsewhere(file) {
		return "", &past.Error{Op: "set aside", Err: past.ErrBusy}
	}
	name := file + asideMark + time.Now().Format("20060102-150405")
	for _, end := range []string{logSuffix, "-shm", ""} { // the log first: beside another database it would be no log
		err := os.Rename(file+end, name+end)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", failed("set aside", err)
		}
		if err == nil && end == "" {
			aside = name
		}
	}
	return aside, nil
}
