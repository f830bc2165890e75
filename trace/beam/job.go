package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"strings"

	sdk "github.com/apache/beam/sdks/v2/go/pkg/beam"

	"github.com/cupel-dev/cupel/internal/say"
	"github.com/cupel-dev/cupel/internal/walk"
)

type job struct {
	mode   string
	inputs patterns
	output string
	split  size
	shards int
	terms  terms
}

// The modes.
const (
	modeFiles    = "files"
	modeRanges   = "ranges"
	modeSessions = "sessions"
)

var modes = []string{modeFiles, modeRanges, modeSessions}

type patterns []string

func (p *patterns) String() string { return strings.Join(*p, " ") }

func (p *patterns) Set(value string) error {
	*p = append(*p, value)
	return nil
}

func (j *job) flags(set *flag.FlagSet) {
	set.Var(&j.inputs, "input", "`PATTERN` of logs: a file or a glob, local or s3:// or gs://; repeatable")
	set.StringVar(&j.mode, "mode", modeFiles, "`MODE`: files verifies each log at once, and those longer than --split by ranges; ranges all by ranges; sessions takes all files for one log of many sessions, and judges each")
	j.split = 256 << 20
	set.Var(&j.split, "split", "longest part of a log that one worker reads, in `BYTES` or as 64MiB")
	set.StringVar(&j.output, "output", "", "`DIR` that gets the reports, local or s3:// or gs://; it must not hold any")
	set.IntVar(&j.shards, "shards", 1, "`N` reports, for as many workers that write them; each worker holds one in memory")
	j.terms.flags(set)
}

func (j *job) check(operands []string) error {
	switch {
	case len(operands) > 0:
		return fmt.Errorf("unexpected operand %s; name logs with --input", say.Quoted(operands[0]))
	case len(j.inputs) == 0:
		return errors.New("--input is missing: nothing to read")
	case j.output == "":
		return errors.New("--output is missing: where do the reports go")
	case strings.ContainsAny(j.output, "*?["):
		return fmt.Errorf("--output is %s, expected a folder, not a pattern", say.Quoted(j.output))
	case !slices.Contains(modes, j.mode):
		return fmt.Errorf("--mode is %s, expected %s", say.Quoted(j.mode), strings.Join(modes, " or "))
	case j.shards < 1 || j.shards > walk.MaxShards:
		return fmt.Errorf("--shards is %d, expected 1 to %d", j.shards, walk.MaxShards)
	}
	for _, pattern := range append(patterns{j.output}, j.inputs...) {
		if err := knownScheme(pattern); err != nil {
			return err
		}
	}
	_, err := j.terms.options()
	return err
}

func (j *job) run(ctx context.Context, engine func(context.Context, *sdk.Pipeline) error) (tally, error) {
	if err := j.unused(ctx); err != nil {
		return tally{}, err
	}
	p, s := sdk.NewPipelineWithRoot()
	j.build(s)
	if err := engine(ctx, p); err != nil {
		if ctx.Err() != nil {
			return tally{}, ctx.Err()
		}
		return tally{}, fmt.Errorf("the engine could not run the job: %s", cause(err))
	}
	t, err := readSummary(ctx, j.output)
	if err == nil {
		err = removeColumns(ctx, j.output)
	}
	return t, err
}

// cause returns the innermost error from an engine's layers.
func cause(err error) string {
	text := err.Error()
	if i := strings.LastIndex(text, "caused by:"); i >= 0 {
		text = text[i+len("caused by:"):]
	}
	if i := strings.LastIndex(text, "failed:\n"); i >= 0 {
		text = text[i+len("failed:\n"):]
	}
	return strings.TrimSpace(text)
}

// unused rejects a folder with files of an earlier run.
func (j *job) unused(ctx context.Context) error {
	for _, pattern := range []string{summaryName, reportNames} {
		names, err := storeOf(j.output).list(ctx, below(j.output, pattern))
		if err != nil {
			return err
		}
		for _, f := range names {
			if f.refused == "" {
				return fmt.Errorf("--output %s holds %s of an earlier run; name another folder", say.Quoted(j.output), say.Quoted(f.name))
			}
		}
	}
	return nil
}

// build constructs the pipeline: shuffled names to results, some by ranges; results to report shards; shards to the
// summary.
func (j *job) build(s sdk.Scope) {
	if j.mode == modeSessions {
		j.report(s.Scope("report"), j.sessions(s)...)
		return
	}
	names, missed := sdk.ParDo2(s.Scope("match"), &matchFn{Inputs: j.inputs}, sdk.Impulse(s))
	verify := &verifyFn{Terms: j.terms, Split: int64(j.split), All: j.mode == modeRanges}
	results, tasks := sdk.ParDo2(s.Scope("verify"), verify, sdk.Reshuffle(s, names))
	parts := sdk.ParDo(s.Scope("summarize"), &summarizeFn{Terms: j.terms, Output: j.output}, sdk.Reshuffle(s, tasks))
	merged := sdk.CombinePerKey(s.Scope("merge"), &mergeFn{}, parts)
	joined := sdk.ParDo(s.Scope("join"), &reportFn{Terms: j.terms}, merged)
	j.report(s.Scope("report"), results, joined, missed)
}

// report writes results. Each collection is sharded before they are combined, which saves two steps.
func (j *job) report(s sdk.Scope, results ...sdk.PCollection) {
	sharded := []sdk.PCollection{sdk.ParDo(s, &seedFn{Shards: j.shards}, sdk.Impulse(s))}
	for _, list := range results {
		sharded = append(sharded, sdk.ParDo(s, &shardFn{Shards: j.shards}, list))
	}
	written := sdk.ParDo(s, &writeFn{Output: j.output, Shards: j.shards, Sessions: j.mode == modeSessions}, sdk.GroupByKey(s, sdk.Flatten(s, sharded...)))
	sdk.ParDo0(s, &summaryFn{Output: j.output, Shards: j.shards}, sdk.GroupByKey(s, sdk.AddFixedKey(s, written)))
}
