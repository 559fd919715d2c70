package kit

import (
	"memcurator/render/loadlimit"
	"memcurator/render/theme"
)

// GaugePaint is the color of a gauge. What it says is in the bar and in [loadlimit.Gauge.State] as well.
func GaugePaint(g loadlimit.Gauge, st *theme.Styles) theme.Paint {
	switch g.Level() {
	case loadlimit.Unlimited:
		return st.Dim
	case loadlimit.Near:
		return st.Warning
	case loadlimit.Full, loadlimit.Past:
		return st.Error
	}
	return st.Success
}
