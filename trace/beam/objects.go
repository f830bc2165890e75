package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
	"sync"

	"cloud.google.com/go/storage"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/gcs" // gs://
	_ "github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/s3"  // s3://
	"github.com/apache/beam/sdks/v2/go/pkg/beam/util/gcsx"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"github.com/cupel-dev/cupel/internal/door"
)

// objectStores are the schemes of the object stores that Beam supports.
var objectStores = []string{"s3", "gs"}

// objects is the object store of a scheme. Beam's file system lists, reads and writes objects; partial reads use
// the store's API.
type objects struct{ scheme string }

// objectClient is created once per scheme, because creation reads credentials. It is safe for concurrent use.
type objectClient struct {
	filesystem.Interface
	from func(ctx context.Context, bucket, key string, offset int64) (io.ReadCloser, error)
}

var stores = map[string]func() (objectClient, error){
	"s3": sync.OnceValues(func() (objectClient, error) { return reach("s3", fromS3) }),
	"gs": sync.OnceValues(func() (objectClient, error) { return reach("gs", fromGS) }),
}

type fromFunc = func(ctx context.Context, bucket, key string, offset int64) (io.ReadCloser, error)

// reach creates the clients of a scheme. It returns an error where Beam's function panics.
func reach(scheme string, from func(context.Context) (fromFunc, error)) (r objectClient, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("cannot reach %s%s: %v", scheme, separator, fault)
		}
	}()
	if r.Interface, err = filesystem.New(context.Background(), scheme+separator); err != nil {
		return r, err
	}
	r.from, err = from(context.Background())
	return r, err
}

func fromS3(ctx context.Context) (fromFunc, error) {
	settings, err := config.LoadDefaultConfig(ctx)
	if err != nil {
		return nil, err
	}
	client := s3.NewFromConfig(settings)
	return func(ctx context.Context, bucket, key string, offset int64) (io.ReadCloser, error) {
		got, err := client.GetObject(ctx, &s3.GetObjectInput{Bucket: &bucket, Key: &key, Range: aws.String(fmt.Sprintf("bytes=%d-", offset))})
		if err != nil {
			return nil, err
		}
		return got.Body, nil
	}, nil
}

func fromGS(ctx context.Context) (fromFunc, error) {
	client, err := gcsx.NewClient(ctx, storage.ScopeReadOnly)
	if err != nil {
		client, err = gcsx.NewUnauthenticatedClient(ctx)
	}
	if err != nil {
		return nil, err
	}
	return func(ctx context.Context, bucket, key string, offset int64) (io.ReadCloser, error) {
		return client.Bucket(bucket).Object(key).NewRangeReader(ctx, offset, -1)
	}, nil
}

func (o objects) list(ctx context.Context, pattern string) (all []found, err error) {
	system, err := stores[o.scheme]()
	if err != nil {
		return nil, err
	}
	names, err := system.List(ctx, pattern)
	if err != nil {
		return nil, fmt.Errorf("cannot list %q: %w", pattern, err)
	}
	for _, name := range names {
		all = append(all, found{name: name})
	}
	if len(names) == 0 {
		all = []found{{pattern, fmt.Sprintf("nothing matches %q", pattern)}}
	}
	return all, nil
}

// open describes an object without reading it.
func (o objects) open(ctx context.Context, name string) (source, error) {
	system, err := stores[o.scheme]()
	if err != nil {
		return nil, err
	}
	at, err := url.Parse(name)
	if err != nil {
		return nil, refusedError{fmt.Errorf("cannot open %q: %w", name, err)}
	}
	size, err := system.Size(ctx, name)
	if err != nil {
		return nil, err
	}
	key := strings.TrimPrefix(at.Path, "/")
	from := func(offset int64) (io.ReadCloser, error) { return system.from(ctx, at.Host, key, offset) }
	return &object{from: from, size: size}, nil
}

func (o objects) read(ctx context.Context, name string) (io.ReadCloser, error) {
	system, err := stores[o.scheme]()
	if err != nil {
		return nil, err
	}
	return system.OpenRead(ctx, name)
}

// write writes an object atomically. On failure it cancels the context, which discards the object.
func (o objects) write(ctx context.Context, name string, fill func(io.Writer) error) error {
	system, err := stores[o.scheme]()
	if err != nil {
		return err
	}
	writing, giveUp := context.WithCancel(ctx)
	defer giveUp()
	w, err := system.OpenWrite(writing, name)
	if err != nil {
		return err
	}
	if err := fill(w); err != nil {
		giveUp()
		return errors.Join(err, w.Close())
	}
	return w.Close()
}

func (o objects) remove(ctx context.Context, name string) error {
	system, err := stores[o.scheme]()
	if err != nil {
		return err
	}
	remover, ok := system.Interface.(filesystem.Remover)
	if !ok {
		return fmt.Errorf("nothing can be removed from %s%s", o.scheme, separator)
	}
	return remover.Remove(ctx, name)
}

// object is a log in an object store. Sequential reads continue the open request; others start a new one. It has no
// companion files. It is not safe for concurrent use.
type object struct {
	from func(offset int64) (io.ReadCloser, error)
	size int64

	body   io.ReadCloser // nil: no request is open
	at     int64         // position of body
	offset int64         // of the next Read
}

func (o *object) Size() int64          { return o.size }
func (o *object) folder() *door.Folder { return nil }

func (o *object) Read(b []byte) (int, error) {
	n, err := o.some(b, o.offset)
	o.offset += int64(n)
	return n, err
}

func (o *object) ReadAt(b []byte, offset int64) (n int, err error) {
	for n < len(b) && err == nil {
		var k int
		k, err = o.some(b[n:], offset+int64(n))
		n += k
	}
	if n == len(b) {
		err = nil
	}
	return n, err
}

func (o *object) some(b []byte, offset int64) (int, error) {
	if offset >= o.size {
		return 0, io.EOF
	}
	if o.body == nil || o.at != offset {
		_ = o.Close() // discard the old request
		body, err := o.from(offset)
		if err != nil {
			return 0, err
		}
		o.body, o.at = body, offset
	}
	n, err := o.body.Read(b[:min(int64(len(b)), o.size-offset)])
	if o.at += int64(n); err == io.EOF && o.at < o.size {
		err = nil
		if n == 0 {
			err = io.ErrUnexpectedEOF
		}
	}
	return n, err
}

func (o *object) Close() error {
	if o.body == nil {
		return nil
	}
	err := o.body.Close()
	o.body = nil
	return err
}
