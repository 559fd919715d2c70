package notesgen

import (
	"encoding/base64"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strconv"
	"strings"
)

// The alphabets of tokens.
const (
	lower    = "abcdefghijklmnopqrstuvwxyz"
	upper    = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	digits   = "0123456789"
	hexes    = "0123456789abcdef"
	letters  = lower + upper
	alnum    = letters + digits
	word64   = alnum + "_-"
	base64s  = alnum + "+/"
	base32s  = upper + "234567"
	awsTail  = upper + "234567"
	punct    = "!#$%&*+-=?@^_~"
	mildMark = "!#$%*+-=?_~"
)

func pick[T any](r *rand.Rand, list []T) T { return list[r.IntN(len(list))] }

func chars(r *rand.Rand, alphabet string, n int) string {
	var b strings.Builder
	for range n {
		b.WriteByte(alphabet[r.IntN(len(alphabet))])
	}
	return b.String()
}

// value is a thing to plant: what it is, and what of it must go.
type value struct {
	class string
	text  string
	kind  Kind
	name  string // of a decoy: what it is; "" for a value
	env   string // the name of the variable it usually is in
}

func secret(class, env, text string) value {
	return value{class: class, text: text, kind: Secret, env: env}
}

// tokens are some of the secrets that one can tell by their own shape: each rule keeps its own examples.
var tokens = []func(r *rand.Rand) value{
	func(r *rand.Rand) value {
		return secret("aws-access-key", "AWS_ACCESS_KEY_ID", pick(r, []string{"AK" + "IA", "AS" + "IA"})+chars(r, awsTail, 16))
	},
	func(r *rand.Rand) value {
		return secret("github-token", "GITHUB_TOKEN", "gh"+pick(r, []string{"p", "o", "s", "u"})+"_"+chars(r, alnum, 36))
	},
	func(r *rand.Rand) value {
		return secret("github-token", "GH_PAT", "github"+"_pat_"+chars(r, alnum, 22)+"_"+chars(r, alnum, 59))
	},
	func(r *rand.Rand) value { return secret("gitlab-token", "CI_TOKEN", "gl"+"pat-"+chars(r, word64, 20)) },
	func(r *rand.Rand) value {
		return secret("slack-token", "SLACK_BOT_TOKEN", "xo"+"xb-"+chars(r, "123456789", 1)+chars(r, digits, 11)+"-"+
			chars(r, "123456789", 1)+chars(r, digits, 12)+"-"+chars(r, alnum, 24))
	},
	func(r *rand.Rand) value {
		return secret("slack-webhook", "SLACK_WEBHOOK", "https://hooks."+"slack.com/services/T"+chars(r, upper+digits, 10)+"/B"+
			chars(r, upper+digits, 10)+"/"+chars(r, alnum, 24))
	},
	func(r *rand.Rand) value {
		return secret("stripe-key", "STRIPE_KEY", pick(r, []string{"sk", "rk"})+"_live_"+chars(r, alnum, pick(r, []int{24, 99})))
	},
	func(r *rand.Rand) value {
		return secret("google-api-key", "GOOGLE_API_KEY", "AI"+"za"+chars(r, word64, 35))
	},
	func(r *rand.Rand) value { return secret("jwt", "SESSION_JWT", jwt(r)) },
}

// opaque are secrets that only the words around them tell.
var opaque = []func(r *rand.Rand) value{
	func(r *rand.Rand) value {
		return secret("aws-secret-key", "AWS_SECRET_ACCESS_KEY", chars(r, base64s, 40))
	},
	func(r *rand.Rand) value { return secret("generic-key", "API_KEY", chars(r, hexes, 32)) },
	func(r *rand.Rand) value { return secret("generic-key", "SERVICE_TOKEN", chars(r, alnum, 40)) },
	func(r *rand.Rand) value { return secret("generic-key", "CLIENT_SECRET", chars(r, word64+"~.", 34)+"x") },
	func(r *rand.Rand) value { return secret("generic-key", "SECRET_KEY_BASE", chars(r, hexes, 64)) },
	func(r *rand.Rand) value { return secret("generic-key", "DATADOG_API_KEY", chars(r, hexes, 32)) },
}

func jwt(r *rand.Rand) string {
	enc := base64.RawURLEncoding
	head := enc.EncodeToString([]byte(`{"alg":"HS256","typ":"JWT"}`))
	body := enc.EncodeToString(fmt.Appendf(nil, `{"sub":"%s","iat":%d}`, chars(r, digits, 10), 1700000000+r.IntN(90000000)))
	return head + "." + body + "." + chars(r, word64, 43)
}

