package shape

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
)

// Checks of national numbers. Each follows the published rule of its country; the
// argument is the value as it appears in the text, with its marks.

// weighted is the sum of digits times weights.
func weighted(d []byte, weights ...int) int {
	sum := 0
	for i, w := range weights {
		sum += int(d[i]-'0') * w
	}
	return sum
}

func digitAt(d []byte, i int) int { return int(d[i] - '0') }

// validDay reports a day of the calendar, as digits of month and day.
func validDay(month, day int) bool { return month >= 1 && month <= 12 && day >= 1 && day <= 31 }

func two(d []byte, i int) int { return digitAt(d, i)*10 + digitAt(d, i+1) }

func usSSN(b []byte) bool {
	d := onlyDigits(b)
	area, group, serial := string(d[:3]), string(d[3:5]), string(d[5:])
	return len(d) == 9 && area != "000" && area != "666" && d[0] != '9' && group != "00" && serial != "0000" &&
		string(d) != "078051120" && string(d) != "123456789" && string(d) != "219099999"
}

// jpMyNumber is the check digit of the individual number (12 digits, weights modulo 11).
func jpMyNumber(b []byte) bool {
	d := onlyDigits(b)
	if len(d) != 12 || AllSame(d) {
		return false
	}
	r := weighted(d, 6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2) % 11
	check := 0
	if r > 1 {
		check = 11 - r
	}
	return digitAt(d, 11) == check
}

// krRRN is date and century digit; the check digit was given up in October 2020.
func krRRN(b []byte) bool {
	d := onlyDigits(b)
	return len(d) == 13 && validDay(two(d, 2), two(d, 4)) && d[6] >= '1' && d[6] <= '8'
}

// cnResidentID is a date and ISO 7064 MOD 11-2.
func cnResidentID(b []byte) bool {
	if len(b) != 18 || ascii.Run(b, 0, ascii.Digits) < 17 {
		return false
	}
	year := two(b, 6)*100 + two(b, 8)
	sum := weighted(b, 7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2) % 11
	last := b[17]
	if last == 'x' {
		last = 'X'
	}
	return b[0] != '0' && year >= 1900 && year <= 2100 && validDay(two(b, 10), two(b, 12)) && last == "10X98765432"[sum]
}

// AllSame reports whether all bytes are the same one.
func AllSame(d []byte) bool { return bytes.Count(d, d[:1]) == len(d) }

// frNIR is sex, year, month and the key 97 - n mod 97.
func frNIR(b []byte) bool {
	d := onlyDigits(b)
	if len(d) != 15 || bytes.IndexByte([]byte("1278"), d[0]) < 0 {
		return false
	}
	n := 0
	for _, c := range d[:13] {
		n = n*10 + int(c-'0')
	}
	return two(d, 13) == 97-n%97
}

func esDNI(b []byte) bool {
	n := 0
	v := bytes.ToUpper(b)
	switch v[0] {
	case 'X', 'Y', 'Z':
		n = int(v[0] - 'X')
	}
	d := onlyDigits(v)
	for _, c := range d {
		n = n*10 + int(c-'0')
	}
	return !AllSame(d) && string(d) != "12345678" && "TRWAGMYFPDXBNJZSQVHLCKE"[n%23] == v[len(v)-1]
}

// deSteuerID is ISO 7064 MOD 11,10; no zero in front.
func deSteuerID(b []byte) bool {
	d := onlyDigits(b)
	if len(d) != 11 || d[0] == '0' {
		return false
	}
	p := 10
	for i := range 10 {
		sum := (digitAt(d, i) + p) % 10
		if sum == 0 {
			sum = 10
		}
		p = sum * 2 % 11
	}
	return digitAt(d, 10) == (11-p)%10
}

// ukNINO has letters that are never given out.
func ukNINO(b []byte) bool {
	v := bytes.ToUpper(b)
	return !neverGiven.Has(v[:2]) && bytes.IndexByte([]byte("DFIQUV"), v[0]) < 0 && bytes.IndexByte([]byte("DFIQUVO"), v[1]) < 0
}

var neverGiven = ascii.NewWords("bg gb kn nk nt tn zz")
