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

// check runs the fault injection of step.
func (d *Dir) check(step faultStep) error {
	if d.fault == nil {
		return nil
	}
	return d.fault(step)
}
