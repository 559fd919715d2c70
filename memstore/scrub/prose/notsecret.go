package prose

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/shape"
)

// NotASecret recognises kinds of values that follow a cue and say something about it.
func NotASecret(v []byte) bool {
	switch {
	case v[0] == '/' && bytes.IndexByte(v[1:], '/') > 0 && shape.Of(v).Symbol == 0 &&
		(shape.Readable(v) || len(v) < 24), shape.IsDate(v), hasFile(v):
		return true
	case ascii.Run(v, 0, CountBytes) == len(v) && ascii.Run(v, 0, ascii.Digits) < len(v):
		return true // 1,204 or 1204/1210 or 12.5%
	case IsTicket(v), shape.IsVersion(bytes.TrimRight(v, ",.;")), shape.IsVersion(v[bytes.LastIndexByte(v, '@')+1:]):
		return true
	case tellingParts.In(v), tellingStarts.Begin(v) != "", keyFiles.Begin(v) != "", IsExpression(v):
		return true
	case v[0] == '#' && (ascii.Run(v, 1, ascii.Digits) == len(v) || shape.Readable(v) && shape.Of(v).Digit == 0),
		bytes.HasPrefix(v, []byte("//")) && bytes.IndexByte(v, '.') > 0:
		return true
	case shape.IsContract(v), shape.IsDatedName(v), isPathOrFlag(v), ofColumn(v), hasSign(v),
		shape.IsPattern(v), shape.IsPlaceholder(v), shape.IsPathOfNames(v),
		v[len(v)-1] == '=' && ascii.Run(v, 0, ascii.Lowers) == len(v)-1, v[0] == '~' && ascii.Run(v, 1, ascii.Digits) == len(v),
		bytes.HasSuffix(v, []byte(":=")), bytes.HasSuffix(v, []byte("::")):
		return true
	case bytes.Count(v, []byte("/")) >= 2 && shape.Readable(v) && shape.Of(v).Symbol == bytes.Count(v, []byte("*")):
		return true
	}
	if isConstant(v) || isSource(v) {
		return true
	}
	at := bytes.IndexByte(v, '@')
	return at > 0 && bytes.IndexByte(v[at:], '.') > 0 && ascii.Run(v, 0, MailBytes) == at &&
		ascii.Run(v, at+1, ascii.HostBytes) == len(v) && shape.IsTopLevel(v[bytes.LastIndexByte(v, '.')+1:])
}

