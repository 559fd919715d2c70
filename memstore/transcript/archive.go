package transcript

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"memcurator/memstore/backend/quietfile"
	"memcurator/memstore/transcript/format"
	"memcurator/memstore/transcript/rawjson"
	"memcurator/memstore/transcript/textfile"

	"github.com/klauspost/compress/zstd"
)

// maxArchive is the largest archive that is held in memory, where it comes as a stream, in bytes.
const maxArchive = 512 << 20

// maxEntries bounds the files of an archive that are read.
const maxEntries = 100_000

// readArchive reads the files in a zip archive one after another. Those whose name does not end as one of JSON, and
// those that are not transcripts, are passed over.
func (r *Reader) readArchive(name string, from io.Reader) error {
	at, size, err := seekable(from)
	if err != nil {
		return err
	}
	z, err := zip.NewReader(at, size)
	if err != nil {
		return fmt.Errorf("it looks like a zip archive that can't be unpacked: %w", err)
	}
	z.RegisterDecompressor(zstd.ZipMethodWinZip, zstd.ZipDecompressor())
	files := slices.Clone(z.File)
	kind := format.Archive // one of Inspect (.eval) has the name of its samples
	slices.SortStableFunc(files, func(a, b *zip.File) int { return strings.Compare(a.Name, b.Name) })
	for i, f := range files {
		if i == maxEntries {
			break
		}
		if !strings.HasSuffix(f.Name, ".json") && !strings.HasSuffix(f.Name, ".jsonl") && !strings.HasSuffix(f.Name, ".ndjson") {
			continue
		}
		if folder := sampleFolder(f.Name); folder != r.folder {
			r.folder, r.beside = folder, textsIn(files, folder)
		}
		if err := r.readEntry(name+"/"+f.Name, f); err != nil {
			return err
		}
		if r.summary.Format == format.Inspect {
			kind = format.Inspect
		}
	}
	r.folder, r.beside = "", nil
	r.summary.Format = kind
	return nil
}

// textFolder is where a sample of Inspect that is spread over files keeps texts, as arrays in files whose names are the
// number of their first.
const textFolder = "/attachments/"

// sampleFolder is the folder of the sample that a file is part of.
func sampleFolder(name string) string {
	for _, part := range []string{"/messages/", "/events/", "/calls/", textFolder} {
		if folder, _, ok := strings.Cut(name, part); ok {
			return folder
		}
	}
	return path.Dir(name)
}

// textsIn are the texts that a sample keeps in files of their own, by their number. The files are sorted by name.
func textsIn(files []*zip.File, folder string) map[string]rawjson.Value {
	var texts map[string]rawjson.Value
	room := int64(textfile.MaxRecord)
	from, _ := slices.BinarySearchFunc(files, folder+textFolder, func(f *zip.File, name string) int { return strings.Compare(f.Name, name) })
	for _, f := range files[from:] {
		first, ok := strings.CutPrefix(f.Name, folder+textFolder)
		if !ok {
			break
		}
		n, err := strconv.Atoi(strings.TrimSuffix(first, ".json"))
		if err != nil {
			continue
		}
		in, err := f.Open()
		if err != nil {
			continue // its texts are unknown
		}
		data, err := io.ReadAll(io.LimitReader(textfile.Bound(in, int64(f.CompressedSize64), freely), room))
		_ = in.Close() // it was only read
		if room -= int64(len(data)); err != nil || !rawjson.Valid(data) {
			continue
		}
		if texts == nil {
			texts = map[string]rawjson.Value{}
		}
		rawjson.Value(bytes.TrimSpace(data)).Each(func(v rawjson.Value) {
			if v.IsString() {
				texts[strconv.Itoa(n)] = v
			}
			n++
		})
	}
	return texts
}

// Entry opens a file in an archive, to be read once; [Source] calls it by the names of both with a slash between
// them. The caller closes it.
func Entry(at io.ReaderAt, size int64, name string) (io.ReadCloser, error) {
	z, err := zip.NewReader(at, size)
	if err != nil {
		return nil, err
	}
	z.RegisterDecompressor(zstd.ZipMethodWinZip, zstd.ZipDecompressor())
	for _, f := range z.File {
		if f.Name != name {
			continue
		}
		in, err := f.Open()
		if err != nil {
			return nil, err
		}
		return struct {
			io.Reader
			io.Closer
		}{textfile.Bound(in, int64(f.CompressedSize64), freely), in}, nil
	}
	return nil, fs.ErrNotExist
}

// readEntry reads one file of an archive. Only a bomb ends the reading of the others.
func (r *Reader) readEntry(name string, f *zip.File) error {
	in, err := f.Open()
	if err != nil {
		r.summary.Bad++
		return nil
	}
	defer func() { _ = in.Close() }() // it was only read
	err = r.Read(name, textfile.Bound(in, int64(f.CompressedSize64), freely))
	delete(r.resume, name)
	if errors.Is(err, textfile.ErrBomb) {
		return err
	}
	if err != nil && !errors.Is(err, textfile.ErrEmpty) {
		r.summary.Bad++
	}
	return nil
}

// whole is a file from its start: itself, or what was read of a stream and the rest.
func whole(from io.Reader, read textfile.File) io.Reader {
	if _, ok := from.(io.Seeker); ok {
		if _, ok := from.(io.ReaderAt); ok {
			return from
		}
	}
	return read
}

// seekable returns what reads an archive at any place: the file itself, or all of a stream.
func seekable(from io.Reader) (io.ReaderAt, int64, error) {
	if f, ok := from.(interface {
		io.ReaderAt
		io.Seeker
	}); ok {
		size, err := f.Seek(0, io.SeekEnd)
		return f, size, err
	}
	data, err := io.ReadAll(io.LimitReader(from, maxArchive+1))
	if len(data) > maxArchive {
		return nil, 0, textfile.ErrBomb
	}
	return bytes.NewReader(data), int64(len(data)), err
}

// Open opens a transcript to read it. Looking leaves the time of a file's last access; a pipe waits for its writer.
func Open(name string) (*os.File, error) {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return os.Open(name)
	}
	return quietfile.Open(name, 0)
}

// OpenSource opens a transcript by the name that a reader has given it: a file, or one in an archive.
func OpenSource(name string) (io.ReadCloser, error) {
	f, err := Open(name)
	if err == nil {
		return f, nil
	}
	for at := strings.LastIndexByte(name, '/'); at > 0; at = strings.LastIndexByte(name[:at], '/') {
		info, statErr := os.Stat(name[:at])
		if statErr != nil || !info.Mode().IsRegular() {
			continue
		}
		archive, openErr := Open(name[:at])
		if openErr != nil {
			return nil, openErr
		}
		entry, openErr := Entry(archive, info.Size(), name[at+1:])
		if openErr != nil {
			_ = archive.Close() // it was only read
			return nil, openErr
		}
		return inArchive{entry, archive}, nil
	}
	return nil, err
}

// inArchive closes the archive with the file in it.
type inArchive struct {
	io.ReadCloser
	archive io.Closer
}

func (a inArchive) Close() error { return errors.Join(a.ReadCloser.Close(), a.archive.Close()) }
