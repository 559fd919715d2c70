package notesgen

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
)

// The formats of programs' own settings, and the places where code and protocols hold values.
const (
	toml Format = "toml"
	csv  Format = "csv"
	ini  Format = "ini"
	code Format = "code"
	http Format = "http"
	kube Format = "kube"
)

func init() {
	for f, write := range map[Format]func(*page){toml: tomlNote, csv: csvNote, ini: iniNote, code: codeNote, http: httpNote, kube: kubeNote} {
		formats[f] = write
	}
}

// plainPassword has no character that a quoted or bare string of some format would need to escape.
func plainPassword(r *rand.Rand, class string) value {
	v := password(r)
	v.class = class
	v.text = strings.NewReplacer("'", "", "\"", "", "$", "", "&", "", "#", "", "\\", "").Replace(v.text)
	return v
}

func tomlNote(p *page) {
	r := p.w.r
	for range 2 + r.IntN(3) {
		p.text("[" + pick(r, hosts) + "]\n")
		for range 2 + r.IntN(4) {
			key, v := p.w.pair()
			p.text(key + " = \"")
			p.escape = jsonEscape
			p.plant(v)
			p.escape = nil
			p.text("\"\n")
		}
		p.text("\n")
	}
}

func iniNote(p *page) {
	r := p.w.r
	p.text("[client]\nhost = " + host(r) + "\nuser = " + pick(r, people) + "\npassword = ")
	p.plant(plainPassword(r, "password-field"))
	p.text("\n\n[remote \"" + pick(r, people) + "\"]\n\turl = https://" + pick(r, people) + ":")
	v := pick(r, tokens[:5])(r)
	v.class = "url-credentials"
	p.plant(v)
	p.text("@" + host(r) + "/repo.git\n\n[cache]\nttl = 3600\nkey_prefix = ")
	p.plant(decoy("code", pick(r, hosts)+":v2:"))
	p.text("\n")
}

// csvNote has a head that says what is in a column, and columns of look-alikes beside them.
func csvNote(p *page) {
	r := p.w.r
	p.text(pick(r, []string{"id,name,email,phone,password,updated", "id,name,email,mobile,pwd,updated",
		"id;name;email;tel;pass;updated"}) + "\n")
	sep := ","
	if strings.Contains(string(p.note.Text), ";") {
		sep = ";"
	}
	for i := range 3 + r.IntN(6) {
		p.plant(decoy("uuid", uuid(r)))
		p.text(sep + pick(r, people) + sep)
		p.plant(email(r))
		p.text(sep)
		p.plant(phone(r, p.lang, false))
		p.text(sep)
		v := plainPassword(r, "password-table")
		v.text = strings.NewReplacer(",", "", ";", "").Replace(v.text)
		p.plant(v)
		p.text(sep)
		p.plant(decoy("timestamp", fmt.Sprintf("2026-%02d-%02dT10:%02d:00Z", 1+r.IntN(12), 1+r.IntN(28), i)))
		p.text("\n")
	}
}

// codeSays are lines of programs with a value in them.
var codeSays = []string{
	"client = Client(api_key=\"{v}\")", "requests.get(url, auth=(\"{u}\", \"{v}\"))", "const password = '{v}';",
	"db.connect({ user: '{u}', password: '{v}' })", "DB_PASS := \"{v}\"",
	"ALTER USER {u} WITH PASSWORD '{v}';", "CREATE USER '{u}'@'%' IDENTIFIED BY '{v}';", "os.environ[\"SECRET_KEY\"] = \"{v}\"",
	"conn = psycopg2.connect(host=\"{h}\", user=\"{u}\", password=\"{v}\")",
	"headers = {\"X-Auth-Token\": \"{v}\"}", "password: process.env.PW || '{v}',", "smtp.login(\"{u}\", \"{v}\")",
	"    environment:\n      - DB_PASSWORD={v}",
	"DriverManager.getConnection(url, \"{u}\", \"{v}\")", "new NetworkCredential(\"{u}\", \"{v}\")", "WiFi.begin(\"{u}-net\", \"{v}\");",
	"user.set_password(\"{v}\")", "sql.Open(\"mysql\", \"{u}:{v}@tcp({h}:3306)/shop\")", "password = r\"{v}\"", "if password == \"{v}\":",
}

