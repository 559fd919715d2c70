package judge

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
)

// notValue are parts of a key that make it hold something about the secret, not the secret.
var notValue = ascii.NewWords(`count type url uri endpoint expiry expires expiration expired ttl name names arn path file files filename
 policy length len
 min max limit limits usage used budget field fields reset manager store storage ref reference version rotation rotated rotate label
 hint status
 prefix suffix format id ids index description placeholder input box prompt dialog form page link email change changed age strategy provider
 service server header hash hashes hashed algorithm size window per rate price cost bucket family kind scope scopes issuer audience required
 protected less based authentication auth enabled disabled validation validator generator generation checker strength regex pattern
 column table
 location dir directory env var variable source mount selector class module handler func function method cache exists missing error
 invalid ok
 at on in by through fail failed failing word less rule rules requirement requirements
 timeout timeouts attempts retries lifetime validity interval delay cost rounds iterations days hours minutes seconds period history
 complexity quality enforcement screen page task
 validators validations generators hasher hashers checker managers resets policies settings options types names paths files fields
 sha256 sha1 sha512 md5 digest checksum fingerprint audit template opt uid gid gecos labels hints spec specs schema dto
 address addresses mint contract`)

// valueKeys are last parts of dotted keys that hold the value itself.
var valueKeys = ascii.NewWords(`value key secret token password pass pwd current prod production dev test staging default admin root user db
 database plain plaintext text string data main local master api encoded raw parts`)

// KeyMayHold judges what comes before and after the cue inside one identifier: DB_PASSWORD_HASH holds no password.
func KeyMayHold(before, after []byte) bool {
	ok := !ascii.HasFold(before, "sec-websocket") // a nonce of a handshake
	eachPart(before, func(w []byte) { ok = ok && !ascii.HasFold(w, "public") })
	if i := bytes.LastIndexByte(after, '.'); i >= 0 && i+1 < len(after) && after[0] == '.' && !valueKeys.Has(after[i+1:]) {
		return false // a property of it: master-key.region
	}
	eachPart(after, func(w []byte) { ok = ok && !notValue.Has(w) })
	return ok
}

// eachPart calls visit with the parts of snake_case, kebab-case and camelCase.
func eachPart(b []byte, visit func([]byte)) {
	start := 0
	for i := 0; i <= len(b); i++ {
		edge := i == len(b) || !ascii.Alnums[b[i]]
		if !edge && !(i > start && ascii.Uppers[b[i]] && ascii.Lowers[b[i-1]]) {
			continue
		}
		if i > start {
			visit(b[start:i])
		}
		start = i
		if edge {
			start++
		}
	}
}

// halves are second halves of words whose first half is a cue: a field, a dialogue, a page about passwords.
var halves = ascii.NewWords(`field fields box input column dialog dialogue page screen form reset hash hashing policy policies manager
 managers task strength prompt rotation hint generator checker feature module flow
 feld felder dialog eingabe seite maske formular richtlinie rücksetzung champ champs campo campos formulaire página politique política`)

// foreignHalves are the same in scripts without spaces, right behind the cue.
var foreignHalves = ascii.Phrases{"欄", "入力", "画面", "フォーム", "ダイアログ", "管理", "変更画面", "ポリシー", "リセット",
	"입력", "화면", "필드", "정책", "관리자", "框", "输入", "页面", "字段", "策略", "重置", "化"}

// NamesOther reports what follows a cue and makes it the name of something about secrets, unless a value is assigned to it.
func NamesOther(after []byte) bool {
	rest := bytes.TrimLeft(after, " ")
	if len(rest) == 0 {
		return false
	}
	if rest[0] >= 0xe3 {
		return foreignHalves.Begin(rest) != ""
	}
	if after[0] != ' ' && after[0] != '-' {
		return false
	}
	end := ascii.Run(after, 1, ascii.Letters)
	return halves.Has(after[1:end]) && (end == len(after) || after[end] != ':' && after[end] != '=')
}
