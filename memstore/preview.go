package memstore

import (
	"context"

	"memcurator/memstore/backend"
)

// Preview returns what a command would return now and what it would change. It
// writes nothing, takes no turn among the writers, tells no recorder, and reads without
// leaving a trace. The Edit is nil for a view and for a command that would fail,
// unless it leaves folders behind as commands of the SDKs do.
// Guards rewrite, check and filter as they do in earnest, but not under the lock.
// Bytes of big files in the Edit are read when asked for and may have changed by then.
func (s *Store) Preview(ctx context.Context, c Command) (Result, *Edit) {
	if err := checkCommand(c); err != nil {
		return s.failed(c, err).result(), nil
	}
	if c.Name == CmdView {
		return s.rendered(ctx, s.rewritten(ctx, c), backend.Look), nil
	}
	r := s.request(ctx, c)
	r.access, r.detailed, r.at = backend.Look, true, s.now()
	if bad := r.allowed(); bad != nil {
		return bad.result(), nil
	}
	if bad := r.rewrite(); bad != nil {
		return bad.result(), nil
	}
	p, e, bad := r.decide()
	if bad != nil {
		return bad.result(), nil
	}
	if p.fails != nil {
		return p.fails.result(), e
	}
	return Result{Content: p.success}, e
}
