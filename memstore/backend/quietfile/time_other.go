//go:build !linux

package quietfile

// leaveTime is nothing that this system can be asked for.
const leaveTime = 0
