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
	if !publicAddress(b[start:end]) || endsInside(b, end) && b[end] != ':' && b[end] != '/' || afterVersion(d.text, start) {
		return
	}
	if r := d.in.e.detector["ip-address"]; r != nil && (!lowNumbers(b[start:end]) || d.found.near(r, start, end)) {
		d.found.propose(r, start, end, r.score)
	}
}

var makeAddress = ascii.NewSet("0-9.")

// wellKnown are public servers that notes name often.
var wellKnown = ascii.NewWords("8.8.8.8 8.8.4.4 1.1.1.1 1.0.0.1 9.9.9.9 208.67.222.222 208.67.220.220 4.4.4.4 1.2.3.4 5.6.7.8 " +
	"2606:4700:4700::1111 2606:4700:4700::1001 2001:4860:4860::8888 2001:4860:4860::8844 2620:fe::fe 2620:fe::9")

// publicAddress reads four numbers with dots that name a machine out in the world: not
// private (RFC 1918, 6598), loopback, link-local, for examples (RFC 5737), for tests (RFC 2544), multicast or reserved.
func publicAddress(text []byte) bool {
	var a [4]int
	parts := bytes.Split(text, []byte("."))
	if len(parts) != 4 || wellKnown.All[string(text)] {
		return false
	}
	for i, p := range parts {
		if len(p) == 0 || len(p) > 3 || len(p) > 1 && p[0] == '0' {
			return false
		}
		for _, c := range p {
			a[i] = a[i]*10 + int(c-'0')
		}
		if a[i] > 255 {
			return false
		}
	}
	switch {
	case a[0] == 0 || a[0] == 10 || a[0] == 127 || a[0] >= 224,
		a[0] == 172 && a[1]&0xf0 == 16, a[0] == 192 && a[1] == 168, a[0] == 169 && a[1] == 254, a[0] == 100 && a[1]&0xc0 == 64,
		a[0] == 192 && a[1] == 0 && a[2] == 2, a[0] == 198 && a[1] == 51 && a[2] == 100, a[0] == 203 && a[1] == 0 && a[2] == 113,
		a[0] == 198 && a[1]&0xfe == 18:
		return false
	}
	return true
}

// lowNumbers recognises four numbers that are rather a version or a section: none above 31.
func lowNumbers(text []byte) bool {
	for _, p := range bytes.Split(text, []byte(".")) {
		if len(p) > 2 || len(p) == 2 && p[0] > '3' {
			return false
		}
	}
	return true
}

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
		wellKnown.Has(v) || isDate(v) {
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
