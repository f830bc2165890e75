package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/cupel-dev/cupel/internal/report"
	"github.com/cupel-dev/cupel/internal/walk"
	"github.com/cupel-dev/cupel/trace"
)

func init() {
	sdk.RegisterDoFn(&shardFn{})
	sdk.RegisterDoFn(&seedFn{})
	sdk.RegisterDoFn(&writeFn{})
	sdk.RegisterDoFn(&summaryFn{})
}

// shardFn selects the shard of a result by a hash of its name, as cupel's --shard does.
type shardFn struct{ Shards int }

// ProcessElement returns the shard, from 1, and the result.
func (fn *shardFn) ProcessElement(r result) (int, result) { return walk.ShardOf(r.Input, fn.Shards), r }

// seedFn adds an element to every shard, so that empty ones are written too.
type seedFn struct{ Shards int }

// ProcessElement emits an empty result for each shard.
func (fn *seedFn) ProcessElement(_ []byte, emit func(int, result)) {
	for i := range fn.Shards {
		emit(i+1, result{})
	}
}

// writeFn writes report shards as JSON documents. It is idempotent, because engines can retry.
type writeFn struct {
	Output   string
	Shards   int
	Sessions bool // the reports are on sessions
}

// The formats of a shard and the names of their lists.
const (
	inputsSchema   = "cupel.trace/1"
	sessionsSchema = "cupel.beam.sessions/1"
)

func (fn *writeFn) form() (schema, list string) {
	if fn.Sessions {
		return sessionsSchema, "sessions"
	}
	return inputsSchema, "inputs"
}

// ProcessElement writes a shard and emits its counts.
func (fn *writeFn) ProcessElement(ctx context.Context, shard int, each func(*result) bool, emit func(tally)) error {
	var list []result
	for r := (result{}); each(&r); r = (result{}) {
		if r.Input != "" {
			list = append(list, r)
		}
	}
	slices.SortFunc(list, func(a, b result) int { return cmp.Compare(a.Input, b.Input) })
	list = slices.CompactFunc(list, func(a, b result) bool { return a.Input == b.Input })
	t := tally{Shards: 1}
	name := below(fn.Output, fmt.Sprintf(reportName, shard, fn.Shards))
	err := storeOf(name).write(ctx, name, func(w io.Writer) error {
		t = tally{Shards: 1}
		return fn.writeShard(w, shard, list, &t)
	})
	if err != nil {
		return fmt.Errorf("cannot write %q: %w", name, err)
	}
	emit(t)
	return nil
}

// writeShard writes results as `cupel trace verify --format json --shard` does.
func (fn *writeFn) writeShard(w io.Writer, shard int, list []result, t *tally) error {
	schema, name := fn.form()
	run := report.Run{Command: "trace verify", Schema: schema, Lists: []string{name}, Rules: trace.Rules}
	if !fn.Sessions {
		run.Lists = append(run.Lists, "passed_over")
		if s := (walk.Shard{Index: shard, Count: fn.Shards}); !s.Whole() {
			run.Shards = []string{s.String()}
		}
	}
	out, err := report.New("json", w, run, report.Options{})
	if err != nil {
		return err
	}
	for _, r := range list {
		t.add(r)
		if r.Failure != "" {
			err = errors.Join(err, out.Fail(r.Failure))
			continue
		}
		err = errors.Join(err, out.Answer(report.Answer{List: name, Value: report.Encoded(r.Report)}))
	}
	return errors.Join(err, out.Close(report.Summary{Value: *t}))
}

// Names of a job's files; the summary is written last.
const (
	reportName  = "report-%05d-of-%05d.json"
	reportNames = "report-*-of-*.json"
	summaryName = "summary.json"
)

// summarySchema names the form of the summary.
const summarySchema = "cupel.beam/1"

// summary describes a job's shards after all are written.
type summary struct {
	Schema  string `json:"schema"`
	Status  string `json:"status"` // "ok", or "error" when a log has no report
	Shards  int64  `json:"shards"`
	Failed  int64  `json:"failed"` // logs without a report
	Summary tally  `json:"summary"`
}

// summaryFn writes the summary after all shards.
type summaryFn struct {
	Output string
	Shards int
}

// ProcessElement writes the summary of all tallies.
func (fn *summaryFn) ProcessElement(ctx context.Context, _ int, each func(*tally) bool) error {
	var all, one tally
	for each(&one) {
		all.merge(one)
	}
	if all.Shards != int64(fn.Shards) {
		return fmt.Errorf("%d of %d shards were written", all.Shards, fn.Shards)
	}
	s := summary{Schema: summarySchema, Status: "ok", Shards: all.Shards, Failed: all.Failures, Summary: all}
	if s.Failed > 0 {
		s.Status = "error"
	}
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return err
	}
	name := below(fn.Output, summaryName)
	return storeOf(name).write(ctx, name, func(w io.Writer) error {
		_, err := w.Write(append(text, '\n'))
		return err
	})
}

func readSummary(ctx context.Context, folder string) (tally, error) {
	name := below(folder, summaryName)
	names, err := storeOf(name).list(ctx, name)
	if err != nil {
		return tally{}, err
	}
	if len(names) == 0 || names[0].refused != "" {
		return tally{}, fmt.Errorf("the job ended without %q: its reports are not complete", name)
	}
	r, err := storeOf(name).read(ctx, name)
	if err != nil {
		return tally{}, fmt.Errorf("cannot read %q: %w", name, err)
	}
	defer func() { _ = r.Close() }() // opened for reading: nothing can be lost
	var s summary
	if err := json.NewDecoder(io.LimitReader(r, 1<<20)).Decode(&s); err != nil || s.Schema != summarySchema {
		return tally{}, fmt.Errorf("%q is no summary of cupel-beam", name)
	}
	s.Summary.Shards, s.Summary.Failures = s.Shards, s.Failed
	return s.Summary, nil
}
