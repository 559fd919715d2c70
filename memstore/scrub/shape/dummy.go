package shape

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
)

// IsDummy recognises substitutes for a value: masks, variables, references
// to a vault, the fillers of documentation. It is asked about every value.
func IsDummy(b []byte) bool {
	return isMask(b) || isReference(b) || isFiller(b)
}

// isMask recognises "********", "xxxx-xxxx", "....", "abababab", "sk-12****89", "sk-...".
func isMask(b []byte) bool {
	kinds, masks := map[byte]bool{}, 0
	for _, c := range b {
		kinds[c] = true
		if maskBytes[c] {
			masks++
		}
	}
	return masks*10 >= len(b)*8 || len(kinds) <= 2 && len(b) >= 6 || bytes.Contains(b, []byte("****")) ||
		bytes.Contains(b, []byte("•••")) || bytes.HasSuffix(b, []byte("..."))
}

// maskBytes are what masks are drawn with; the last three are those of "•" and "¢".
var maskBytes = ascii.NewSet("*xX.#?_\xa2\x80\xe2-")

// references begin what names a value that is elsewhere.
var references = ascii.Phrases{
	"$", "{{", "%(", "<", "\ue03c", "process.env", "os.environ", "os.getenv", "env.", "env(", "env:", "getenv", "import.meta",
	"secrets.", "vault:", "vault/",
	"op://", "arn:", "ssm:", "kms:", "keyring:", "keychain:", "pass:", "file:", "@file", "bitwarden:", "sops:", "ref+", "urn:", "secretref",
	"secret/", "!vault",
	"config.", "settings.", "self.", "this.", "req.", "request.", "options.", "args.", "params.", "ctx.", "cfg.", "data.", "var.",
	"local.", "module.", "/run/secrets", "~/", "./", "../",
}

// isReference recognises a variable and the name of a value in a secret store.
func isReference(b []byte) bool {
	if len(b) == 0 {
		return false
	}
	switch references.Begin(b) {
	case "":
	case "$":
		return isVariable(b)
	case "<":
		return bytes.IndexByte(b, '>') > 0
	default:
		return true
	}
	if b[0] == '!' && len(b) > 3 && ascii.Run(b, 1, tagNames) == len(b) { // a tag of YAML: what follows it is a name
		return true
	}
	if b[0] == '%' && len(b) > 2 && b[len(b)-1] == '%' {
		return true
	}
	return false
}

var tagNames = ascii.NewSet("a-zA-Z_:")

// isVariable distinguishes "$DB_PASSWORD", "${X}" and "$(cmd)" from a password that begins with a dollar.
func isVariable(b []byte) bool {
	if len(b) < 2 || b[1] == '{' || b[1] == '(' {
		return true
	}
	return ascii.Run(b, 1, variableBytes) == len(b) && (ascii.Letters[b[1]] || b[1] == '_') && !(Of(b).Digit > 0 && Of(b).Lower > 0)
}

var variableBytes = ascii.NewSet("A-Za-z0-9_:")

// fillers are parts of what documentation writes for a value.
var fillers = ascii.Phrases{
	"example", "your_", "your-", "yourpass", "yourtoken", "yourkey", "yoursecret", "placeholder", "changeme", "change_me", "change-me",
	"change_this", "redacted", "dummy",
	"sample", "insert", "replace_me", "replace-me", "replaceme", "fill_in", "to-be-", "todo", "fixme", "not-a-real", "notareal", "fake",
	"foobar", "lorem",
	"my-secret-", "my_secret_", "secret-here", "password-here", "token-here", "key-here", "_here", "-here", "abcdef123456", "abc123",
	"0123456789abcdef", "1234567890abcdef", "abcdefghijkl", "deadbeef", "test-token", "test_token", "mock",
	"-characters-", "-chars-", "-char-", "-minimum-", "_characters_", "_chars_",
	"votre-", "votre_", "ton-vrai", "exemple", "beispiel", "ejemplo",
}

// isFiller looks for a filler in what is not a long token, which may hold one by chance.
func isFiller(b []byte) bool { return len(b) <= 80 && fillers.In(b) }
