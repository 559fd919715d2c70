package scrub

import "bytes"

// isDummy recognises what stands for a value and is none: masks, variables, references
// to a vault, the fillers of documentation. It is asked about every value.
func isDummy(b []byte) bool {
	return isMask(b) || isReference(b) || isFiller(b)
}

// isMask recognises "********", "xxxx-xxxx", "....", "abababab".
func isMask(b []byte) bool {
	var seen [256]bool
	kinds, masks := 0, 0
	for _, c := range b {
		if !seen[c] {
			seen[c] = true
			kinds++
		}
		if c == '*' || c == 'x' || c == 'X' || c == '.' || c == '#' || c == '?' || c == '_' || c == '-' || c == 0xa2 || c == 0x80 || c == 0xe2 {
			masks++
		}
	}
	if masks*10 >= len(b)*8 {
		return true
	}
	return kinds <= 2 && len(b) >= 6 || bytes.Contains(b, []byte("****")) || bytes.Contains(b, []byte("xxxxx")) ||
		bytes.Contains(b, []byte("XXXXX")) || bytes.HasSuffix(b, []byte("...")) && len(b) < 24 || bytes.Contains(b, []byte("•••"))
}

// references begin what names a value that lies elsewhere.
var references = []string{
	"$", "{{", "%(", "<", "\ue03c", "process.env", "os.environ", "os.getenv", "env.", "env(", "env:", "getenv", "import.meta", "secrets.", "vault:", "vault/",
	"op://", "arn:", "ssm:", "kms:", "keyring:", "keychain:", "pass:", "file:", "@file", "bitwarden:", "sops:", "ref+", "secretref", "secret/", "!vault",
	"config.", "settings.", "self.", "this.", "req.", "request.", "options.", "args.", "params.", "ctx.", "cfg.", "data.", "var.", "local.", "module.", "/run/secrets", "~/", "./", "../",
}

func isReference(b []byte) bool {
	for _, r := range references {
		if hasFold(b, r) {
			if r == "$" {
				return isVariable(b)
			}
			if r == "<" {
				return bytes.IndexByte(b, '>') > 0
			}
			return true
		}
	}
	if b[0] == '%' && len(b) > 2 && b[len(b)-1] == '%' {
		return true
	}
	return bytes.Contains(b, []byte("${")) || bytes.Contains(b, []byte("$(")) || bytes.Contains(b, []byte("{{")) || bytes.Contains(b, []byte("()"))
}

// isVariable tells "$DB_PASSWORD", "${X}" and "$(cmd)" from a password that begins with a dollar.
func isVariable(b []byte) bool {
	if len(b) < 2 || b[1] == '{' || b[1] == '(' {
		return true
	}
	return run(b, 1, variableBytes) == len(b) && letters[b[1]] && !(shapeOf(b).digit > 0 && shapeOf(b).lower > 0)
}

var variableBytes = makeSet("A-Za-z0-9_:")

// fillers are parts of what documentation writes for a value.
var fillers = []string{
	"example", "your_", "your-", "yourpass", "yourtoken", "yourkey", "yoursecret", "placeholder", "changeme", "change_me", "change-me", "change_this", "redacted", "dummy",
	"sample", "insert", "replace_me", "replace-me", "replaceme", "fill_in", "to-be-", "todo", "fixme", "not-a-real", "notareal", "fake", "foobar", "lorem",
	"my-secret-", "my_secret_", "secret-here", "password-here", "token-here", "key-here", "_here", "-here", "abcdef123456", "abc123", "0123456789abcdef", "1234567890abcdef", "abcdefghijkl", "deadbeef", "test-token", "test_token", "mock",
}

// isFiller looks for a filler. Long tokens may hold one by chance.
func isFiller(b []byte) bool {
	if len(b) > 80 {
		return false
	}
	var low [80]byte
	for i, c := range b {
		low[i] = lowerTable[c]
	}
	l := low[:len(b)]
	for _, f := range fillers {
		i := bytes.Index(l, []byte(f))
		if i < 0 {
			continue
		}
		if len(f) >= 7 || len(b) <= 3*len(f) || i == 0 {
			return true
		}
		if (i == 0 || !alnums[l[i-1]]) && (i+len(f) == len(l) || !alnums[l[i+len(f)]]) {
			return true
		}
	}
	return false
}
