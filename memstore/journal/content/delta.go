package content

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math/bits"
)

// A delta says how a text comes out of another one, its base. It is a row of steps; a step is the length of a
// piece that is not in the base, that piece, the length of a copy and, unless that is 0, where in the base the copy
// begins. Numbers are those of [binary.AppendUvarint].

// The shortest pieces, in bytes, that are looked for elsewhere in the base: a copy costs up to 8. In a large text that has
// only phrases in common with its base, short ones would cost much time and save little.
const (
	smallBlock = 16
	largeBlock = 64
	largePart  = 64 << 10 // from here on
)

// missShift says after how many bytes without a match the search becomes coarser: what has little in common with its base is
// not to cost much.
const missShift = 13

var errDelta = errors.New("the delta does not fit its base")

// deltaOf is the delta from base to text; ok is false where it would be longer than most bytes.
func deltaOf(base, text []byte, most int) (delta []byte, ok bool) {
	prefix := commonPrefix(base, text)
	suffix := commonSuffix(base[prefix:], text[prefix:])
	e := deltaEncoder{text: text, most: most}
	e.copy(0, prefix, 0)
	if !e.search(base[prefix:len(base)-suffix], prefix, len(text)-suffix) {
		return nil, false
	}
	e.copy(len(text)-suffix, suffix, len(base)-suffix)
	e.end()
	return e.out, len(e.out) <= most
}

// deltaEncoder writes steps. done is how much of the text they cover, except for the copy that is under way.
type deltaEncoder struct {
	text, out []byte
	most      int
	done      int
}

// copy says that the text has from at on n bytes that are in the base from from on.
func (e *deltaEncoder) copy(at, n, from int) {
	if n == 0 {
		return
	}
	e.piece(at)
	e.out = binary.AppendUvarint(e.out, uint64(n))
	e.out = binary.AppendUvarint(e.out, uint64(from))
	e.done = at + n
}

func (e *deltaEncoder) piece(until int) {
	e.out = binary.AppendUvarint(e.out, uint64(until-e.done))
	e.out = append(e.out, e.text[e.done:until]...)
}

func (e *deltaEncoder) end() {
	if e.done < len(e.text) {
		e.piece(len(e.text))
		e.out = append(e.out, 0)
	}
}

// search finds pieces of the text up to until in a part of the base that begins at offset; false: too
// little is there. The part is known by the hashes of its blocks, and the text is compared at every byte, as rsync does.
func (e *deltaEncoder) search(part []byte, offset, until int) bool {
	at, size := e.done, smallBlock
	if len(part) >= largePart {
		size = largeBlock
	}
	if until-at < size || len(part) < size {
		return until-at <= e.most
	}
	blocks := len(part) / size
	shift := 64 - bits.Len(uint(blocks))
	table := make([]uint32, 1<<(64-shift)) // a block's number from 1
	for i := blocks; i > 0; i-- {
		table[hashBlock(part[(i-1)*size:i*size])>>shift] = uint32(i)
	}
	for at+size <= until {
		if at-e.done+len(e.out) > e.most {
			return false
		}
		block := int(table[hashBlock(e.text[at:at+size])>>shift])
		if block == 0 || !bytes.Equal(part[(block-1)*size:block*size], e.text[at:at+size]) {
			at += 1 + (at-e.done)>>missShift*2 // odd, so that a long piece is met at the beginning of a block
			continue
		}
		from := (block - 1) * size
		back := commonSuffix(part[:from], e.text[e.done:at])
		n := back + size + commonPrefix(part[from+size:], e.text[at+size:until])
		e.copy(at-back, n, offset+from-back)
		at = e.done
	}
	return true
}

// hashBlock is of both ends of a block: texts repeat phrases.
func hashBlock(b []byte) uint64 {
	h := binary.LittleEndian.Uint64(b)*0x9e3779b97f4a7c15 ^ bits.RotateLeft64(binary.LittleEndian.Uint64(b[len(b)-8:])*0xc2b2ae3d27d4eb4f, 31)
	return (h ^ h>>29) * 0xbf58476d1ce4e5b9
}

// stride is how many bytes are compared in one step.
const stride = 4 << 10

func commonPrefix(a, b []byte) int {
	most := min(len(a), len(b))
	n := 0
	for n+stride <= most && bytes.Equal(a[n:n+stride], b[n:n+stride]) {
		n += stride
	}
	for n+8 <= most && binary.LittleEndian.Uint64(a[n:]) == binary.LittleEndian.Uint64(b[n:]) {
		n += 8
	}
	for n < most && a[n] == b[n] {
		n++
	}
	return n
}

func commonSuffix(a, b []byte) int {
	most := min(len(a), len(b))
	a, b = a[len(a)-most:], b[len(b)-most:]
	n := most
	for n >= stride && bytes.Equal(a[n-stride:n], b[n-stride:n]) {
		n -= stride
	}
	for n >= 8 && binary.LittleEndian.Uint64(a[n-8:]) == binary.LittleEndian.Uint64(b[n-8:]) {
		n -= 8
	}
	for n > 0 && a[n-1] == b[n-1] {
		n--
	}
	return most - n
}

// applyDelta is the text of size bytes that comes out of base. A delta that does not fit is an error, found before
// there is room made for the text.
func applyDelta(base, delta []byte, size int64) ([]byte, error) {
	total := int64(0)
	err := eachStep(base, delta, func(piece []byte) error {
		if total += int64(len(piece)); total > size {
			return errDelta
		}
		return nil
	})
	if err != nil || total != size {
		return nil, errDelta
	}
	text := make([]byte, 0, size)
	return text, eachStep(base, delta, func(piece []byte) error {
		text = append(text, piece...)
		return nil
	})
}

// eachStep calls visit with the pieces of a text one after the other.
func eachStep(base, delta []byte, visit func(piece []byte) error) error {
	number := func(most int) (int, error) {
		n, used := binary.Uvarint(delta)
		if used <= 0 || n > uint64(most) {
			return 0, errDelta
		}
		delta = delta[used:]
		return int(n), nil
	}
	for len(delta) > 0 {
		n, err := number(len(delta))
		if err != nil || n > len(delta) {
			return errDelta
		}
		piece := delta[:n]
		if delta = delta[n:]; n > 0 {
			if err := visit(piece); err != nil {
				return err
			}
		}
		if n, err = number(len(base)); err != nil {
			return err
		}
		if n == 0 {
			continue
		}
		from, err := number(len(base) - n)
		if err != nil {
			return err
		}
		if err := visit(base[from : from+n]); err != nil {
			return err
		}
	}
	return nil
}
