package dir

import "memcurator/memstore/backend"

// Resolve implements [backend.Resolver].
func (d *Dir) Resolve(name string, last bool) (string, error) {
	h, err := d.acquire()
	if err != nil {
		return "", err
	}
	defer d.release(h)
	real, err := backend.ResolveExisting(name, last, func(name string, last bool) (string, error) {
		return d.resolve(h, name, last)
	})
	return real, d.fail(h, err)
}
