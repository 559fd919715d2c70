package config

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// While an editor saves a rules file, the file is empty, missing or half written for a moment: editors truncate and rewrite it, move
// it aside and make a new one, or remove it first. A process that read it then would run without rules.
const (
	// SettledFor is how long a file must stay as it is before it counts as saved.
	SettledFor = 200 * time.Millisecond
	// freshFor is how long after its last change a file, or its folder, may be in the middle of being saved.
	freshFor = 2 * time.Second
	// settlesWithin bounds how long a start waits for a file that changes again and again.
	settlesWithin = 5 * time.Second
	lookEvery     = 20 * time.Millisecond
)

// The errors of reading a rules file that callers distinguish.
var (
	errDangling = errors.New("it is a link that leads nowhere")
	errUnstable = errors.New("it is being changed again and again")
)

// Stamp is what a file and its folder look like without being read.
type Stamp struct {
	file   fs.FileInfo // nil: not there; of a link what it leads to
	folder fs.FileInfo // the nearest one that is there: a folder that was moved away changes the one above it
}

// StampOf looks at a file of rules.
func StampOf(file string) Stamp {
	var s Stamp
	if info, err := os.Stat(file); err == nil {
		s.file = info
	}
	for name := file; s.folder == nil && filepath.Dir(name) != name; {
		name = filepath.Dir(name)
		if info, err := os.Stat(name); err == nil {
			s.folder = info
		}
	}
	return s
}

// Same reports whether nothing has changed between two looks. What else happens in the folder counts only
// while the file is not there.
func (s Stamp) Same(other Stamp) bool {
	if s.file == nil && other.file == nil {
		return alike(s.folder, other.folder)
	}
	return alike(s.file, other.file)
}

func alike(a, b fs.FileInfo) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime()) && a.Mode() == b.Mode()
}

// empty reports whether the file is missing or blank, as in the middle of a save.
func (s Stamp) empty() bool { return s.file == nil || s.blank() }

// blank reports whether the file is there with nothing in it. Then its age means nothing at first: while a system truncates a
// file it has its new size already, and its old time still.
func (s Stamp) blank() bool { return s.file != nil && s.file.Mode().IsRegular() && s.file.Size() == 0 }

// fresh reports whether the file may be in the middle of a save. A folder matters where the file is empty or not there;
// other files in it come and go. A time in the future is fresh too: clocks differ, or were set back.
func (s Stamp) fresh(now time.Time) bool {
	young := func(info fs.FileInfo) bool { return info != nil && now.Sub(info.ModTime()) < freshFor }
	return young(s.file) || s.empty() && young(s.folder)
}

// ahead reports whether the last change is too far in the future for its age to mean anything.
func (s Stamp) ahead(now time.Time) bool {
	far := func(info fs.FileInfo) bool { return info != nil && info.ModTime().Sub(now) > freshFor }
	return far(s.file) || s.file == nil && far(s.folder)
}

// ReadSettled is [Read] for a process that starts: it waits while the file may be in the middle of a save. One that is
// empty or missing counts as such once its last change is 2 s ago, any other once it has been the same for 200 ms, and so
// long an empty one is watched in any case.
// A file that never comes to rest is errUnstable.
func ReadSettled(file string) ([]byte, error) {
	return settling{now: time.Now, sleep: time.Sleep, load: Read}.read(file)
}

// settling is the clock that a read waits by, and how it reads.
type settling struct {
	now   func() time.Time
	sleep func(time.Duration)
	load  func(file string) ([]byte, error)
}

func (w settling) read(file string) ([]byte, error) {
	was := StampOf(file)
	begun, seen := w.now(), was.file != nil
	if !was.fresh(begun) && !was.blank() {
		data, err := w.load(file)
		if StampOf(file).Same(was) { // else a save has just begun
			return data, err
		}
	}
	for since := begun; ; w.sleep(lookEvery) {
		is, now := StampOf(file), w.now()
		if !is.Same(was) {
			was, since, seen = is, now, seen || is.file != nil
		}
		if !seen && now.Sub(begun) >= freshFor {
			return w.load(file) // only other files of the folder change
		}
		quiet := now.Sub(since)
		if quiet >= SettledFor && !(is.empty() && quiet < freshFor && is.fresh(now) && !is.ahead(now)) {
			data, err := w.load(file)
			if StampOf(file).Same(is) {
				return data, err
			}
		}
		if now.Sub(begun) >= settlesWithin { // after a look: a busy machine may have left no time for one before
			return nil, &fs.PathError{Op: "read", Path: file, Err: errUnstable}
		}
	}
}

// Blank reports whether the text of a file of rules says nothing, not even in a comment.
func Blank(text []byte) bool {
	return len(bytes.TrimSpace(bytes.TrimPrefix(text, []byte("\ufeff")))) == 0
}

// dangling reports whether a path is missing because a link on the way to it leads nowhere.
func dangling(file string) bool {
	for {
		info, err := os.Lstat(file)
		if err == nil {
			if info.Mode()&fs.ModeSymlink == 0 {
				return false
			}
			_, err = os.Stat(file)
			return err != nil
		}
		up := filepath.Dir(file)
		if up == file {
			return false
		}
		file = up
	}
}
