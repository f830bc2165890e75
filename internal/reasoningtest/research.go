package reasoningtest

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// Sizes of a round of Research: a gather step of calls with two pieces of evidence each, and a derive step of
// claims with two citations each.
const (
	roundCalls  = 5
	roundClaims = 16
	roundEvents = 2 + 4*roundCalls + 2 + roundClaims
)

// Research returns a run with rounds of reading and concluding: about events events, a quarter of them evidence of
// 100 to 700 bytes. It is deterministic.
func Research(shape Shape, events int) *Run {
	random := rand.New(rand.NewPCG(uint64(events), 7))
	r := New(shape, "How did the service behave through the year?")
	last := ""
	for round := range max(1, events/roundEvents) {
		last = r.round(random, round, last)
	}
	return r
}

func (r *Run) round(random *rand.Rand, round int, last string) string {
	var after []string
	if last != "" {
		after = []string{last}
	}
	gather := r.Open(fmt.Sprintf("node_v1_%s", Hash(fmt.Sprint("gather", round))), "gather", after...)
	var sources []Source
	var ids []string
	for i := range roundCalls {
		call := "call_v1_" + Hash(fmt.Sprint("call", round, i))
		gather.Call(call, "retrieve", Object{"query": words(random, 4), "top_k": 2}, Object{"hits": 2, "score": random.Float64()})
		for range 2 {
			text := words(random, 15+random.IntN(85)) + "."
			id := "ev_v1_" + Hash(fmt.Sprint(round, len(sources), text))
			sources = append(sources, gather.Evidence(id, fmt.Sprintf("corpus://day-%d#0-%d", round, len(text)), 100*i, text))
			ids = append(ids, id)
		}
	}
	gather.Close(Object{"type": "gather", "evidence_ids": ids, "retrieval_queries": []string{}, "retrieval_provenance": Object{}})
	derive := r.Open(fmt.Sprintf("node_v1_%s", Hash(fmt.Sprint("derive", round))), "derive", gather.id)
	for i := range roundClaims {
		a, b := sources[i%len(sources)], sources[(i+3)%len(sources)]
		derive.Claim("claim_v1_"+Hash(fmt.Sprint("claim", round, i)), words(random, 12), quote(random, a), quote(random, b))
	}
	derive.Close(Object{"type": "derive", "claim_ids": []string{}})
	return derive.id
}

// quote cites a part of a source, or all of it.
func quote(random *rand.Rand, s Source) Cite {
	all := strings.Fields(s.Text)
	if random.IntN(4) == 0 {
		return Cite{s, s.Text}
	}
	from := random.IntN(len(all) / 2)
	return Cite{s, strings.Join(all[from:from+len(all)/2], " ")}
}

var vocabulary = strings.Fields(`the service answered requests within its limits while a queue of jobs grew
	on two nodes after the deploy and shrank again once workers were added latency at the edge stayed below
	forty milliseconds für Zürich and São Paulo errors came from one upstream that timed out during backups
	operators raised the limit and wrote down why memory fell back to normal overnight`)

func words(random *rand.Rand, n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = vocabulary[random.IntN(len(vocabulary))]
	}
	return strings.Join(list, " ")
}
