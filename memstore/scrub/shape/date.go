package shape

import (
	"memcurator/memstore/scrub/ascii"
)

// IsDate recognises dates and times: 2026-11-21, 21.11.2026, 14:31:37.
func IsDate(v []byte) bool {
	if len(v) < 6 || len(v) > 35 || ascii.Run(v, 0, dateBytes) != len(v) {
		return false
	}
	n := ascii.Run(v, 0, ascii.Digits)
	if n+1 >= len(v) || !dateMarks[v[n]] {
		return false
	}
	m := ascii.Run(v, n+1, ascii.Digits) - n - 1
	switch {
	case n == 4:
		return (v[0] == '1' && v[1] == '9' || v[0] == '2' && v[1] <= '1') && m <= 2 && m > 0
	case n <= 2 && m <= 2 && m > 0:
		end := n + 1 + m
		return end < len(v) && v[end] == v[n] || v[n] == ':'
	}
	return false
}

var (
	dateBytes = ascii.NewSet("0-9/.:TZ+ -")
	dateMarks = ascii.NewSet("/.:-")
)

// IsDay reports eight digits that are a date: 20261121.
func IsDay(v []byte) bool {
	return len(v) == 8 && (v[0] == '2' && v[1] == '0' || v[0] == '1' && v[1] == '9') && v[4] <= '1' && v[6] <= '3'
}
