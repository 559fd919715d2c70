package judge

import (
	"bytes"
	"strings"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/shape"
)

// Ordinary reports what follows words about secrets and is none: what only stands for a value, and what the tables below list.
func Ordinary(v []byte) bool {
	return shape.IsDummy(v) || markers.In(v) || isFile(v) || ordinary.Get().Match(v) || shape.Readable(v) && readableNames.Get().Match(v)
}

// markers say of a value what it is, wherever they are in it: a URL, source, signs of mathematics, an expression.
var markers = ascii.Phrases{"://", "@sha256:", "](", "</", "$_", "true|false", `$\`, "（", "∈", "×", "≤", "≥", "≈", "·", "∀", "∑", "÷", " == ",
	" != ", `\s`, `\w`, `\d`, `\.`, `\b`, "(?", "[^", "[a-z", "[a-f", "[0-9", ".*)", "0-9a-", "a-z0-9", "a-f0-9", "a-za-z", "[[:"}

// files are the endings of names that follow "key" and "password" often.
var files = ascii.NewWords(`pem json yaml yml txt md key env py go js ts toml conf kdbx gpg sh html crt cer p12 ini cfg sql log
 svg png jpg jpeg gif webp ico pdf docx xlsx zip gz tgz mp3 mp4 css tsx jsx rs rb java php vue mdx rst csv`)

// isFile recognises the name of a file, and one with lines in it: launch.py:3006-3028.
func isFile(v []byte) bool {
	if colon := bytes.LastIndexByte(v, ':'); colon > 0 && len(bytes.Trim(v[colon+1:], "0123456789~,-")) == 0 {
		v = v[:colon]
	}
	dot := bytes.LastIndexByte(v, '.')
	return dot >= 0 && files.Has(v[dot+1:])
}

func whole(rows []string) *ascii.Expression {
	return ascii.NewExpression(`^(?:` + strings.Join(rows, "|") + `)$`)
}

// ordinary are whole values, each with an example.
var ordinary = whole([]string{
	// Numbers and dates.
	`[\d,./%:+]*[,./%:+][\d,./%:+]*`,                        // 1,204 and 1204/1210 and 12.5% and 10:30
	`(?:19|2[01])\d\d[-./]\d\d?(?:[-./]\d\d?)?(?:[T -].*)?`, // 2026-11-21T14:31
	`\d\d?[-./]\d\d?[-./]\d{2,4}`,                           // 21.11.2026
	`\d\d?-[A-Za-z]{3}`,                                     // 07-ago
	`\d{1,2}(?:\.\d+)*-?[A-Za-z]{1,8}`,                      // 90d, 12-hour
	`\d+(?:\.\d+)?[A-Za-z]{1,6}`,                            // 512kB
	`\d+x\d+(?:x\d+)?`,                                      // 1920x1080
	`\d+[A-Z]/.*`,                                           // 25G/month
	`[~≈]\d.*`,                                              // ~3006
	`\$\d.*`,                                                // $10
	`#\d+(?:\..*)?`,                                         // #4521
	`#[0-9A-Fa-f]{3,8}.*`,                                   // #ff8800, a colour
	`0x[0-9a-fA-F]{1,8}`,                                    // 0xdeadbeef
	`(?:.*\W)?0x[0-9a-fA-F]{40}`,                            // the address of a contract
	`\d+=[A-Za-z]+`,                                         // 0=off

	// Versions, issues, and names with a date.
	`[A-Z]{2,}-\d{1,6}`, // OPS-4521
	`[\^~<>=vV]{0,2}\d+(?:\.\d+){2,}(?:[-+.]?[A-Za-z][\w.+-]{0,12})?`, // 2.3.1-rc1
	`[a-z][a-z/-]*@[v^~]?\d+(?:\.\d+)*(?:-\w+)?`,                      // node@20.11.1
	`[A-Za-z]{2,}[-_]?v?\d+(?:\.\d+)+[\w.-]{0,8}`,                     // Apache-2.0, tls1.3
	`v\d+`, // v3
	`[A-Za-z][A-Za-z\d._/-]*[-_.]?20\d\d-?[01]\d-?[0-3]\d[\w.:-]{0,8}`, // main-2026-02-07

	// Addresses and places.
	`[\w.+-]+@[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,18}`,   // bob@corp.io
	`[\w.-]+@[\w.-]+:.*`,                             // git@host.io:team/app
	`(?:mysql|pgsql|sqlite)?:?host=.*`,               // mysql:host=db01
	`(?:unix:/|urn:|data:).*`,                        // unix:/run/app.sock
	`//.*\..*`,                                       // //cdn.host.io/a
	`.*:latest`,                                      // db-password:latest, in a secret store
	`[a-z]+:\d{1,5}`,                                 // redis:6379
	`(?:~|\.{1,2})?/[a-z_.-]+(?:/[a-z_.-]*)+\d?`,     // /etc/app/key
	`.*%2F\D*`,                                       // a%2Fb
	`[A-Za-z][\w.-]+(?::[A-Za-z][\w.-]*)+:[\w./:-]+`, // agent:main:telegram
	`[a-z]{2,}:[\w.-]+/[\w./-]+`,                     // docker:team/app

	// What is public, or a digest.
	`(?:ssh-|sha\d{1,3}[:-]|id_(?:rsa|dsa|ecdsa|ed25519)).*`, // ssh-ed25519, sha256:9f86d0
	`pk_(?:live|test)_.*`,                 // the public one of two keys
	`LS0tLS1CRUdJTiB(?:DRVJU|QVUJMSUM).*`, // a certificate or a public key in base64
	`ENC\[.*`,                             // ENC[AES256_GCM,data:...], sealed

	// Flags, parameters and placeholders.
	`--?[A-Za-z][A-Za-z-]{2,}(?:=.*|\d)?`,    // --dry-run
	`-\w[|,]--.*`,                            // -p|--password
	`:[A-Za-z_.-]{3,}`,                       // :name, of a statement
	`[a-z_]+=`,                               // key=
	`%s.*`,                                   // %s
	`\[[A-Za-z][\w .@-]*\]?|\[\]?`,           // [name]
	`\{.*|.*\{.*\}.*`,                        // {name}
	`<[\w .@-]*>?`,                           // <value>
	`@[A-Za-z-]{3,}|@\w+\(.*|@[\w.-]+[/.].*`, // @name
	`\^[A-Z]+\^.*`,                           // ^PASS^
	`[A-Za-z_.*~^/-]*\*`,                     // prod-*
	`~\d+`,                                   // ~1
	`#[A-Za-z-]+|#\w+\\.*`,                   // #login
	`\w+\|.*`,                                // json|yaml
	`[a-z]+,[\w.,-]+`,                        // read,write
	`(?:[A-Za-z_][A-Za-z_.-]+|[A-Z\d]+_[A-Z\d_]+)=(?:[a-z]+|[\d.]+)(?:\(\w+\))?`, // retries=3

	// Source.
	`(?i:n?var(?:char|binary)2?|n?char|decimal|numeric|float|double|(?:big|tiny)?int)\([\d, ]+\)?`, // varchar(64)
	`function\(.*`, // function(a, b)
	`[\w.$>-]*\w\((?:[^)\d].*|\).*|\d+\).*|\d+[^)\d].*)?|:[\w.]+\(.*`, // load(name)
	`[A-Za-z_][\w.]*\[[\w'":]*\]?`,                                    // keys[0]
	`P?\w*=[\[{].*`,                                                   // a=[1, 2]
	`.*(?:\$\w+->|->$|:=$|::$).*|[A-Za-z_]*::.*|:[:$].*`,              // Hash::make($x)
	`\$\w+-`,                            // $user-
	`(?:.*\\x[0-9a-fA-F]{2}){2}.*`,      // \x1f\x8b
	`[a-z]\w*\.[a-z]\w*_\w+`,            // app.auth_token
	`(?:min|max|size|regex|between):.*`, // min:8|max:64
	`(?:current_password|confirmed|required|nullable)(?:[|:].*)?`, // required|string

	// Names of what holds secrets.
	`(?i:[a-z_.-]*passwor[a-z_.-]*|[a-z_-]*passwd|[a-z_-]+[_-](?:secret|token|pass|key))`,                                          // mypassword
	`(?i:convert|convertto|convertfrom|get|set|new|read|import|export|invoke|add|remove|write|test|out|start|stop)-[A-Z][A-Za-z]+`, // Get-Credential
	`(?i:[a-z_.-]*(?:b64|base64|base32|utf8|sha\d+|md5|oauth2|x509|ipv[46]|k8s|argon2|pbkdf2)[a-z_.-]*)`,                           // oauth2_client
	`[A-Z]+_[A-Z\d_]+`, // DB_PASSWORD
})

// readableNames are ordinary where they read as words.
var readableNames = whole([]string{
	`(?:~|\.\.?|[\w.-]+)?(?:/[\w.{}<>*:@-]*)+`, // a path
	`[A-Za-z_]\w*(?:[\\.:][A-Za-z_]\w*)+`,      // App\Auth, a.b.c
	`[A-Za-z][\w.-]*=[\w.,:%/-]*`,              // review=codex
	`[A-Z]{3,}[A-Z\d]*\d{1,4}`,                 // PGRST301
})
