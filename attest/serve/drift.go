package serve

import (
	"context"

	"github.com/cupel-dev/cupel/attest"
	"github.com/cupel-dev/cupel/internal/rpc"
)

// queryDrift reports on an assertion's scores. It runs on a worker, because the history can be long.
func (s *session) queryDrift(r rpc.Request) (rpc.Reply, error) {
	params, err := s.read(r)
	if err != nil {
		return rpc.Reply{}, err
	}
	f := fields{node: params, method: methodDrift}
	id, window := f.name("assertion_id"), f.count("window_size", attest.DriftWindow)
	if f.problem != "" {
		return rpc.Reply{}, attest.NewError(attest.CodeInvalidParams, f.problem,
			"query_drift needs assertion_id (a non-empty string). window_size (optional) is the number of latest scores to use.")
	}
	return rpc.Reply{Work: func(ctx context.Context, _ *[]byte) rpc.Answer {
		report, err := s.engine.QueryDrift(ctx, id, window)
		if err != nil {
			return s.refused(methodDrift, err)
		}
		return rpc.Answer{Result: append(report.AppendJSON([]byte(`{"report":`)), '}')}
	}}, nil
}