var stems = []string{"Winter", "dragon", "Tiger", "sunset", "Falcon", "koala", "Rocket", "banana", "Marble", "copper", "Berlin",
	"Sakura", "maple", "Orion"}

// password makes a password as people choose them, or as programs do.
func password(r *rand.Rand) value {
	var s string
	switch r.IntN(6) {
	case 0:
		s = pick(r, stems) + strconv.Itoa(1990+r.IntN(40)) + chars(r, mildMark, 1)
	case 1:
		s = pick(r, stems) + chars(r, digits, 2) + pick(r, stems) + chars(r, "!#$%?", 1)
	case 2:
		s = strings.NewReplacer("a", "4", "e", "3", "o", "0", "i", "1").Replace(pick(r, stems)) + chars(r, mildMark, 1) + chars(r, digits, 3)
	case 3:
		s = chars(r, alnum, 4) + chars(r, mildMark, 1) + chars(r, digits, 2) + chars(r, alnum, 4) + chars(r, digits, 1)
	case 4:
		s = chars(r, letters, 5) + chars(r, digits, 3) + chars(r, letters, 6) + chars(r, digits, 1)
	default:
		s = chars(r, lower, 3) + chars(r, digits, 2) + chars(r, upper, 2) + chars(r, punct, 1) + chars(r, alnum, 8) + chars(r, digits, 1)
	}
	return secret("password", pick(r, []string{"DB_PASSWORD", "SMTP_PASS", "ADMIN_PASSWORD", "REDIS_PASSWORD", "PASSWORD"}), s)
}

func pem(r *rand.Rand) string {
	kind := pick(r, []string{"RSA ", "EC ", "OPENSSH ", ""})
	var b strings.Builder
	b.WriteString("-----BEGIN " + kind + "PRIVATE" + " KEY-----\n")
	for range 6 + r.IntN(8) {
		b.WriteString(chars(r, base64s, 64) + "\n")
	}
	b.WriteString(chars(r, base64s, 30) + "==\n-----END " + kind + "PRIVATE" + " KEY-----")
	return b.String()
}

var hosts = []string{"db", "cache", "mail", "gitea", "grafana", "files", "nas", "ci", "registry", "wiki"}

func host(r *rand.Rand) string {
	return pick(r, hosts) + strconv.Itoa(r.IntN(20)) + "." + pick(r, []string{"corp", "acme-it", "nordwind", "hoshi"}) + "." +
		pick(r, []string{"io", "net", "dev", "cloud"})
}

var people = []string{"alice", "bjorn", "chloe", "daniel", "emi", "farid", "greta", "hiro", "ines", "jonas", "keiko", "luca", "minji",
	"nora", "oscar", "wei"}

// connection are strings with a password inside; only that must go.
func connection(r *rand.Rand) (before string, v value, after string) {
	pass := chars(r, alnum, 6) + chars(r, digits, 2) + chars(r, letters, 4+r.IntN(8))
	user := pick(r, people)
	v = secret("connection-string", "DATABASE_URL", pass)
	switch r.IntN(8) {
	case 0:
		return "postgres://" + user + ":", v, "@" + host(r) + ":5432/app"
	case 1:
		return "mongodb+srv://" + user + ":", v, "@" + host(r) + "/prod?retryWrites=true"
	case 2:
		return "redis://:", v, "@" + host(r) + ":6379/0"
	case 3:
		return "mysql://" + user + ":", v, "@" + host(r) + ":3306/shop"
	case 4:
		return "amqps://" + user + ":", v, "@" + host(r) + "/vhost"
	case 5:
		return "Server=" + host(r) + ";Database=crm;User Id=" + user + ";Password=", v, ";Encrypt=true"
	case 6:
		return "jdbc:postgresql://" + host(r) + "/app?user=" + user + "&password=", v, "&ssl=true"
	}
	v.class = "url-credentials"
	return "https://" + user + ":", v, "@" + host(r) + "/repo.git"
}

func personal(class, text string) value { return value{class: class, text: text, kind: Personal} }

func email(r *rand.Rand) value {
	return personal("email", pick(r, people)+pick(r, []string{".", "_", "-", "+"})+pick(r, stems)+strconv.Itoa(r.IntN(99))+"@"+
		pick(r, []string{"gmail.com", "outlook.com", "posteo.de", "orange.fr", "naver.com", "qq.com", "docomo.ne.jp", "acme-it.io",
			"nordwind.net"}))
}

