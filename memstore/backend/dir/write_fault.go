package dir

// faultStep names a step of a write, for fault injection in tests.
type faultStep string

const (
	stepMkdir       faultStep = "make a parent"
	stepTemp        faultStep = "create the temporary file"
	stepWrite       faultStep = "write" // fails after half of the bytes
	stepMode        faultStep = "set the mode"
	stepSync        faultStep = "fsync the file"
	stepCompare     faultStep = "read the old bytes again"
	stepLink        faultStep = "link"
	stepPlaceholder faultStep = "create the placeholder"
	stepRename      faultStep = "rename"
	stepRemove      faultStep = "remove a name"
	stepSyncDir     faultStep = "fsync the directory"
)

// faults is called before each step of a write; nil: no step fails.
type faults func(faultStep) error

func (f faults) check(step faultStep) error {
	if f == nil {
		return nil
	}
	return f(step)
}
