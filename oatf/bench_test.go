package oatf_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/cupel-dev/cupel/internal/oatftest"
	"github.com/cupel-dev/cupel/oatf"
	"github.com/cupel-dev/cupel/oatf/internal/revision"
	"github.com/cupel-dev/cupel/oatf/internal/yamltext"
)

// BenchmarkCheck measures all of `oatf lint` for one document in memory, and compares with decoding YAML nodes: the
// goal is at most three times as long, and time linear in size.
func BenchmarkCheck(b *testing.B) {
	for _, size := range []int{5_000, 20_000, 200_000, 5_000_000} {
		text := oatftest.Document(1, size)
		if list := oatf.Check(text, oatf.CheckOptions{}); len(list) > 0 {
			b.Fatalf("the sample of %d bytes has findings: %v", size, list[0].Message)
		}
		b.Run(fmt.Sprintf("nodes/%d", size), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				var n yaml.Node
				if err := yaml.Load(text, &n); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("check/%d", size), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				oatf.Check(text, oatf.CheckOptions{})
			}
		})
	}
}

// BenchmarkRevisions lints documents of the later revision in turn with what the earlier one makes
// of as many bytes, and gives the ratio of the two, whose goal is 1.2: an attack in the words of
// either revision, and with CUPEL_VECTORS the published documents, whose bytes are the same.
func BenchmarkRevisions(b *testing.B) {
	for _, size := range []int{5_000, 50_000} {
		later, earlier := oatftest.DocumentOf("2026-03", 1, size), oatftest.DocumentOf("sdk-0.1", 1, size)
		b.Run(fmt.Sprintf("an attack of %d bytes", size), func(b *testing.B) { benchRevisions(b, [][]byte{later}, [][]byte{earlier}) })
	}
	files, err := filepath.Glob(filepath.Join(os.Getenv("CUPEL_VECTORS"), "oatf-2026-03", "library", "*", "*.yaml"))
	if err != nil || len(files) == 0 {
		b.Log("CUPEL_VECTORS has no published documents")
		return
	}
	var library [][]byte
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			b.Fatal(err)
		}
		library = append(library, text)
	}
	b.Run(fmt.Sprintf("%d published documents", len(library)), func(b *testing.B) { benchRevisions(b, library, library) })
}

func benchRevisions(b *testing.B, later, earlier [][]byte) {
	size := func(texts [][]byte) (n int) {
		for _, text := range texts {
			n += len(text)
		}
		return n
	}
	now, before := time.Hour, time.Hour // the shortest of each: nothing came between
	for b.Loop() {
		start := time.Now()
		checkAll(later, oatf.V202603)
		between := time.Now()
		checkAll(earlier, oatf.SDK01)
		now, before = min(now, between.Sub(start)), min(before, time.Since(between))
	}
	b.ReportMetric(float64(now)/float64(size(later))/(float64(before)/float64(size(earlier))), "x-sdk-0.1")
}

func checkAll(texts [][]byte, r oatf.Revision) {
	for _, text := range texts {
		oatf.Check(text, oatf.CheckOptions{Revision: r, Strict: true})
	}
}

// BenchmarkSmall lints documents of the usual size in turn with reading their YAML nodes, and
// gives the ratio: the goal is 1.5. The larger one has a CEL expression, of which the parser of
// CEL's library takes longer than all of the rest that is not YAML.
func BenchmarkSmall(b *testing.B) {
	for _, size := range []int{2_500, 4_500} {
		text := oatftest.Document(1, size)
		name := fmt.Sprintf("%d bytes without CEL", len(text))
		if bytes.Contains(text, []byte("cel:")) {
			name = fmt.Sprintf("%d bytes with CEL", len(text))
		}
		b.Run(name, func(b *testing.B) {
			nodes, check := time.Hour, time.Hour // the shortest of each: nothing came between
			for b.Loop() {
				start := time.Now()
				var n yaml.Node
				if err := yaml.Load(text, &n); err != nil {
					b.Fatal(err)
				}
				between := time.Now()
				oatf.Check(text, oatf.CheckOptions{})
				nodes, check = min(nodes, between.Sub(start)), min(check, time.Since(between))
			}
			b.ReportMetric(float64(check)/float64(nodes), "x-nodes")
		})
	}
}

// BenchmarkRecognition detects the revision of documents, alternates with linting them, and reports the ratio: the
// goal is 0.02.
func BenchmarkRecognition(b *testing.B) {
	for _, size := range []int{2_500, 20_000, 200_000} {
		for _, r := range oatf.Revisions() {
			text := oatftest.DocumentOf(string(r), 1, size)
			b.Run(fmt.Sprintf("%s/%d", r, size), func(b *testing.B) {
				source, fault := yamltext.Read(text, oatf.Limits{})
				if fault != nil {
					b.Fatal(fault)
				}
				told, check := time.Hour, time.Hour // the shortest of each: nothing came between
				for b.Loop() {
					start := time.Now()
					p, _ := revision.Recognize(source.Root)
					between := time.Now()
					oatf.Check(text, oatf.CheckOptions{})
					told, check = min(told, between.Sub(start)), min(check, time.Since(between))
					if p.Revision != r {
						b.Fatal(p.Revision)
					}
				}
				b.ReportMetric(float64(told)/float64(check), "x-check")
			})
		}
	}
}
