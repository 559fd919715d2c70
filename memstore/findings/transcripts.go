package findings

import "context"

// searchTranscripts names the transcripts that hold a value, and those that can't be read. It searches them as the proof searches files
// outside the store, compressed ones too. A purge doesn't change them, so it looks once, at its end.
func (s *Scrubber) searchTranscripts(ctx context.Context, left *Residue) error {
	for _, at := range s.Transcripts {
		p := s.newProof(ctx)
		if err := p.onDisk(at, at, false); err != nil {
			return err
		}
		if len(p.residue.Left) > 0 {
			left.Transcripts = append(left.Transcripts, at)
		}
		left.Unread = append(left.Unread, p.residue.Unread...)
	}
	return nil
}
