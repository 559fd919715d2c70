package scrub

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/shape"
)

// maxAddress bounds an IP address, in bytes.
const maxAddress = 64

// address looks for an IP address.
func (d *numbers) address(start int) {
	b := d.text
	end := ascii.Run(b[:min(len(b), start+maxAddress)], start, makeAddress)
	for end > start && b[end-1] == '.' {
		end--
	}
	if bytes.Count(b[start:end], []byte(".")) != 3 || start > 0 && (b[start-1] == 'v' || b[start-1] == '.' || b[start-1] == '-') {
		return
	}
	if !shape.IsPublicAddress(b[start:end]) || endsInside(b, end) && b[end] != ':' && b[end] != '/' || afterVersion(d.text, start) {
		return
	}
	if r := d.in.e.detector["ip-address"]; r != nil && (!shape.LowNumbers(b[start:end]) || d.found.near(r, start, end)) {
		d.found.propose(r, start, end, r.Score)
	}
}

var makeAddress = ascii.NewSet("0-9.")

// address6 looks for a public IPv6 address at a run of hex digits.
func (d *numbers) address6(start int) {
	b := d.text
	end := ascii.Run(b[:min(len(b), start+maxAddress)], start, sixBytes)
	for end > start && b[end-1] == ':' && !bytes.HasSuffix(b[start:end], []byte("::")) {
		end--
	}
	v := b[start:end]
	if end-start < 8 || start > 1 && (b[start-1] == ':' && sixBytes[b[start-2]] || ascii.Alnums[b[start-1]]) || end < len(b) &&
		(ascii.Alnums[b[end]] || b[end] == '.' && !shape.LastBefore(b, end+1)) {
		return
	}
	groups, empty := 0, bytes.Count(v, []byte("::"))
	for _, g := range bytes.Split(v, []byte(":")) {
		if len(g) > 4 {
			return
		}
		if len(g) > 0 {
			groups++
		}
	}
	first := bytes.ToLower(v[:4])
	if empty > 1 || empty == 0 && groups != 8 || groups < 3 || groups > 8 || first[0] != '2' && first[0] != '3' ||
		bytes.HasPrefix(bytes.ToLower(v), []byte("2001:db8")) || bytes.HasPrefix(bytes.ToLower(v), []byte("2001:0db8")) ||
		shape.WellKnown.Has(v) || shape.IsDate(v) {
		return
	}
	if v[4] != ':' {
		return
	}
	d.found.detect("ip-address", start, end)
}

var sixBytes = ascii.NewSet("0-9a-fA-F:")

// afterVersion reports whether a number is called a version.
func afterVersion(b []byte, start int) bool {
	return versions.In(b[ascii.LineStart(b, start, 24):start])
}

// versions are words before a number with dots that is no address.
var versions = ascii.NewPhrases("version", "ver.", "release", "build", "バージョン", "버전", "版本", "chrome/", "firmware", "section", "§",
	"update", "upgrade")
