package cli

import (
	"context"
	"math"
	"os"
	"path"
	"strconv"
	"strings"

	"memcurator/cli/session"
	"memcurator/memstore"
	"memcurator/memstore/backend/age"
	"memcurator/memstore/past"
	"memcurator/memstore/transcript"
)

// Values of --from other than a directory.
const (
	startAuto       = "auto"
	startEmpty      = "empty"
	startTranscript = "transcript"
)

// beginning is the initial state of a replay, and its description.
type beginning struct {
	files transcript.Start
	name  string
}

// replayStart interprets --from.
func replayStart(run *session.Session, ctx context.Context, s session.Settings, from string) (beginning, error) {
	switch from {
	case startAuto, startTranscript:
		return beginning{transcript.Start{Shown: true}, "what the transcript shows of the memory before it"}, nil
	case startEmpty:
		return beginning{name: "an empty memory"}, nil
	}
	dir, rev := from, int64(-1)
	if at := strings.LastIndexByte(from, '@'); at > 0 {
		if n, err := strconv.ParseInt(from[at+1:], 10, 64); err == nil {
			if _, statErr := os.Stat(from); statErr != nil {
				dir, rev = from[:at], n
			}
		}
	}
	if sealed, err := age.Found(dir); err == nil && sealed {
		return beginning{}, session.Failed(nil, "Can't start with %s: the store is encrypted", dir)
	}
	files, err := storeFiles(run, ctx, s, dir, rev)
	return beginning{files, "a copy of " + from}, err
}

// storeFiles copies the files of a store into memory, in their present state or as of a revision.
func storeFiles(run *session.Session, ctx context.Context, s session.Settings, dir string, rev int64) (transcript.Start, error) {
	start := transcript.Start{Files: map[string][]byte{}}
	if rev < 0 {
		b, err := run.Locator().OpenPlain(dir, false)
		if err != nil {
			return start, err
		}
		defer func() { _ = b.Close() }() // nothing was written
		err = eachMemory(b, func(name string, data []byte) error {
			start.Files[memstore.AgentPath(name)] = data
			return nil
		}, nil)
		if err != nil {
			return start, session.Failed(err, "Can't read %s: %s", dir, session.Reason(err))
		}
		return start, nil
	}
	s, err := run.ForStore(s, dir)
	if err != nil {
		return start, err
	}
	p := session.Recorded{Settings: s, Target: session.Target{Opening: session.Opening{Dir: dir}}}
	return start, session.Need(&p, run.OpenPast(&p), func() error {
		switch last, err := p.Journal.Last(ctx); {
		case err != nil:
			return err
		case rev > last:
			return session.Failed(nil, "%s", past.NoRevisionText(rev, last))
		}
		tree, err := p.Journal.Tree(ctx, rev)
		if err != nil {
			return err
		}
		for _, e := range tree.Entries {
			if e.Kind != memstore.KindFile {
				continue
			}
			if start.Files[e.Path], err = p.Journal.Bytes(ctx, e.Side()); err != nil {
				return err
			}
		}
		return nil
	})
}

// eachMemory calls file for every regular file of a backend and folder, if not nil, for every folder. It skips links: they lead to files
// it visits anyway, or out.
func eachMemory(b memstore.Backend, file func(name string, data []byte) error, folder func(name string) error) error {
	return eachBelow(b, ".", file, folder)
}

func eachBelow(b memstore.Backend, dir string, file func(string, []byte) error, folder func(string) error) error {
	entries, err := b.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name)
		switch e.Kind {
		case memstore.KindDir:
			if folder != nil {
				err = folder(name)
			}
			if err == nil {
				err = eachBelow(b, name, file, folder)
			}
		case memstore.KindFile:
			var data []byte
			if data, err = memstore.ReadFile(b, name, memstore.Look, math.MaxInt64); err == nil {
				err = file(name, data)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}
