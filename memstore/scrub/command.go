package scrub

import (
	"bytes"
	"maps"
	"slices"

	"memcurator/memstore/scrub/ascii"
	"memcurator/memstore/scrub/prose"
	"memcurator/memstore/scrub/shape"
)

// commands reads the command lines of programs.
type commands struct{ reader }

// spec says where a program takes a password on its command line.
type spec struct {
	plain string // flags by letter whose value is a password
	pair  string // flags by letter whose value is name and password, with a colon, "%", a comma or a slash between
	long  string // a flag by name whose value is such a pair
	// sticks means that the value follows its letter without a space.
	sticks bool
	// place is the argument that is a password, counted from 1 without flags; -1 is the last one.
	place int
	// batch is a flag by letter without which the program asks, and place is none.
	batch byte
	bind  bool // an argument of the form name/password@service
}

// programs are those that take a password behind a short flag or at a place of its own.
// What they take behind a flag with a name ("--password") is found by the name.
var programs = map[string]spec{
	"curl": {pair: "uU", long: "user"}, "http ": {pair: "a"}, "https ": {pair: "a"}, "ab ": {pair: "A"}, "lftp": {pair: "u"},
	"smbclient": {pair: "U"}, "etcdctl": {long: "user"}, "rpcclient": {pair: "U"},
	"sshpass": {plain: "p", sticks: true}, "mysql ": {plain: "p", sticks: true}, "mysqldump": {plain: "p", sticks: true},
	"mysqladmin": {plain: "p", sticks: true}, "mysqlimport": {plain: "p", sticks: true}, "mysqlsh": {plain: "p", sticks: true},
	"mariadb": {plain: "p", sticks: true},
	"7z ":     {plain: "p", sticks: true}, "7za ": {plain: "p", sticks: true}, "7zz ": {plain: "p", sticks: true},
	"rar ": {plain: "p", sticks: true}, "unzip": {plain: "P"}, "zip ": {plain: "P"},
	"redis-cli": {plain: "a"}, "docker login": {plain: "p"}, "podman login": {plain: "p"}, "helm registry login": {plain: "p"},
	"az login": {plain: "p"}, "oc login": {plain: "p"}, "cf login": {plain: "p"}, "twine upload": {plain: "p"},
	"mongo ": {plain: "p"}, "mongosh": {plain: "p"}, "mongodump": {plain: "p"}, "mongorestore": {plain: "p"},
	"rabbitmqadmin": {plain: "p"}, "cqlsh": {plain: "p"}, "sqlcmd": {plain: "P"}, "bcp ": {plain: "P"}, "influx ": {plain: "p"},
	"ldapsearch": {plain: "w"}, "ldapmodify": {plain: "w"}, "ldapadd": {plain: "w"}, "ldapwhoami": {plain: "w"},
	"ldappasswd": {plain: "ws"}, "mosquitto_pub": {plain: "P"}, "mosquitto_sub": {plain: "P"}, "ipmitool": {plain: "P"},
	"snmpwalk": {plain: "AX"}, "snmpget": {plain: "AX"}, "rdesktop": {plain: "p"}, "evil-winrm": {plain: "p"}, "psexec": {plain: "p"},
	"crackmapexec": {plain: "p"}, "netexec": {plain: "p"}, "smbmap": {plain: "p"},
	"net use": {place: -1}, "net user": {place: 2}, "htpasswd": {place: -1, batch: 'b'}, "mosquitto_passwd": {place: -1, batch: 'b'},
	"rabbitmqctl add_user": {place: 2}, "rabbitmqctl change_password": {place: 2},
	"samba-tool user create": {place: 2}, "bw unlock": {place: 1}, "bw login": {place: 2}, "wpa_passphrase": {place: 2},
	"sqlplus": {bind: true}, "expdp": {bind: true}, "impdp": {bind: true}, "sqlldr": {bind: true},
	"openssl enc": {plain: "k"}, "ansible-vault encrypt_string": {place: 1}, "rclone obscure": {place: 1},
	"sv_setsteamaccount": {place: 1}, "convertto-securestring": {place: 1}, "kinit": {}, "cryptsetup": {}, "gh auth login": {},
	"openconnect": {}, "smbpasswd": {},
}

// maxCommand bounds one line of a command, in bytes, maxCommandLines all of them.
const (
	maxCommand      = 600
	maxCommandLines = 4 << 10
)

var signInCommands = detector{
	words: func() []string { return slices.Collect(maps.Keys(programs)) },
	begin: func(s *scan) reading { return (&commands{s.reader}).command },
}

