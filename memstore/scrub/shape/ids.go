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

// krRRNSum is krRRN with the check digit, for numbers written without a dash.
func krRRNSum(b []byte) bool {
	d := onlyDigits(b)
	return krRRN(b) && digitAt(d, 12) == (11-weighted(d, 2, 3, 4, 5, 6, 7, 8, 9, 2, 3, 4, 5)%11)%10
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

// inAadhaar is Verhoeff's check; the first digit is 2 to 9.
func inAadhaar(b []byte) bool {
	d := onlyDigits(b)
	if len(d) != 12 || d[0] < '2' {
		return false
	}
	c := 0
	for i := range d {
		c = verhoeffD[c][verhoeffP[i%8][d[len(d)-1-i]-'0']]
	}
	return c == 0
}

var verhoeffD = [10][10]int{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 2, 3, 4, 0, 6, 7, 8, 9, 5}, {2, 3, 4, 0, 1, 7, 8, 9, 5, 6},
	{3, 4, 0, 1, 2, 8, 9, 5, 6, 7}, {4, 0, 1, 2, 3, 9, 5, 6, 7, 8},
	{5, 9, 8, 7, 6, 0, 4, 3, 2, 1}, {6, 5, 9, 8, 7, 1, 0, 4, 3, 2}, {7, 6, 5, 9, 8, 2, 1, 0, 4, 3}, {8, 7, 6, 5, 9, 3, 2, 1, 0, 4},
	{9, 8, 7, 6, 5, 4, 3, 2, 1, 0}}

var verhoeffP = [8][10]int{{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}, {1, 5, 7, 6, 2, 8, 3, 0, 9, 4}, {5, 8, 0, 3, 7, 9, 6, 1, 4, 2},
	{8, 9, 1, 6, 0, 4, 3, 5, 2, 7},
	{9, 4, 5, 3, 1, 2, 6, 8, 7, 0}, {4, 2, 8, 6, 5, 7, 3, 9, 0, 1}, {2, 7, 9, 3, 8, 0, 6, 4, 1, 5}, {7, 0, 4, 6, 9, 1, 3, 2, 5, 8}}

func brCPF(b []byte) bool {
	d := onlyDigits(b)
	if len(d) != 11 || AllSame(d) {
		return false
	}
	one := weighted(d, 10, 9, 8, 7, 6, 5, 4, 3, 2) * 10 % 11 % 10
	other := weighted(d, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2) * 10 % 11 % 10
	return digitAt(d, 9) == one && digitAt(d, 10) == other
}

