package scrub

import (
	"bytes"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/prose"
	"memcurator/memstore/scrub/shape"
	"memcurator/memstore/scrub/view"
)

// collections reads the items below a title.
type collections struct {
	reader
	values   *values
	itemsEnd int // of the items that were read last
}

// Collections: what stands below a title such as "Family passwords" or "Logins", where no
// line says again what it holds.

// How far a collection reaches: lines, and bytes.
const (
	maxItems     = 200
	maxItemsText = 16 << 10
)

// collection reads the items below a title with a cue. It ends at the next title, or
// after a paragraph of prose. It reports whether the line of the cue is such a title.
func (r *collections) collection(kind prose.Kind, from, to int) bool {
	b := r.text
	if from < r.itemsEnd || !collectionTitle(b, from, to) || kind == prose.Login && r.format != view.Markdown && r.format != view.Plain {
		return false
	}
	at := ascii.LineEnd(b, to, 60) + 1
	limit := min(len(b), at+maxItemsText)
	prose, items := 0, 0
	for n := 0; at < limit && n < maxItems && prose < 2; n++ {
		end := ascii.LineEnd(b, at, shape.MaxValue)
		line := bytes.TrimSpace(b[at:end])
		switch {
		case len(line) == 0:
		case titleLine(line), line[len(line)-1] == ':' && b[at] > ' ':
			r.itemsEnd = at
			return true
		case line[0] == '|': // a table says itself what its columns hold
		case bytes.Count(line, []byte(" ")) > 9:
			prose++
		default:
			r.item(kind, at, end, items == 0)
			items++
		}
		at = end + 1
	}
	r.itemsEnd = min(at, len(b))
	return true
}

// titleLine reports a title of Markdown or a rule between sections.
func titleLine(line []byte) bool {
	return line[0] == '#' || bytes.HasPrefix(line, []byte("---")) || bytes.HasPrefix(line, []byte("===")) ||
		bytes.HasPrefix(line, []byte("**")) && bytes.HasSuffix(line, []byte("**"))
}

// collectionTitle reports a line that is a title and whose cue is in the plural or says
// that a list follows. Scripts without a plural need the title to end with the cue.
func collectionTitle(b []byte, from, to int) bool {
	end := ascii.LineEnd(b, to, 40)
	if end < len(b) && b[end] != '\n' {
		return false
	}
	start := ascii.LineStart(b, from, 60)
	if from-start >= 60 {
		return false
	}
	if sh := shape.Of(b[from+1 : to]); sh.Upper > 0 && sh.Lower > 0 {
		return false // imagePullSecrets
	}
	line := bytes.TrimRight(b[start:end], " \t\r*:_")
	marked := len(line) > 0 && (line[0] == '#' || bytes.HasPrefix(line, []byte("**")))
	listed := end+2 < len(b) && (b[end+1] == '-' || b[end+1] == '*') && b[end+2] == ' ' && start == from && bytes.Count(line, []byte(" ")) < 4
	if rest := bytes.TrimSpace(b[to:end]); !marked && !listed && !listTitles.Has(bytes.ToLower(rest)) &&
		(len(rest) == 0 || rest[len(rest)-1] != ':' && !bytes.HasSuffix(rest, []byte("："))) {
		return false
	}
	if shape.Of(line).Digit > 4 || bytes.ContainsAny(b[to:end], "=/\"'`,.") {
		return false
	}
	for w := range bytes.FieldsSeq(line) {
		if aboutThem.Has(bytes.ToLower(w)) {
			return false
		}
	}
	rest := bytes.Trim(b[to:end], " \t\r*:_")
	return plural(b[from:to]) && bytes.Count(rest, []byte(" ")) < 4 || listTitles.Has(bytes.ToLower(rest))
}

// plural reports a cue that names several: by its ending, or in a script that has none.
func plural(cue []byte) bool {
	last := cue[len(cue)-1]
	return last >= 0x80 || len(cue) > 5 && last == 's' && !ascii.HasFold(cue[len(cue)-2:], "ss") || ascii.HasFold(cue, "passwörter") ||
		ascii.HasFold(cue, "kennwörter") || ascii.HasFold(cue, "zugangsdaten") || ascii.HasFold(cue, "mots de passe")
}

// listTitles are words behind a cue by which a title announces a list of values.
var listTitles = ascii.NewWords("list liste lista table sheet vault book 一覧 リスト 目録 メモ 목록 리스트 모음 列表 清单 清單 一览 本 表")

