package door

import (
	"context"
	"io"
	"io/fs"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/source"
)

// Named opens a path that the user names, for reading. It follows links and reads pipes, terminals
// and devices. Calls that block return ctx's error when ctx ends.
func Named(ctx context.Context, path string) (io.ReadCloser, error) {
	f, err := open(ctx, path)
	switch {
	case err != nil:
		return nil, err
	case blocks(f):
		return newPipe(ctx, f), nil
	}
	return f, nil
}

// NamedText is Named for text. Opening or the first Read returns a *source.CompressedError if it is compressed.
func NamedText(ctx context.Context, path string) (io.ReadCloser, error) {
	return NamedTextOr(ctx, path)
}

// NamedTextOr is NamedText for a reader that accepts the compressed formats known (names of package source), which
// are read unchanged. The result of an irregular file has a method Format, as source.Text does.
func NamedTextOr(ctx context.Context, path string, known ...string) (io.ReadCloser, error) {
	f, err := Named(ctx, path)
	if err != nil {
		return nil, err
	}
	file, seekable := f.(File)
	if !seekable {
		return pipedText(f, path, known)
	}
	if _, err := text(file, path, known); err != nil {
		return nil, err
	}
	return f, nil
}

// pipedText checks the first bytes of a pipe.
func pipedText(f io.ReadCloser, path string, known []string) (io.ReadCloser, error) {
	t := source.NewText(f, known...)
	if packed := t.Compressed(); packed != nil {
		_ = f.Close() // opened for reading: nothing can be lost
		return nil, &fs.PathError{Op: "read", Path: path, Err: packed}
	}
	return textStream{t, f}, nil
}

// NamedFile is NamedText for a file from a list or one to replace: it follows links and refuses
// irregular files unopened.
func NamedFile(ctx context.Context, path string) (File, error) { return NamedFileOr(ctx, path) }

// NamedFileOr is NamedFile for a reader that accepts compressed formats.
func NamedFileOr(ctx context.Context, path string, known ...string) (File, error) {
	if info, err := system.Stat(path); err == nil && !info.Mode().IsRegular() {
		return nil, refused(path, say.Irregular(info.Mode()))
	}
	f, err := open(ctx, path)
	if err != nil {
		return nil, err
	}
	if f, err = regular(f, path); err != nil {
		return nil, err
	}
	return text(f, path, known)
}

// Stdin returns standard input as text.
func Stdin(ctx context.Context, r io.Reader) io.ReadCloser { return StdinOr(ctx, r) }

// StdinOr is Stdin for a reader that accepts compressed formats; see NamedTextOr for the method Format.
func StdinOr(ctx context.Context, r io.Reader, known ...string) io.ReadCloser {
	stream := io.NopCloser(r)
	if blocks(r) {
		stream = newPipe(ctx, stream)
	}
	return textStream{source.NewText(stream, known...), stream}
}

type textStream struct {
	*source.Text
	io.Closer
}

// text rejects a file that is compressed in a format other than the known ones.
func text(f File, path string, known []string) (File, error) {
	if packed := source.CompressedAt(f, 0, known...); packed != nil {
		_ = f.Close() // opened for reading: nothing can be lost
		return nil, &fs.PathError{Op: "read", Path: path, Err: packed}
	}
	return f, nil
}
