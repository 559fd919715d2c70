package judge

import "memcurator/memstore/scrub/ascii"

// Kind is what a word announces. The words themselves are in rules/words.toml.
type Kind uint8

// The kinds of cues.
const (
	NoCue    Kind = iota
	Password      // password, Passwort, 密码
	PIN           // PIN, 暗証番号: digits only will do
	Secret        // token, API key, client secret
	TOTP          // seed of one-time codes
	Recovery      // recovery and backup codes
	Phrase        // seed phrase of a wallet
	Login         // credentials, login: a name and a password follow
	Key           // key: a word with other meanings too
)

// Kinds are the kinds by the names that files of rules give them.
var Kinds = map[string]Kind{
	"password": Password, "pin": PIN, "secret": Secret, "totp": TOTP,
	"recovery": Recovery, "phrase": Phrase, "login": Login, "key": Key,
}

// Form is how a value hangs on its cue; the looser, the more the value itself has to show.
type Form uint8

// The forms, the surest first.
const (
	Assigned Form = iota // key: value, key = value, an element, a cell
	Copula               // the password is value
	Beside               // password value
	Near                 // in the same line
)

// weak are cues that mean something else more often than not: a test that passes, a clave that is the key of a table.
var weak = func() *ascii.Words {
	w := ascii.NewWords("pass pws clave claves pins account accounts アカウント 계정 账号 账户 帐号 compte cuenta auth llave " +
		"kennung parola losung wpa")
	for _, phrase := range []string{"open it with", "decrypt it with", "unzip it with", "logs in with", "log in with", "signs in with",
		"sign in with", "entra com", "entra con", "acessa com", "se connecte avec", "answer with"} {
		w.Add(phrase)
	}
	return w
}()

// IsWeak reports a name that is only such a cue; DB_PASS is not.
func IsWeak(name []byte) bool { return weak.Has(name) }
