package ccmemory

import (
	"context"
	"time"
	"unicode/utf16"

	"memcurator/memstore/adapt"
)

// Import is a plan to put the records of an export into a database.
type Import struct {
	New, Different []string // what they are called
	Same           int
	Expired        int // items of working memory that have expired since
	Loose          int // relations to entities that neither has
	image          *adapt.Image
	add            []row
	change         [][2]row // as it is, as it would be
}

// PlanImport compares an export with the records of an image.
func (s *Source) PlanImport(ctx context.Context, image *adapt.Image, export *Memory, now time.Time) (*Import, error) {
	st, err := s.of(ctx, image)
	if err != nil {
		return nil, err
	}
	p := &Import{image: image}
	there := map[recordKey]row{}
	for _, r := range st.memory.rows {
		there[recordKey{r.table, r.id()}] = r
		if other := r.otherKey(); other != "" {
			there[recordKey{r.table, "=" + other}] = r
		}
	}
	entities := map[string]string{} // IDs in the database, by those in the export
	for _, r := range export.rows {
		was, exists := there[recordKey{r.table, r.id()}]
		if other := r.otherKey(); !exists && other != "" {
			was, exists = there[recordKey{r.table, "=" + other}]
		}
		if r.table == entityTable {
			entities[r.id()] = r.id()
			if exists {
				entities[r.id()] = was.id()
			}
		}
		if r.table == relationTable && !exists {
			from, to := entityHere(entities, there, r.text("from_entity")), entityHere(entities, there, r.text("to_entity"))
			if from == "" || to == "" {
				p.Loose++
				continue
			}
			r = r.copied()
			r.put("from_entity", from)
			r.put("to_entity", to)
		}
		switch {
		case r.table == workingTable && int64(r.time("expires_at")) <= now.UnixMilli():
			p.Expired++
		case !exists:
			p.add = append(p.add, r)
			p.New = append(p.New, r.called())
		case r.changes(was) == nil:
			p.Same++
		default:
			p.change = append(p.change, [2]row{was, *r.changes(was)})
			p.Different = append(p.Different, r.called())
		}
	}
	return p, nil
}

// entityHere is the ID in the database of an entity of the export; "" if there is none.
func entityHere(entities map[string]string, there map[recordKey]row, id string) string {
	if to := entities[id]; to != "" {
		return to
	}
	if _, ok := there[recordKey{entityTable, id}]; ok {
		return id
	}
	return ""
}

// otherKey is by what a record is one of a kind besides its ID.
func (r row) otherKey() string {
	switch r.table {
	case workingTable:
		return r.text("key")
	case entityTable:
		return r.text("name")
	case transcriptTable:
		return r.text("episode_id")
	}
	return ""
}

// called is a name for lists.
func (r row) called() string {
	for _, column := range []string{"key", "name", "summary"} {
		if s := r.text(column); s != "" {
			return r.table.layer + ": " + s
		}
	}
	switch r.table {
	case transcriptTable:
		return "transcript of " + r.text("episode_id")
	case relationTable:
		return "relation " + r.text("relation_type")
	}
	return r.id()
}

// unsaid are columns that an export doesn't have.
var unsaid = map[string]bool{"id": true, "created_at": true, "stability": true, "message_count": true, "total_chars": true}

// changes is the record was with the values of an export; nil if they are the same.
func (r row) changes(was row) *row {
	out := was.copied()
	differ := false
	for _, c := range r.table.columns {
		v := r.value(c.name)
		if v == nil || unsaid[c.name] && (c.name != "created_at" || r.table != workingTable && r.table != entityTable) ||
			same(c.form, was.value(c.name), v) {
			continue
		}
		differ = true
		out.put(c.name, v)
	}
	if !differ {
		return nil
	}
	return &out
}

// announce is told what a memory is going to hold, before it does; the function that it returns, how that ended.
type announce func(after *adapt.Image) (end func(error), err error)

// Import carries out a plan: what is new, and with replace what differs, too. tell may be nil.
func (s *Source) Import(ctx context.Context, p *Import, replace bool, tell announce) error {
	st, err := s.of(ctx, p.image)
	if err != nil {
		return err
	}
	now := s.now()
	return s.changeTold(ctx, st, false, func(c *changer) error {
		for _, r := range p.add {
			if err := c.insert(r, now); err != nil {
				return err
			}
		}
		if !replace {
			return nil
		}
		for _, pair := range p.change {
			if err := c.update(pair[0], pair[1], now); err != nil {
				return err
			}
		}
		return nil
	}, tell)
}

// measured fills in the counts of a transcript.
func (r row) measured() {
	list, _ := messages(r.json("transcript"))
	r.put("message_count", int64(len(list)))
	r.put("total_chars", int64(len(utf16.Encode([]rune(string(r.json("transcript")))))))
}
