package dbfile

import (
	"bytes"
	"encoding/binary"
	"maps"
	"math"
)

// The log beside a database, by the documentation of the file format: a header, then frames, each a page with a header of its own. A frame
// counts if its salts are those of the log and the running checksum fits; frames count up to the last one that ends a transaction.
const (
	logMagic       = 0x377f0682 // with 1 added, checksums are of big-endian words
	logHeaderSize  = 32
	frameHeadSize  = 24
	logPageSizeAt  = 8
	logSaltsAt     = 16
	logSumAt       = 24
	frameCommitAt  = 4
	frameSaltsAt   = 8
	frameSumAt     = 16
	checksumPrefix = 8 // bytes of a frame's header that its checksum covers
)

// replay returns a database with the committed pages of its log in place.
func replay(data, log []byte) []byte {
	size := pageSize(data)
	c := committed(log, size, uint32(len(data)/size)) //nolint:gosec // no more than most
	if c.pages == 0 {
		return data
	}
	data = resize(resize(data, min(len(data), int(c.least)*size)), int(c.pages)*size)
	for number, page := range c.changed {
		copy(data[int(number-1)*size:], page)
	}
	return data
}

// commits are what the transactions in a log come to.
type commits struct {
	changed      map[uint32][]byte
	pages, least uint32 // of the database at the end, 0 if there was no transaction, and when it had the fewest: later ones are new
}

// committed reads the log of a database that has some pages.
func committed(log []byte, size int, last uint32) (c commits) {
	if len(log) < logHeaderSize {
		return c
	}
	word := binary.BigEndian.Uint32
	if word(log)&^1 != logMagic || int(word(log[logPageSizeAt:])) != size {
		return c
	}
	c.changed, c.least = map[uint32][]byte{}, math.MaxUint32
	var order binary.ByteOrder = binary.LittleEndian
	if word(log)&1 == 1 {
		order = binary.BigEndian
	}
	salts := log[logSaltsAt:logSumAt]
	s := checksum{order: order}
	s.add(log[:logSumAt])
	if !s.is(log[logSumAt:]) {
		return c
	}
	type frame struct {
		page uint32
		data []byte
	}
	var open []frame // of the transaction that isn't committed yet; last is the page that the file or a frame has
	for rest := log[logHeaderSize:]; len(rest) >= frameHeadSize+size; rest = rest[frameHeadSize+size:] {
		head, page := rest[:frameHeadSize], rest[frameHeadSize:frameHeadSize+size]
		s.add(head[:checksumPrefix])
		s.add(page)
		if !bytes.Equal(head[frameSaltsAt:frameSumAt], salts) || !s.is(head[frameSumAt:]) || word(head) == 0 {
			break
		}
		open = append(open, frame{word(head), page})
		last = max(last, word(head))
		pages := word(head[frameCommitAt:])
		if pages == 0 {
			continue
		}
		if pages > last || int64(pages)*int64(size) > most {
			break
		}
		for _, f := range open {
			c.changed[f.page] = f.data
		}
		maps.DeleteFunc(c.changed, func(number uint32, _ []byte) bool { return number > pages })
		c.pages, c.least = pages, min(c.least, pages)
		open = open[:0]
	}
	return c
}

func resize(data []byte, size int) []byte {
	if size <= len(data) {
		return data[:size]
	}
	return append(data, make([]byte, size-len(data))...)
}

// checksum is the running checksum of a log.
type checksum struct {
	order binary.ByteOrder
	a, b  uint32
}

func (s *checksum) add(p []byte) {
	for ; len(p) >= 8; p = p[8:] {
		s.a += s.order.Uint32(p) + s.b
		s.b += s.order.Uint32(p[4:]) + s.a
	}
}

func (s *checksum) is(p []byte) bool {
	return binary.BigEndian.Uint32(p) == s.a && binary.BigEndian.Uint32(p[4:]) == s.b
}