// command reads the rest of a command line for what carries a password.
func (r *commands) command(start, end int) {
	b := r.text
	if start > 0 && (ascii.Alnums[b[start-1]] || b[start-1] == '-' || b[start-1] == '.' || b[start-1] == '/' && start > 1 &&
		b[start-2] == '/') {
		return
	}
	name := string(bytes.ToLower(b[start:end]))
	spec := programs[name]
	if b[end-1] != ' ' && end < len(b) && ascii.Alnums[b[end]] || end+1 < len(b) && b[end] == '.' && b[end+1] == ' ' {
		return // another program, the end of a sentence
	}
	stop := ascii.LineEnd(b, end, maxCommand)
	if start > 0 && (b[start-1] == '\'' || b[start-1] == '"') {
		stop = quoteEnd(b, end, stop, b[start-1]) // a command that another one runs
	} else if bytes.Count(b[ascii.LineStart(b, start, maxCommand):start], []byte("`"))%2 == 1 {
		stop = quoteEnd(b, end, stop, '`')
	}
	if name == "sshpass" {
		stop = beforeProgram(b, end, stop)
	}
	for i := end; i+2 < stop; i++ {
		switch {
		case b[i] == '\\' && i+1 < len(b) && b[i+1] == '\n':
			stop = max(stop, min(ascii.LineEnd(b, i+2, maxCommand), end+maxCommandLines))
		case b[i] == '<' && i+4 < stop && string(b[i:i+4]) == "<<< ":
			r.flagValue(ascii.Run(b, i+4, ascii.Blanks), false)
		case b[i-1] != ' ' && b[i-1] != '\t':
		case b[i] == '-' && b[i+1] == '-':
			if n := len(spec.long); n > 0 && i+2+n < stop && string(b[i+2:i+2+n]) == spec.long && (b[i+2+n] == ' ' || b[i+2+n] == '=') {
				r.flagValue(i+3+n, true)
			}
		case b[i] == '-':
			r.shortFlag(spec, i+1, stop, name == "sshpass")
		}
	}
	if spec.place != 0 || spec.bind {
		r.argument(spec, end, stop)
	}
}

// quoteEnd is where the quote is closed that a command is in, stop at the latest.
func quoteEnd(b []byte, at, stop int, quote byte) int {
	if i := bytes.IndexByte(b[at:stop], quote); i >= 0 {
		return at + i
	}
	return stop
}

// beforeProgram is where the program begins that sshpass starts: the flags behind its name are its own.
func beforeProgram(b []byte, at, stop int) int {
	for _, program := range []string{" ssh ", " scp ", " sftp ", " rsync ", " ansible"} {
		if i := bytes.Index(b[at:stop], []byte(program)); i >= 0 {
			stop = at + i + 1
		}
	}
	return stop
}

// shortFlag reads one flag by its letter at at.
func (r *commands) shortFlag(spec spec, at, stop int, either bool) {
	b := r.text
	flag := b[at]
	at++
	plain, pair := bytes.IndexByte([]byte(spec.plain), flag) >= 0, bytes.IndexByte([]byte(spec.pair), flag) >= 0
	apart := at < stop && (b[at] == ' ' || b[at] == '=')
	switch {
	case !plain && !pair:
	case apart && spec.sticks && flag == 'p' && !either: // mysql -p asks; what follows is the name of the database
	case apart:
		r.flagValue(at+1, pair)
	case spec.sticks || pair:
		r.flagValue(at, pair)
	}
}

// argument finds the argument of a command line that is a password.
func (r *commands) argument(spec spec, at, stop int) {
	b := r.text
	if at < len(b) && b[at] != ' ' && b[at] != '\t' {
		return
	}
	n, batch, last := 0, false, cell{}
	for at < stop {
		if at = ascii.Run(b, at, ascii.Blanks); at >= stop || b[at] == '|' || b[at] == '>' || b[at] == ';' || b[at] == '&' || b[at] == '#' {
			break
		}
		from := at
		open, shut := shape.QuoteAt(b, at)
		if shut == "`" {
			break // the end of a piece of code in a sentence
		}
		end := ascii.Run(b[:stop], at, wordBytes)
		if q := shape.QuotedEnd(b, at+open, shut); open > 0 && q > 0 {
			at, end = at+open, q
		}
		next := max(end+open, from+1)
		switch {
		case b[from] == '-':
			batch = batch || spec.batch != 0 && bytes.IndexByte(b[from:end], spec.batch) > 0
		case b[from] == '/' && spec.batch == 0, b[from] == '\\', end > at && b[end-1] == ':', b[from] == '*':
		case end > at:
			last = cell{at, end}
			if n++; n == spec.place && open == 0 && shape.Of(b[at:end]).Letters() == end-at && end+1 < stop && b[end] == ' ' &&
				ascii.Lowers[b[end+1]] {
				return // a sentence continues
			}
			if n == spec.place || spec.bind && r.bound(last) {
				r.flagValue(from, false)
				return
			}
		}
		at = next
	}
	if spec.place < 0 && (spec.batch == 0 && n == 1 || batch && n > 1) {
		r.flagCell(last)
	}
}

