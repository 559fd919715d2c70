package cctest

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// words of the random records: some are stop words or too short for the index, some Japanese, some special in names or in JSON.
var words = strings.Fields(`deploy pool connection timeout database retry cache token session queue release build test the of in a is and to
	db go v2 x1 under_score naïve Straße İstanbul ΟΔΟΣ émigré 認証 接続 データベース の失敗 リリース を移行 キャッシュ "quoted" back\slash a/b <tag> & 🚀 don't
	e-mail 10,000 100% foo.bar C++ [[link]] #tag Kelvin`)

// Random is a memory of about n records, the same for the same seed: texts of mixed scripts, values and times over half a year around now.
func Random(now time.Time, seed uint64, n int) Memory {
	g := random{rand.New(rand.NewPCG(seed, 17)), now.UnixMilli()}
	m := Memory{Transcripts: map[string][]Message{}}
	for i := range max(n/10, 3) {
		m.Working = append(m.Working, g.working(i))
	}
	for i := range n / 4 {
		m.Entities = append(m.Entities, g.entity(i))
	}
	for i := range n/2 + 1 {
		e := g.episode(i)
		for range g.IntN(3) {
			if len(m.Episodes) > 0 && len(m.Entities) > 0 {
				e.RelatedEpisodes = append(e.RelatedEpisodes, m.Episodes[g.IntN(len(m.Episodes))].ID)
				e.RelatedEntities = append(e.RelatedEntities, m.Entities[g.IntN(len(m.Entities))].ID)
			}
		}
		m.Episodes = append(m.Episodes, e)
		if g.IntN(4) == 0 {
			m.Transcripts[e.ID] = g.transcript()
		}
	}
	for i := range len(m.Entities) {
		m.Relations = append(m.Relations, Relation{ID: ID(g.before(), 3_000_000+i), From: m.Entities[g.IntN(len(m.Entities))].ID,
			To: m.Entities[g.IntN(len(m.Entities))].ID, Type: pick(g.Rand, "uses", "depends_on", "supersedes", "related_to"),
			Strength: float64(g.IntN(101)) / 100, Created: g.before()})
	}
	return m
}

type random struct {
	*rand.Rand
	now int64
}

func pick[T any](r *rand.Rand, of ...T) T { return of[r.IntN(len(of))] }

// before is a time in the half year before now.
func (g random) before() int64 { return g.now - g.Int64N(180*day) - 1 }

func (g random) text(most int) string {
	var b strings.Builder
	for i := range 1 + g.IntN(most) {
		if i > 0 {
			b.WriteString(pick(g.Rand, " ", " ", " ", "\n", "  ", ", ", "\u3000"))
		}
		b.WriteString(pick(g.Rand, words...))
	}
	return b.String()
}

func (g random) list(most int) []string {
	all := []string{}
	for range g.IntN(most + 1) {
		all = append(all, g.text(2))
	}
	return all
}

// value is a random JSON value of some depth, without blanks.
func (g random) value(depth int) json.RawMessage {
	switch k := g.IntN(8); {
	case k < 3 || depth == 0:
		return json.RawMessage(JSON(g.text(12)))
	case k == 3:
		return json.RawMessage(pick(g.Rand, "0", "-1", "3.25", "1e+21", "12345678901"))
	case k == 4:
		return json.RawMessage(pick(g.Rand, "true", "false", "null", `""`, "[]", "{}"))
	case k == 5:
		var items []string
		for range g.IntN(4) {
			items = append(items, string(g.value(depth-1)))
		}
		return json.RawMessage("[" + strings.Join(items, ",") + "]")
	default:
		var items []string
		for i := range g.IntN(4) {
			items = append(items, JSON(fmt.Sprint(pick(g.Rand, words...), " ", i))+":"+string(g.value(depth-1)))
		}
		return json.RawMessage("{" + strings.Join(items, ",") + "}")
	}
}

func (g random) working(i int) Working {
	kind := g.IntN(4)
	age := g.Int64N(30 * hour)
	left := g.Int64N(26*hour) - 2*hour
	w := Working{ID: ID(g.now-age, 1_000_000+i), Type: []string{"task_state", "decision", "context", "scratch"}[kind],
		Key: fmt.Sprint(g.text(3), " ", i), Value: g.value(3), Tags: g.list(3),
		Metadata: Lifetime{Created: g.now - age, Updated: g.now - age/2, Expires: g.now + left, Session: fmt.Sprint("session-", g.IntN(3)),
			Priority: pick(g.Rand, "high", "medium", "low")}}
	w.Metadata.Expires = max(w.Metadata.Expires, w.Metadata.Created+1)
	return w
}

func (g random) episode(i int) Episode {
	when := g.before()
	e := Episode{ID: ID(when, i), Timestamp: when, Type: pick(g.Rand, "incident", "interaction", "milestone", "error", "success"),
		Summary: g.text(8), Details: g.text(60), Context: Context{Session: fmt.Sprint("session-", g.IntN(5))},
		RelatedEpisodes: []string{}, RelatedEntities: []string{}, Importance: float64(1 + g.IntN(10)), AccessCount: g.IntN(9),
		LastAccessed: when + g.Int64N(g.now-when+1), Tags: g.list(4), Valence: float64(g.IntN(21)-10) / 10, Arousal: float64(g.IntN(11)) / 10}
	if g.IntN(2) == 0 {
		e.Context.Project, e.Context.Branch = pick(g.Rand, "/srv/shop", "/srv/site"), pick(g.Rand, "main", "auth", "")
	}
	if g.IntN(2) == 0 {
		e.Outcome = &Outcome{Status: pick(g.Rand, "success", "failure", "partial"), Learnings: g.list(3), Resolution: pick(g.Rand, "", g.text(5))}
	}
	return e
}

func (g random) entity(i int) Entity {
	when := g.before()
	e := Entity{ID: ID(when, 2_000_000+i), Name: fmt.Sprint(g.text(3), " ", i),
		Type:        pick(g.Rand, "fact", "procedure", "config", "preference", "pattern", "skill", "goal"),
		Description: g.text(20), Observations: g.list(4), Confidence: float64(g.IntN(101)) / 100,
		Source:  pick(g.Rand, "user", "learned", "system"),
		Created: when, Updated: when + g.Int64N(g.now-when+1), Version: 1 + g.IntN(7), Tags: g.list(3)}
	if g.IntN(3) == 0 {
		e.Content = json.RawMessage(`{"text":` + JSON(g.text(5)) + `}`)
	}
	if e.Type == "procedure" {
		e.Procedure = &Procedure{Steps: g.list(4), Preconditions: g.list(1)}
		if len(e.Procedure.Preconditions) == 0 {
			e.Procedure.Preconditions = nil
		}
	}
	return e
}

func (g random) transcript() []Message {
	var all []Message
	for i := range 1 + g.IntN(5) {
		all = append(all, Message{Role: []string{"user", "assistant"}[i%2], Content: g.text(20)})
	}
	return all
}