// codeDecoys are lines of programs that hold none.
var codeDecoys = []string{
	"password = getpass.getpass()", "assert check_password(user, password)", "const token = await getToken(userId)",
	"if len(password) < 12 { return errTooShort }", "type Config struct { Password string }",
	"\"password\": {\"type\": \"string\", \"minLength\": 12}", "passwordField.value = ''", "def test_password_is_hashed(): pass",
	"secret = secrets.token_urlsafe(32)", "SELECT id, password_hash FROM users",
	"apiKey = os.Getenv(\"API_KEY\")", "token_type = \"bearer\"", "PASSWORD_MIN_LENGTH = 12",
	"export class TokenService implements OnInit {", "import { hashPassword } from './crypto/password-hasher'",
}

func codeNote(p *page) {
	r := p.w.r
	p.text("```" + pick(r, []string{"python", "js", "go", "sql", "yaml", ""}) + "\n")
	for range 3 + r.IntN(5) {
		if r.IntN(2) == 0 {
			p.plant(decoy("code", p.w.says(codeDecoys)))
		} else {
			p.say(p.w.says(codeSays), plainPassword(r, "password-code"))
		}
		p.text("\n")
	}
	p.text("```\n")
}

func httpNote(p *page) {
	r := p.w.r
	p.text("POST /v1/items?page=2 HTTP/1.1\nHost: " + host(r) + "\nAuthorization: ")
	if r.IntN(2) == 0 {
		p.text("Basic ")
		p.plant(secret("auth-header", "", base64.StdEncoding.EncodeToString([]byte(pick(r, people)+":"+chars(r, alnum, 14)))))
	} else {
		p.text("Bearer ")
		p.plant(secret("auth-header", "", chars(r, alnum, 43)))
	}
	p.text("\nCookie: theme=dark; session=")
	p.plant(secret("cookie", "", chars(r, hexes, 40)))
	p.text("\nX-Request-Id: ")
	p.plant(decoy("uuid", uuid(r)))
	p.text("\nETag: \"")
	p.plant(decoy("etag", chars(r, hexes, 32)))
	p.text("\"\nContent-Type: application/json\n\n{\"ok\":true}\n")
}

// kubeNote is a manifest with values in base64.
func kubeNote(p *page) {
	r := p.w.r
	p.text("apiVersion: v1\nkind: Secret\nmetadata:\n  name: " + pick(r, hosts) + "-credentials\n  uid: ")
	p.plant(decoy("uuid", uuid(r)))
	p.text("\ntype: Opaque\ndata:\n")
	for _, key := range []string{"password", "token", "api-key"}[:1+r.IntN(3)] {
		p.text("  " + key + ": ")
		p.plant(secret("encoded", "", base64.StdEncoding.EncodeToString([]byte(password(r).text+chars(r, alnum, 8)))))
		p.text("\n")
	}
	p.text("---\nkind: Pod\nmetadata:\n  name: ")
	p.plant(decoy("pod", "api-"+chars(r, hexes, 10)+"-"+chars(r, lower, 5)))
	p.text("\nspec:\n  image: ")
	p.plant(decoy("image-digest", "registry.acme-it.io/app@sha256:"+chars(r, hexes, 64)))
	p.text("\n")
}

// words are for passphrases.
var words = []string{"otter", "violet", "gravel", "lantern", "copper", "meadow", "pickle", "thunder", "walnut", "ribbon", "saddle",
	"harbor", "velvet", "cactus", "magnet", "tundra"}

// dialogue is a question and its answer, a value below its heading, a nested list, a passphrase.
func (p *page) dialogue() {
	r := p.w.r
	switch r.IntN(5) {
	case 0:
		p.text("> what is the " + pick(r, services) + " password?\n\nIt's ")
		p.plant(password(r))
		p.text("\n\n")
	case 1:
		p.text("### " + pick(r, services) + " password\n\n`")
		p.plant(plainPassword(r, "password"))
		p.text("`\n\n")
	case 2:
		p.text("- " + pick(r, services) + "\n  - user: " + pick(r, people) + "\n  - pw: ")
		p.plant(password(r))
		p.text("\n  - url: https://" + host(r) + "\n\n")
	case 3:
		p.text("The vault passphrase is \"")
		p.plant(secret("passphrase", "", pick(r, words)+" "+pick(r, words)+" "+pick(r, words)+" "+pick(r, words)))
		p.text("\".\n\n")
	default:
		p.text("passphrase: ")
		p.plant(secret("passphrase", "", pick(r, words)+"-"+pick(r, words)+"-"+pick(r, words)+"-"+chars(r, digits, 2)))
		p.text("\n\n")
	}
}