// frNIR is sex, year, month and the key 97 - n mod 97; Corsica has a letter.
func frNIR(b []byte) bool {
	n, count := 0, 0
	var key int
	corsica := 0
	for _, c := range b {
		switch {
		case ascii.Digits[c]:
			count++
			if count <= 13 {
				n = n*10 + int(c-'0')
			} else {
				key = key*10 + int(c-'0')
			}
		case c == 'A' || c == 'B':
			if count != 6 {
				return false
			}
			count++
			n *= 10
			corsica = map[byte]int{'A': 1000000, 'B': 2000000}[c]
		}
	}
	first := b[0]
	return count == 15 && (first == '1' || first == '2' || first == '7' || first == '8') && key == 97-(n-corsica)%97
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

// itCodiceFiscale is the control letter of the sixteen characters.
func itCodiceFiscale(b []byte) bool {
	if len(b) != 16 {
		return false
	}
	odd := [26]int{1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23}
	sum := 0
	for i, c := range bytes.ToUpper(b[:15]) {
		n := int(c - 'A')
		if ascii.Digits[c] {
			n = int(c - '0')
		}
		if n < 0 || n > 25 {
			return false
		}
		if i%2 == 0 {
			n = odd[n]
		}
		sum += n
	}
	return b[15]&^0x20 == byte('A'+sum%26)
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

func nlBSN(b []byte) bool {
	d := onlyDigits(b)
	return len(d) == 9 && !AllSame(d) && (weighted(d, 9, 8, 7, 6, 5, 4, 3, 2)-digitAt(d, 8))%11 == 0
}

func plPESEL(b []byte) bool {
	d := onlyDigits(b)
	return len(d) == 11 && validDay(two(d, 2)%20, two(d, 4)) && (10-weighted(d, 1, 3, 7, 9, 1, 3, 7, 9, 1, 3)%10)%10 == digitAt(d, 10)
}

// ukNINO has letters that are never given out.
func ukNINO(b []byte) bool {
	v := bytes.ToUpper(b)
	return !neverGiven.Has(v[:2]) && bytes.IndexByte([]byte("DFIQUV"), v[0]) < 0 && bytes.IndexByte([]byte("DFIQUVO"), v[1]) < 0
}

var neverGiven = ascii.NewWords("bg gb kn nk nt tn zz")

func ukNHS(b []byte) bool {
	d := onlyDigits(b)
	return len(d) == 10 && !AllSame(d) && (11-weighted(d, 10, 9, 8, 7, 6, 5, 4, 3, 2)%11)%11 == digitAt(d, 9)
}

func auTFN(b []byte) bool {
	d := onlyDigits(b)
	return len(d) == 9 && !AllSame(d) && weighted(d, 1, 4, 3, 7, 5, 8, 6, 9, 10)%11 == 0
}

// chAHV is the check digit of EAN-13.
func chAHV(b []byte) bool {
	d := onlyDigits(b)
	return len(d) == 13 && (10-weighted(d, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3, 1, 3)%10)%10 == digitAt(d, 12)
}

// twID is a letter for the place and a weighted sum.
func twID(b []byte) bool {
	place := map[byte]int{'A': 10, 'B': 11, 'C': 12, 'D': 13, 'E': 14, 'F': 15, 'G': 16, 'H': 17, 'I': 34, 'J': 18, 'K': 19, 'L': 20, 'M': 21,
		'N': 22, 'O': 35, 'P': 23, 'Q': 24, 'R': 25, 'S': 26, 'T': 27, 'U': 28, 'V': 29, 'W': 32, 'X': 30, 'Y': 31, 'Z': 33}[b[0]]
	return place > 0 && (place/10+place%10*9+weighted(b[1:], 8, 7, 6, 5, 4, 3, 2, 1, 1))%10 == 0
}

// sgNRIC is the letter at the end of a Singaporean number.
func sgNRIC(b []byte) bool {
	sum := weighted(b[1:], 2, 7, 6, 5, 4, 3, 2)
	if b[0] == 'T' || b[0] == 'G' {
		sum += 4
	}
	table := "JZIHGFEDCBA"
	if b[0] == 'F' || b[0] == 'G' {
		table = "XWUTRQPNMLK"
	}
	return table[sum%11] == b[8]
}

// dated checks the two or four digits of a birthday at the start of a Nordic number.
func seNumber(b []byte) bool {
	d := onlyDigits(b)
	if len(d) == 12 {
		d = d[2:]
	}
	return len(d) == 10 && validDay(two(d, 2), two(d, 4)%60) && luhn(d)
}

func fiHETU(b []byte) bool {
	d := onlyDigits(b[:6])
	n := onlyDigits(b[7:10])
	if len(d) != 6 || len(n) != 3 || !validDay(two(d, 2), two(d, 0)) {
		return false
	}
	sum := 0
	for _, c := range append(d, n...) {
		sum = sum*10 + int(c-'0')
	}
	return "0123456789ABCDEFHJKLMNPRSTUVWXY"[sum%31] == b[10]
}

func beNISS(b []byte) bool {
	d := onlyDigits(b)
	if len(d) != 11 || !validDay(max(two(d, 2), 1), max(two(d, 4), 1)) {
		return false
	}
	n := 0
	for _, c := range d[:9] {
		n = n*10 + int(c-'0')
	}
	key := two(d, 9)
	return key == 97-n%97 || key == 97-(n+2000000000)%97
}

func birthDated(b []byte) bool {
	d := onlyDigits(b)
	return len(d) >= 6 && validDay(two(d, 2), two(d, 4))
}
