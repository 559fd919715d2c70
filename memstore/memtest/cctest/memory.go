package cctest

import "encoding/json"

// Memory is what a database holds, in the form of the program's own objects: their JSON is that of its exports. Times are
// milliseconds since 1970. Raw values are written as the program writes them: without blanks.
type Memory struct {
	Working     []Working            `json:"working"`
	Episodes    []Episode            `json:"episodic"`
	Transcripts map[string][]Message `json:"transcripts"` // by episode, whether or not it exists
	Entities    []Entity             `json:"entities"`
	Relations   []Relation           `json:"relations"`
	Patterns    []Pattern            `json:"patterns"`
	Insights    []Insight            `json:"insights"`
	Wisdom      []Wisdom             `json:"wisdom"`
	Shared      []Shared             `json:"shared"`
	Extra       map[string][][]any   `json:"-"` // rows of other tables, by table: the values of all its columns
}

// Working is an item of working memory.
type Working struct {
	ID       string          `json:"id"`
	Type     string          `json:"type"` // task_state, decision, context, scratch
	Key      string          `json:"key"`
	Value    json.RawMessage `json:"value"`
	Metadata Lifetime        `json:"metadata"`
	Tags     []string        `json:"tags"`
}

// Lifetime is the metadata of an item of working memory.
type Lifetime struct {
	Created  int64  `json:"createdAt"`
	Updated  int64  `json:"updatedAt"`
	Expires  int64  `json:"expiresAt"`
	Session  string `json:"sessionId"`
	Priority string `json:"priority"` // high, medium, low
}

// Episode is an episode. Created is not part of the program's object: it is the time at which it was put into the database.
type Episode struct {
	ID              string   `json:"id"`
	Timestamp       int64    `json:"timestamp"`
	Type            string   `json:"type"` // incident, interaction, milestone, error, success
	Summary         string   `json:"summary"`
	Details         string   `json:"details"`
	Context         Context  `json:"context"`
	Outcome         *Outcome `json:"outcome,omitempty"`
	RelatedEpisodes []string `json:"relatedEpisodes"`
	RelatedEntities []string `json:"relatedEntities"`
	Importance      float64  `json:"importance"`
	AccessCount     int      `json:"accessCount"`
	LastAccessed    int64    `json:"lastAccessed"`
	Tags            []string `json:"tags"`
	Valence         float64  `json:"valence"`
	Arousal         float64  `json:"arousal"`
}

// Context is where an episode happened.
type Context struct {
	Session string   `json:"sessionId"`
	Project string   `json:"projectPath,omitempty"`
	Branch  string   `json:"branch,omitempty"`
	Task    string   `json:"taskId,omitempty"`
	Files   []string `json:"files,omitempty"`
}

// Outcome is how an episode ended.
type Outcome struct {
	Status     string   `json:"status"` // success, failure, partial
	Learnings  []string `json:"learnings"`
	Resolution string   `json:"resolution,omitempty"`
}

// Message is one message of a transcript.
type Message struct {
	Role      string `json:"role"`
	Content   string `json:"content"`
	Timestamp int64  `json:"timestamp,omitempty"`
}

// Entity is an entity of semantic memory.
type Entity struct {
	ID           string          `json:"id"`
	Name         string          `json:"name"`
	Type         string          `json:"type"` // fact, procedure, config, preference, pattern, skill, goal
	Description  string          `json:"description"`
	Content      json.RawMessage `json:"content,omitempty"`
	Procedure    *Procedure      `json:"procedure,omitempty"`
	Observations []string        `json:"observations"`
	Confidence   float64         `json:"confidence"`
	Source       string          `json:"source"`
	Created      int64           `json:"createdAt"`
	Updated      int64           `json:"updatedAt"`
	Version      int             `json:"version"`
	Tags         []string        `json:"tags"`
}

// Procedure is the steps of an entity.
type Procedure struct {
	Steps          []string `json:"steps"`
	Preconditions  []string `json:"preconditions,omitempty"`
	Postconditions []string `json:"postconditions,omitempty"`
}

// Relation is a relation between entities, by their ids.
type Relation struct {
	ID       string          `json:"id"`
	From     string          `json:"from"`
	To       string          `json:"to"`
	Type     string          `json:"relationType"`
	Strength float64         `json:"strength"`
	Metadata json.RawMessage `json:"metadata,omitempty"`
	Created  int64           `json:"createdAt"`
}

// Pattern is a pattern found in episodes.
type Pattern struct {
	ID         string   `json:"id"`
	Pattern    string   `json:"pattern"`
	Confidence float64  `json:"confidence"`
	Episodes   []string `json:"supportingEpisodes"`
	Tags       []string `json:"relatedTags"`
	Created    int64    `json:"createdAt"`
}

// Insight is an insight from patterns.
type Insight struct {
	ID         string   `json:"id"`
	Insight    string   `json:"insight"`
	Reasoning  string   `json:"reasoning"`
	Patterns   []string `json:"sourcePatterns"`
	Confidence float64  `json:"confidence"`
	Domains    []string `json:"domains"`
	Created    int64    `json:"createdAt"`
}

// Wisdom is a principle from insights.
type Wisdom struct {
	ID          string   `json:"id"`
	Name        string   `json:"name"`
	Principle   string   `json:"principle"`
	Description string   `json:"description"`
	Insights    []string `json:"derivedFromInsights"`
	Domains     []string `json:"applicableDomains"`
	Limitations []string `json:"limitations"`
	Tags        []string `json:"tags"`
	Created     int64    `json:"createdAt"`
}

// Shared is an item that agents share.
type Shared struct {
	ID         string           `json:"id"`
	Key        string           `json:"key"`
	Namespace  string           `json:"namespace"`
	Value      json.RawMessage  `json:"value"`
	Visibility []string         `json:"visibility"`
	Owner      string           `json:"owner"`
	Clock      map[string]int64 `json:"vectorClock"`
	Tags       []string         `json:"tags"`
	Created    int64            `json:"createdAt"`
	Updated    int64            `json:"updatedAt"`
	Sequence   int              `json:"syncSeq"`
}