// wordBytes are what the arguments of a command line are made of.
var wordBytes = ascii.NewSet("!-~")

// bound reads name/password@service.
func (r *commands) bound(c cell) bool {
	v := r.text[c.start:c.end]
	slash, at := bytes.IndexByte(v, '/'), bytes.LastIndexByte(v, '@')
	if at < 0 {
		at = len(v)
	}
	if slash > 0 && at > slash+1 {
		r.flagCell(cell{c.start + slash + 1, c.start + at})
	}
	return false
}

// flagValue takes the value of a flag, of a pair only what follows the separator.
func (r *commands) flagValue(at int, pair bool) {
	b := r.text
	var end int
	if n, shut := shape.QuoteAt(b, at); n > 0 {
		at += n
		end = shape.QuotedEnd(b, at, shut)
	} else {
		end = shape.BareEnd(b, at)
	}
	if end <= at {
		return
	}
	if pair {
		if b[at] == '$' && end > at+1 && (b[at+1] == '(' || b[at+1] == '{') {
			return // what a command prints
		}
		i := bytes.IndexAny(b[at:end], ":%,")
		if i < 0 {
			return
		}
		at += i + 1
	}
	r.flagCell(cell{at, end})
}

// flagCell reports the value of a flag if it may be a password.
func (r *commands) flagCell(c cell) {
	v := r.text[c.start:c.end]
	if len(v) >= 4 && !shape.IsDummy(v) && !plainPlaceholder(v) && !shape.IsPlaceholder(v) && !prose.NotASecret(v) &&
		!shape.IsSetting(v) && !r.prose.IsStop(v) && v[0] != '-' {
		r.found.detect("password", c.start, c.end)
	}
}

var pipedPasswords = detector{
	words: func() []string {
		return []string{
			"| sudo -s", "--password-stdin", "| chpasswd", "| sudo chpasswd", "| kinit", "| passwd", "| sudo passwd",
			"| sudo cryptsetup", "| cryptsetup", "--with-token", "| openconnect", "| su -", "| smbpasswd",
		}
	},
	begin: func(s *scan) reading { return (&commands{s.reader}).piped },
}

// piped looks back from "| sudo -S" and the like for what echo prints.
func (r *commands) piped(at, _ int) {
	b := r.text
	from := ascii.LineStart(b, at, 300)
	line := b[from:at]
	i := bytes.LastIndex(line, []byte("echo "))
	skip := 5
	if i < 0 {
		if i, skip = bytes.LastIndex(line, []byte("printf ")), 7; i < 0 {
			return
		}
	}
	start := from + i + skip
	if bytes.HasPrefix(b[start:], []byte("-n ")) {
		start += 3
	}
	r.flagValue(start, bytes.HasSuffix(b[:ascii.LineEnd(b, at, 40)], []byte("chpasswd")))
}

var pgpassLines = detector{
	words: func() []string { return []string{":5432:"} },
	begin: func(s *scan) reading { return (&commands{s.reader}).pgpass },
}

// pgpass reads the end of host:5432:database:user:password.
func (r *commands) pgpass(_, at int) {
	b := r.text
	end := ascii.LineEnd(b, at, 300)
	fields := bytes.SplitN(b[at:end], []byte(":"), 3)
	if len(fields) != 3 || bytes.IndexByte(b[at:end], ' ') >= 0 && bytes.IndexByte(b[at:end], ' ') < len(fields[0])+len(fields[1])+2 {
		return
	}
	from := at + len(fields[0]) + len(fields[1]) + 2
	if stop := shape.BareEnd(b, from); stop-from >= 4 && !shape.IsDummy(b[from:stop]) {
		r.found.detect("password", from, stop)
	}
}

var signInFlags = detector{
	words: func() []string { return []string{" -p "} },
	begin: func(s *scan) reading { return (&commands{s.reader}).signInFlags },
}

// signInFlags reads "-u name -p value" of an unknown program. A port, a
// path or a mode behind -p is not a password.
func (r *commands) signInFlags(start, at int) {
	b := r.text
	line := b[ascii.LineStart(b, start, 200):ascii.LineEnd(b, at, 200)]
	if !bytes.Contains(line, []byte(" -u")) && !bytes.Contains(line, []byte(" -U ")) && !bytes.Contains(line, []byte(" --user")) &&
		!bytes.Contains(line, []byte(" -l ")) {
		return
	}
	end := shape.BareEnd(b, at)
	if n, shut := shape.QuoteAt(b, at); n > 0 {
		at += n
		end = shape.QuotedEnd(b, at, shut)
	}
	if end-at < 6 {
		return
	}
	if v := b[at:end]; shape.Of(v).Letters() >= 2 && bytes.IndexByte(v, '/') < 0 && bytes.IndexByte(v, ':') < 0 &&
		r.prose.Plausible(prose.Password, prose.Beside, v, false) {
		r.found.detect("password", at, end)
	}
}
