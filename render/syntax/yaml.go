package syntax

import "bytes"

// Only YAML has block scalars: text below its name that ends at a line indented no deeper than the name, whatever its lines look like.

// blockBelow is the state after a line that introduces such a block, "key: |" or "- >-", else 0.
func blockBelow(line []byte) uint8 {
	if at := bytes.Index(line, []byte(" #")); at >= 0 {
		line = line[:at]
	}
	line = bytes.TrimRight(line, " \t\r")
	sign := len(line)
	for sign > 0 && (line[sign-1] == '+' || line[sign-1] == '-' || isDigit(line[sign-1])) {
		sign--
	}
	if sign == 0 || len(line)-sign > 2 || line[sign-1] != '|' && line[sign-1] != '>' {
		return 0
	}
	before := bytes.TrimRight(line[:sign-1], " \t")
	if last := before[bytes.LastIndexAny(before, " \t")+1:]; len(last) > 0 && (last[0] == '!' || last[0] == '&') {
		before = bytes.TrimRight(before[:len(before)-len(last)], " \t") // a tag or an anchor
	}
	if len(before) == 0 || len(before) == sign-1 || before[len(before)-1] != ':' && before[len(before)-1] != '-' {
		return 0
	}
	// The name, or else the last list marker.
	at, mark := 0, 0
	for at < len(before) && (before[at] == ' ' || before[at] == '-' && (at+1 == len(before) || before[at+1] == ' ')) {
		if before[at] == '-' {
			mark = at
		}
		at++
	}
	if at == len(before) {
		at = mark
	}
	return inBlock + uint8(min(at, 255-int(inBlock)))
}

// within reports whether a line belongs to a block scalar below that column.
func within(line []byte, column int) bool {
	text := bytes.TrimLeft(line, " ")
	return len(bytes.TrimSpace(text)) == 0 || len(line)-len(text) > column
}

// dateAt is the length of a date at the start of p, with or without a time; 0: none.
func dateAt(p []byte) int {
	n := shaped(p, "0000-00-00")
	if n == 0 {
		return 0
	}
	if n < len(p) && (p[n] == 'T' || p[n] == 't' || p[n] == ' ') {
		if t := shaped(p[n+1:], "00:00"); t > 0 {
			n += 1 + t
			n += shaped(p[n:], ":00")
			for n < len(p) && (p[n] == '.' && n+1 < len(p) && isDigit(p[n+1]) || isDigit(p[n])) {
				n++
			}
			if n < len(p) && (p[n] == 'Z' || p[n] == 'z') {
				n++
			} else {
				n += max(shaped(p[n:], "+00:00"), shaped(p[n:], "-00:00"))
			}
		}
	}
	if n < len(p) && isWord(p[n]) {
		return 0
	}
	return n
}

// shaped is the length of shape if p begins with it, where each 0 matches a digit.
func shaped(p []byte, shape string) int {
	if len(p) < len(shape) {
		return 0
	}
	for i := range len(shape) {
		if c := shape[i]; c == '0' && !isDigit(p[i]) || c != '0' && p[i] != c {
			return 0
		}
	}
	return len(shape)
}
