package kit

import (
	"fmt"
	"time"
)

// Left formats the time that remains, in a few cells: 42s, 23m, 5h12m, 3d, or expired. stays is how long that is true; 0: from now on.
func Left(d time.Duration) (said string, stays time.Duration) {
	unit := time.Minute
	switch {
	case d <= 0:
		return "expired", 0
	case d < time.Minute:
		said, unit = fmt.Sprintf("%ds", int(d.Seconds())), time.Second
	case d < time.Hour:
		said = fmt.Sprintf("%dm", int(d.Minutes()))
	case d < 48*time.Hour:
		said = fmt.Sprintf("%dh%02dm", int(d.Hours()), int(d.Minutes())%60)
	default:
		said, unit = fmt.Sprintf("%dd", int(d.Hours())/24), 24*time.Hour
	}
	return said, d%unit + 1
}
