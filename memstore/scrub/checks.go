package scrub

// checks are the tests that a rule can name. They get the value as it stands in the view.
var checks = map[string]func([]byte) bool{
	"luhn": luhn,
	"iban": iban,
}

// onlyDigits drops everything that is no digit.
func onlyDigits(b []byte) []byte {
	out := make([]byte, 0, 24)
	for _, c := range b {
		if digits[c] {
			out = append(out, c)
		}
	}
	return out
}

func luhn(b []byte) bool {
	d := onlyDigits(b)
	sum := 0
	for i := range d {
		n := int(d[len(d)-1-i] - '0')
		if i%2 == 1 {
			if n *= 2; n > 9 {
				n -= 9
			}
		}
		sum += n
	}
	return len(d) > 1 && sum%10 == 0
}

// iban checks the length of the country and the remainder by 97 (ISO 13616).
func iban(b []byte) bool {
	var v []byte
	for _, c := range b {
		if alnums[c] {
			if lowers[c] {
				c -= 'a' - 'A'
			}
			v = append(v, c)
		}
	}
	if len(v) < 5 || ibanLength[string(v[:2])] != len(v) {
		return false
	}
	rest := 0
	for _, c := range append(v[4:len(v):len(v)], v[:4]...) {
		if digits[c] {
			rest = (rest*10 + int(c-'0')) % 97
		} else {
			rest = (rest*100 + int(c-'A') + 10) % 97
		}
	}
	return rest == 1
}

var ibanLength = map[string]int{
	"AD": 24, "AE": 23, "AL": 28, "AT": 20, "AZ": 28, "BA": 20, "BE": 16, "BG": 22, "BH": 22, "BR": 29, "BY": 28, "CH": 21, "CR": 22, "CY": 28, "CZ": 24,
	"DE": 22, "DK": 18, "DO": 28, "EE": 20, "EG": 29, "ES": 24, "FI": 18, "FO": 18, "FR": 27, "GB": 22, "GE": 22, "GI": 23, "GL": 18, "GR": 27, "GT": 28,
	"HR": 21, "HU": 28, "IE": 22, "IL": 23, "IQ": 23, "IS": 26, "IT": 27, "JO": 30, "KW": 30, "KZ": 20, "LB": 28, "LC": 32, "LI": 21, "LT": 20, "LU": 20,
	"LV": 21, "LY": 25, "MC": 27, "MD": 24, "ME": 22, "MK": 19, "MR": 27, "MT": 31, "MU": 30, "NL": 18, "NO": 15, "PK": 24, "PL": 28, "PS": 29, "PT": 25,
	"QA": 29, "RO": 24, "RS": 22, "SA": 24, "SC": 31, "SD": 18, "SE": 24, "SI": 19, "SK": 24, "SM": 27, "ST": 25, "SV": 28, "TL": 23, "TN": 24, "TR": 26,
	"UA": 29, "VA": 22, "VG": 24, "XK": 20,
}
