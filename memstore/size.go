package memstore

import "strconv"

// appendDocsSize writes n bytes as the documentation's examples do: bytes below
// 1024, else one decimal of a binary unit, also for whole numbers (4.0K). The
// unit is chosen after rounding, so that 1024.0K never shows (row 6).
func appendDocsSize(dst []byte, n int64) []byte {
	if n < 1024 {
		return append(strconv.AppendInt(dst, n, 10), 'B')
	}
	const units = "KMGTPE"
	start := len(dst)
	v := float64(n)
	for i := range len(units) {
		v /= 1024
		// AppendFloat rounds as %.1f does: to nearest, ties to even.
		dst = strconv.AppendFloat(dst[:start], v, 'f', 1, 64)
		rounded := string(dst[start:])
		small := len(rounded) < len("1024.0") || (len(rounded) == len("1024.0") && rounded < "1024.0")
		if small || i == len(units)-1 {
			return append(dst, units[i])
		}
	}
	return dst
}