// phone is a number as written in a country; bare: it needs no words around it.
func phone(r *rand.Rand, lang string, bare bool) value {
	d := func(n int) string { return chars(r, digits, n) }
	nz := func(n int) string { return chars(r, "23456789", 1) + chars(r, digits, n-1) }
	var s string
	switch lang {
	case "ja":
		s = pick(r, []string{"090-" + nz(4) + "-" + d(4), "+81 90-" + nz(4) + "-" + d(4), "080" + "-" + nz(4) + "-" + d(4)})
	case "ko":
		s = pick(r, []string{"010-" + nz(4) + "-" + d(4), "+82 10-" + nz(4) + "-" + d(4)})
	case "zh":
		s = pick(r, []string{"138" + d(8), "+86 139 " + d(4) + " " + d(4), "186-" + d(4) + "-" + d(4)})
	case "de":
		s = pick(r, []string{"+49 171 " + nz(7), "+49 30 " + nz(8)})
		if !bare && r.IntN(2) == 0 {
			s = "0171 " + nz(7)
		}
	case "fr":
		s = "+33 6 " + d(2) + " " + d(2) + " " + d(2) + " " + d(2)
		if !bare && r.IntN(2) == 0 {
			s = "06 " + d(2) + " " + d(2) + " " + d(2) + " " + d(2)
		}
	case "es":
		s = "+34 6" + d(2) + " " + d(3) + " " + d(3)
		if !bare && r.IntN(2) == 0 {
			s = "6" + d(2) + " " + d(3) + " " + d(3)
		}
	default:
		area := pick(r, []string{"212", "415", "617", "303", "206", "512"})
		s = pick(r, []string{"+1 " + area + " " + nz(3) + " " + d(4), "+1-" + area + "-" + nz(3) + "-" + d(4),
			"(" + area + ") " + nz(3) + "-" + d(4), "+44 7700 " + nz(6)})
		if !bare && r.IntN(3) == 0 {
			s = area + "-" + nz(3) + "-" + d(4)
		}
	}
	return personal("phone", s)
}

// card makes a number that its check digit fits.
func card(r *rand.Rand) value {
	n := pick(r, []string{"4", "51", "52", "54", "55"}) + chars(r, digits, 12)
	n = (n + chars(r, digits, 4))[:15]
	n += luhn(n)
	sep := pick(r, []string{" ", "-", ""})
	return personal("credit-card", n[:4]+sep+n[4:8]+sep+n[8:12]+sep+n[12:])
}

func luhn(s string) string {
	sum := 0
	for i := range len(s) {
		d := int(s[len(s)-1-i] - '0')
		if i%2 == 0 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum += d
	}
	return strconv.Itoa((10 - sum%10) % 10)
}

func iban(r *rand.Rand) value {
	country, body := "DE", chars(r, digits, 18)
	switch r.IntN(4) {
	case 0:
		country, body = "FR", chars(r, digits, 23)
	case 1:
		country, body = "ES", chars(r, digits, 20)
	case 2:
		country, body = "GB", chars(r, upper, 4)+chars(r, digits, 14)
	}
	var num strings.Builder
	for _, c := range body + country + "00" {
		if c >= 'A' {
			num.WriteString(strconv.Itoa(int(c-'A') + 10))
		} else {
			num.WriteRune(c)
		}
	}
	n, _ := new(big.Int).SetString(num.String(), 10)
	check := 98 - int(new(big.Int).Mod(n, big.NewInt(97)).Int64())
	s := fmt.Sprintf("%s%02d%s", country, check, body)
	if r.IntN(2) == 0 {
		return personal("iban", s)
	}
	var parts []string
	for len(s) > 4 {
		parts, s = append(parts, s[:4]), s[4:]
	}
	return personal("iban", strings.Join(append(parts, s), " "))
}

func ssn(r *rand.Rand) value {
	return personal("us-ssn", fmt.Sprintf("%03d-%02d-%04d", 1+r.IntN(665), 1+r.IntN(99), 1+r.IntN(9999)))
}

func publicIP(r *rand.Rand) value {
	if r.IntN(5) == 0 {
		return personal("ip-address", "2a01:4f8:"+chars(r, "123456789abcdef", 4)+":"+chars(r, "123456789abcdef", 4)+"::"+
			chars(r, "123456789abcdef", 2))
	}
	return personal("ip-address", fmt.Sprintf("%d.%d.%d.%d", pick(r, []int{5, 8, 18, 34, 52, 81, 91, 104, 146, 185}), 16+r.IntN(200),
		r.IntN(256), 1+r.IntN(254)))
}