// tellingParts say of a value what it is, wherever they are in it: a URL, source, signs of mathematics.
var tellingParts = ascii.NewLiterals("://", "@sha256:", " == ", " != ", "](", "</", "$_", "true|false", `$\`, "（",
	"∈", "×", "≤", "≥", "≈", "·", "∀", "∑", "÷")

// tellingStarts say so at its beginning.
var tellingStarts = ascii.NewLiterals("ssh-", "sha256:", "sha512-", "sha256-", "data:", "function(", "pk_live_", "pk_test_", "%s")

// keyFiles begin the names of files that ssh keeps a key in: id_ed25519.
var keyFiles = ascii.NewPhrases("id_rsa", "id_dsa", "id_ecdsa", "id_ed25519")

// isPathOrFlag recognises a path of one name, a parameter of a statement and a flag: /tmp, :password, --batch, /v:10.1.2.3.
func isPathOrFlag(v []byte) bool {
	switch {
	case v[0] == '/':
		end := ascii.Run(v, 1, ascii.Letters)
		return bytes.Count(v, []byte("/")) > 1 && bytes.Contains(v, []byte("/{")) || end > 1 &&
			(end == len(v) && shape.Of(v).Upper == 0 || end < len(v) && v[end] == ':' && end < 14)
	case v[0] == ':':
		return len(v) > 3 && ascii.Run(v, 1, ascii.NameBytes) == len(v) && shape.Of(v).Digit == 0
	}
	if v[0] != '-' || len(v) < 5 {
		return false
	}
	if v[1] != '-' {
		return bytes.HasPrefix(v[2:], []byte("|--")) || bytes.HasPrefix(v[2:], []byte(",--")) // -h|--help
	}
	end := ascii.Run(v, 2, lettersDash)
	return end > 3 && (end == len(v) && v[end-1] != '-' || end < len(v) && v[end] == '=' || end == len(v)-1 && ascii.Digits[v[end]])
}

var lettersDash = ascii.NewSet("a-zA-Z-")

// ofColumn recognises the type of a column in a database: VARCHAR(100).
func ofColumn(v []byte) bool {
	i := bytes.IndexByte(v, '(')
	return i > 2 && columnTypes.Has(v[:i]) && ascii.Run(v, i+1, CountBytes) >= len(v)-1
}

var columnTypes = ascii.NewWords("varchar nvarchar char nchar varbinary binary decimal numeric float double int bigint tinyint varchar2")

// hasSign reports bytes of a program, of an expression and of a URL: \x6e\xc4.
func hasSign(v []byte) bool {
	return bytes.Count(v, []byte(`\x`)) > 1 || v[len(v)-1] == '$' && bytes.ContainsAny(v, "([") ||
		bytes.Contains(v, []byte("%2F")) && shape.Of(v).Digit < 3
}

// IsExpression recognises a piece of a regular expression.
func IsExpression(v []byte) bool { return expressionParts.In(v) }

var expressionParts = ascii.NewLiterals(`\s`, `\w`, `\d`, `\.`, `\b`, "(?", "[^", "[a-z", "[a-f", "[A-Z", "[0-9", ".*)", "0-9a-", "0-9A-",
	"a-z0-9", "a-f0-9", "A-Za-z", "a-zA-Z", "[[:")

// isConstant recognises the name of a constant or variable, ERR_INVALID_TOKEN, and words
// that only name what they replace: mypassword, wrongpassword.
func isConstant(v []byte) bool {
	sh := shape.Of(v)
	if sh.Letters()+sh.Soft == len(v) {
		low := bytes.ToLower(v)
		if bytes.Contains(low, []byte("passwor")) || bytes.HasSuffix(low, []byte("passwd")) ||
			sh.Soft > 0 && bytes.Contains(low, []byte("secret")) ||
			bytes.HasSuffix(low, []byte("_token")) || bytes.HasSuffix(low, []byte("_pass")) {
			return true
		}
	}
	if sh.Letters()+sh.Digit == 0 && sh.Other > 0 {
		return true // a word in a script of its own
	}
	return sh.Lower+sh.Digit+sh.Symbol+sh.Other == 0 && bytes.IndexByte(v, '_') > 0 && shape.Readable(v)
}

// isSource recognises the source of a program: f(name=value, a.path.of.names, a command of
// PowerShell, and the rest of a template: @host/path.
func isSource(v []byte) bool {
	if v[0] == '@' {
		if len(v) > 3 && ascii.Run(v, 1, lettersDash) == len(v) {
			return true // a mention: @name
		}
		if i := bytes.IndexByte(v, '('); i > 2 && ascii.Run(v, 1, ascii.NameBytes) == i {
			return true // a call of a builtin: @activate(init)
		}
		return bytes.IndexByte(v, '/') > 0 || bytes.IndexByte(v, '.') > 0 && ascii.Run(v, 1, ascii.NameBytes) == len(v)
	}
	if i := bytes.IndexByte(v, '['); i > 0 && ascii.Run(v, 0, ascii.NameBytes) == i &&
		ascii.Run(v, i+1, ascii.NameBytes) == len(v) && shape.Readable(v[:i]) {
		return true // an index: balance[account1
	}
	if i := bytes.IndexByte(v, '('); i > 0 && ascii.Letters[v[0]] && bytes.HasSuffix(v, []byte("):")) &&
		ascii.Run(v, 0, ascii.NameBytes) == i {
		return true // the head of a function
	}
	if i := bytes.IndexByte(v, '('); i > 0 && ascii.Letters[v[0]] && bytes.IndexByte(v, ')') < 0 && ascii.Run(v, 0, ascii.NameBytes) == i &&
		ascii.Run(v, i+1, ascii.NameBytes) == len(v) {
		return true // the beginning of a call: vec3(x
	}
	if i := bytes.IndexByte(v, '('); i > 0 && ascii.Run(v, 0, ascii.NameBytes) == i && bytes.IndexByte(v[i:], '=') > 0 {
		return true
	}
	if i := bytes.IndexByte(v, '='); i > 0 && i+2 < len(v) && (v[i+1] == '{' || v[i+1] == '[') && ascii.Run(v, 0, ascii.NameBytes) == i {
		return true // P={256,1024}
	}
	if len(v) > 2 && len(v) <= 10 && v[0] == '0' && v[1] == 'x' && ascii.Run(v, 2, ascii.Hexes) == len(v) {
		return true // the flags of a program
	}
	if i := bytes.IndexByte(v, '='); i > 1 && ascii.Run(v, 0, ascii.Letters) == i && bytes.IndexByte(v[i:], '(') > 0 {
		return true // an argument of a call
	}
	if bytes.Count(v, []byte(".")) >= 2 && ascii.Run(v, 0, ascii.NameBytes) == len(v) && ascii.Letters[v[0]] && shape.Readable(v) {
		return true
	}
	if isScoped(v) {
		return true
	}
	i := bytes.IndexByte(v, '-')
	return i > 2 && cmdletVerbs.Has(v[:i]) && ascii.Run(v, i+1, ascii.Letters) == len(v) && i+1 < len(v) && ascii.Uppers[v[i+1]]
}

// IsConstraint recognises what a program asks of a value: min:8|confirmed, current_password:api.
func IsConstraint(v []byte) bool { return len(v) < 48 && constraints.Begin(v) != "" }

var constraints = ascii.NewPhrases("min:", "max:", "size:", "regex:", "between:", "current_password", "confirmed", "required", "nullable")

// isScoped recognises names of a program with their scopes, and members of objects: Hash::make($x), $this->, App\Auth\Broker,
// unix:/run/x.sock, [a link.
func isScoped(v []byte) bool {
	rest := v[:cap(v)][len(v):]
	if v[len(v)-1] == '-' && len(rest) > 0 && rest[0] == '>' {
		return true
	}
	if i := bytes.Index(v, []byte("::")); i >= 0 && (i == 0 || ascii.Letters[v[0]] && ascii.Run(v, 0, ascii.NameBytes) == i) {
		return true
	}
	if i := bytes.IndexByte(v, '\\'); i > 1 && ascii.Run(v, 0, scopeBytes) == len(v) && shape.Readable(v) {
		return true
	}
	if v[0] == ':' && len(v) > 1 && (v[1] == '$' || (v[1] == ':' || ascii.Letters[v[1]]) && bytes.IndexByte(v, '(') > 0) {
		return true
	}
	if bytes.IndexByte(v, '$') >= 0 && bytes.Contains(v, []byte("->")) ||
		(bytes.Contains(v, []byte("host=")) || bytes.Contains(v, []byte("host["))) && !bytes.Contains(v, []byte("pass")) &&
			!bytes.Contains(v, []byte("pwd")) {
		return true // .$input->getArgument(, mysql:host=127.0.0.1;dbname=app
	}
	return bytes.HasPrefix(v, []byte("unix:/")) || v[0] == '[' && bytes.IndexByte(v, ']') < 0 && len(rest) > 0 && shape.Of(v).Digit == 0
}

var scopeBytes = ascii.NewSet("a-zA-Z0-9_\\")

var cmdletVerbs = ascii.NewWords("convert convertto convertfrom get set new read import export invoke add remove write test out start stop")

// IsTicket recognises OPS-4521.
func IsTicket(v []byte) bool {
	i := ascii.Run(v, 0, ascii.Uppers)
	return i >= 2 && i < len(v) && v[i] == '-' && len(v)-i <= 7 && i+1 < len(v) && ascii.Run(v, i+1, ascii.Digits) == len(v)
}

// CountBytes are those of counts and amounts.
var CountBytes = ascii.NewSet("0-9,./%:+")

// MailBytes are those of the name before the at sign of an address.
var MailBytes = ascii.NewSet("a-zA-Z0-9_.+-")

// files are the endings of names that follow "key" and "password" often.
var files = ascii.NewWords(`pem json yaml yml txt md key env py go js ts toml conf kdbx gpg sh html crt cer p12 ini cfg sql log
 svg png jpg jpeg gif webp ico pdf docx xlsx zip gz tgz mp3 mp4 css tsx jsx rs rb java php vue mdx rst csv`)

func hasFile(v []byte) bool {
	if colon := bytes.LastIndexByte(v, ':'); colon > 0 && colon+1 < len(v) && ascii.Run(v, colon+1, lineNumbers) == len(v) {
		v = v[:colon] // and its lines
	}
	dot := bytes.LastIndexByte(v, '.')
	return dot >= 0 && len(v)-dot <= 5 && files.All[string(v[dot+1:])]
}

var lineNumbers = ascii.NewSet("0-9~,-")

// IsStop looks for values that are words about secrets.
func (p *Reader) IsStop(v []byte) bool {
	v = bytes.TrimRight(v, ".!?,;:")
	if bytes.IndexByte(v, '/') <= 0 {
		return p.Stopped.Has(v)
	}
	for part := range bytes.SplitSeq(v, []byte("/")) { // bcrypt/argon2
		if !p.Stopped.Has(part) {
			return p.Stopped.Has(v)
		}
	}
	return true
}

// Pronounceable reports a mix of vowels and consonants as words have it.
func Pronounceable(w string) bool {
	vowels, row, longest := 0, 0, 0
	for i := range len(w) {
		if bytes.IndexByte([]byte("aeiouy"), w[i]) >= 0 {
			vowels++
			row = 0
			continue
		}
		row++
		longest = max(longest, row)
	}
	return vowels*5 >= len(w) && vowels*10 <= len(w)*8 && longest <= 4
}
