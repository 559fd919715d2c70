package scrub

import "bytes"

// commands are programs that take a password behind a short flag. "u" is a flag whose
// value is name:password, "p" one whose value may stick to it.
var commands = map[string]struct {
	plain, pair string // flags by letter: a password; name and password with a colon or "%"
	sticks      bool
}{
	"curl": {pair: "uU"}, "wget ": {}, "sshpass": {plain: "p", sticks: true}, "mysql ": {plain: "p", sticks: true}, "mysqldump": {plain: "p", sticks: true}, "mysqladmin": {plain: "p", sticks: true}, "mariadb": {plain: "p", sticks: true},
	"redis-cli": {plain: "a"}, "docker login": {plain: "p"}, "podman login": {plain: "p"}, "helm registry login": {plain: "p"}, "az login": {plain: "p"}, "oc login": {plain: "p"}, "mongo ": {plain: "p"}, "mongosh": {plain: "p"}, "mongodump": {plain: "p"},
	"ldapsearch": {plain: "w"}, "ldapmodify": {plain: "w"}, "mosquitto_pub": {plain: "P"}, "mosquitto_sub": {plain: "P"}, "smbclient": {pair: "U"}, "unzip": {plain: "P"}, "zip ": {plain: "P"}, "7z ": {plain: "p", sticks: true}, "http ": {pair: "a"},
	"https ": {pair: "a"}, "rabbitmqadmin": {plain: "p"}, "cqlsh": {plain: "p"}, "sqlcmd": {plain: "P"}, "bcp ": {plain: "P"}, "influx ": {plain: "p"}, "snowsql": {plain: "p"}, "impacket": {}, "htpasswd": {},
}

// command reads the rest of a command line for flags that carry a password.
func (s *scan) command(start, end int) {
	b := s.text
	if start > 0 && (alnums[b[start-1]] || b[start-1] == '-' || b[start-1] == '.' || b[start-1] == '/' && start > 1 && b[start-2] == '/') {
		return
	}
	spec := commands[string(bytes.ToLower(b[start:end]))]
	stop := lineEnd(b, end, 600)
	for i := end; i+2 < stop; i++ {
		if b[i] == '\\' && i+1 < len(b) && b[i+1] == '\n' {
			stop = lineEnd(b, i+2, 600)
			continue
		}
		if b[i] != '-' || i == 0 || b[i-1] != ' ' && b[i-1] != '\t' || b[i+1] == '-' {
			continue
		}
		flag, at := b[i+1], i+2
		plain, pair := bytes.IndexByte([]byte(spec.plain), flag) >= 0, bytes.IndexByte([]byte(spec.pair), flag) >= 0
		apart := at < stop && (b[at] == ' ' || b[at] == '=')
		if plain || pair {
			if apart && (spec.sticks && flag == 'p' && !bytes.HasPrefix(b[start:], []byte("sshpass"))) {
				continue // mysql -p asks; what follows is the name of the database
			}
			if apart {
				at++
			} else if !spec.sticks && !pair {
				continue
			}
			s.flagValue(at, pair)
		}
	}
}

// flagValue takes the value of a flag, of a pair only what stands behind the colon.
func (s *scan) flagValue(at int, pair bool) {
	b := s.text
	var end int
	if n, shut := quoteAt(b, at); n > 0 {
		at += n
		end = quoted(b, at, shut)
	} else {
		end = bareEnd(b, at)
	}
	if end <= at {
		return
	}
	if pair {
		i := bytes.IndexAny(b[at:end], ":%")
		if i < 0 {
			return
		}
		at += i + 1
	}
	if end-at >= 4 && !isDummy(b[at:end]) && !plainPlaceholder(b[at:end]) && !s.isStop(b[at:end]) && b[at] != '-' {
		s.detect("password", at, end)
	}
}

// piped looks back from "| sudo -S" and the like for what echo prints.
func (s *scan) piped(at int) {
	b := s.text
	from := lineStart(b, at, 300)
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
	s.flagValue(start, bytes.HasPrefix(b[at:], []byte("| chpasswd")))
}

// wifi reads the text of a code for a wireless network: WIFI:S:name;T:WPA;P:password;;
func (s *scan) wifi(at int) {
	b := s.text
	line := b[at:lineEnd(b, at, 300)]
	for _, key := range []string{";P:", "P:"} {
		i := bytes.Index(line, []byte(key))
		if i < 0 || key == "P:" && i > 0 {
			continue
		}
		from := at + i + len(key)
		end := from
		for end < len(b) && b[end] != ';' && b[end] > ' ' && b[end] != '"' && b[end] != '`' {
			if b[end] == '\\' {
				end++
			}
			end++
		}
		if end = min(end, len(b)); end-from >= 4 && !isDummy(b[from:end]) {
			s.detect("password", from, end)
		}
		return
	}
}

// pgpass reads the end of host:5432:database:user:password.
func (s *scan) pgpass(at int) {
	b := s.text
	end := lineEnd(b, at, 300)
	fields := bytes.SplitN(b[at:end], []byte(":"), 3)
	if len(fields) != 3 || bytes.IndexByte(b[at:end], ' ') >= 0 && bytes.IndexByte(b[at:end], ' ') < len(fields[0])+len(fields[1])+2 {
		return
	}
	from := at + len(fields[0]) + len(fields[1]) + 2
	if stop := bareEnd(b, from); stop-from >= 4 && !isDummy(b[from:stop]) {
		s.detect("password", from, stop)
	}
}
