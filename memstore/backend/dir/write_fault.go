package dir

// faultStep names a step of a write, for fault injection in tests.
type faultStep string

const (
	stepMkdir       faultStep = "make a parent"
	stepTemp        faultStep = "create the temporary file"
	stepWrite       faultStep = "write" // when it fails, half of the bytes were written
	stepMode        faultStep = "set the mode"
	stepSync        faultStep = "fsync the file"
	stepCompare     faultStep = "read the old bytes again"
	stepLink        faultStep = "link"
	stepPlaceholder faultStep = "create the placeholder"
	stepRename      faultStep = "rename"
	stepRemove      faultStep = "remove a name"
	stepSyncDir     faultStep = "fsync the directory"
)

// faults is asked before each step of a write; nil: no step fails.
type faults func(faultStep) error

func (f faults) check(step faultStep) error {
	if f == nil {
		return nil
	}
	return f(step)
}