// aboutThem are words of a title under which no value is kept.
var aboutThem = ascii.NewWords(`policy policies rules rule requirements reset rotation rotating hygiene management manager managers best
 practices tips guidelines
 how why when never no without avoid about leaked richtlinie richtlinien regeln hinweise politique règles política reglas`)

// item takes the value of one line of a collection: what stands last in it, behind a name.
func (r *collections) item(kind prose.Kind, at, end int, first bool) {
	b := r.text
	from := itemValue(b, at, end, first)
	if from < 0 || ofFile(b[at:from]) {
		return
	}
	stop := shape.Trimmed(b, from, shape.BareEnd(b, from), kind != prose.Secret)
	if n, shut := shape.QuoteAt(b, from); n > 0 {
		from += n
		if stop = shape.QuotedEnd(b, from, shut); stop < 0 {
			return
		}
	}
	if rest := bytes.TrimRight(b[min(stop, end):end], " \t\r`*\"'|)"); len(rest) > 0 && rest[0] != '(' && rest[0] != ' ' || stop > end {
		return
	}
	if i := bytes.IndexAny(b[from:stop], "=/"); i > 0 && from+i+4 < stop && ascii.Run(b, from, userBytes) == from+i {
		from += i + 1 // a key, a name
	}
	v := b[from:stop]
	if sh := shape.Of(v); looksLikeAddress(v) || sh.Digit+sh.Symbol < 2 && prose.HyphenWords(v) < 4 && !prose.Scattered(v, sh) ||
		sh.Letters() == 0 && sh.Symbol == 0 {
		return
	}
	f := prose.Copula
	if kind == prose.Login { // of any login: times and counts appear there too
		kind, f = prose.Password, prose.Beside
	}
	r.values.judge(kind, f, from, stop, false)
}

// ofFile reports a label of what identifies a file or a state of one.
func ofFile(label []byte) bool { return fileLabels.In(label) }

var fileLabels = ascii.NewPhrases("etag", "commit", "sha", "md5", "digest", "checksum", "fingerprint", "hash")

// itemSeparators stand between the name and the value of an item, the surest last.
var itemSeparators = []string{";", " - ", " – ", " — ", " = ", " → ", " -> ", ", ", " / ", " | ", "\t", "：", ": "}

// itemValue is where the last field of an item begins: behind its last separator, at the
// code or the bold text that ends it, or, in the last line of an entry that has one word,
// the word; -1 where it has none. The first line below a title may be a value itself.
func itemValue(b []byte, at, end int, first bool) int {
	from := -1
	if line := bytes.TrimRight(b[at:end], " \t\r"); len(line) > 2 && line[len(line)-1] == '`' {
		return at + bytes.LastIndexByte(line[:len(line)-1], '`')
	}
	for _, sep := range itemSeparators {
		if i := bytes.LastIndex(b[at:end], []byte(sep)); i > 0 {
			from = max(from, at+i+len(sep))
		}
	}
	if from < 0 {
		start := at + len(b[at:end]) - len(bytes.TrimLeft(b[at:end], " \t>-*+"))
		if !first && (start == at || b[at] != ' ' && b[at] != '\t') || at == 0 || bytes.ContainsAny(bytes.TrimSpace(b[start:end]), " \t") {
			return -1
		}
		if next := ascii.LineEnd(b, end+1, shape.MaxValue); end+1 < len(b) && len(bytes.TrimSpace(b[end+1:next])) > 0 &&
			(b[end+1] == ' ' || b[end+1] == '\t') {
			return -1 // the last line of an entry has the value
		}
		from = start
	}
	for from < end && (b[from] == ' ' || b[from] == '*') {
		from++
	}
	if from == end {
		return -1
	}
	return from
}

// looksLikeAddress reports an address of mail, a URL, a path, a date or a time.
func looksLikeAddress(v []byte) bool {
	if i := bytes.LastIndexByte(v, '@'); i > 0 {
		if dot := bytes.LastIndexByte(v[i:], '.'); dot > 1 && ascii.Run(v, i+dot+1, ascii.Letters) == len(v) && len(v)-i-dot > 2 {
			return true
		}
	}
	return bytes.Contains(v, []byte("://")) || bytes.Count(v, []byte("/")) > 1 || ascii.Run(v, 0, stampBytes) == len(v)
}

var stampBytes = ascii.NewSet("0-9:./TZ-")
