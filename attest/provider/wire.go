package provider

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/hashicorp/go-retryablehttp"

	"github.com/cupel-dev/cupel/internal/buildinfo"
)

// wire sends the requests of a service, with retries.
type wire struct {
	base      *url.URL
	key       string
	headers   map[string]string // for the origin of base alone
	timeout   time.Duration     // of one attempt, its body included
	pace      *pace
	bodies    *bodies
	transport *http.Transport
	retrying  *retryablehttp.Client
}

const maxHeaderBytes = 64 << 10

func newWire(base *url.URL, opt *Options) *wire {
	w := &wire{base: base, key: opt.Key, headers: opt.Headers, timeout: opt.Timeout, pace: newPace(opt.RPM), bodies: newBodies()}
	w.transport = http.DefaultTransport.(*http.Transport).Clone()
	w.transport.MaxIdleConns = opt.Concurrency
	w.transport.MaxIdleConnsPerHost = opt.Concurrency
	w.transport.MaxResponseHeaderBytes = maxHeaderBytes
	w.retrying = &retryablehttp.Client{
		HTTPClient:   &http.Client{Transport: (*attempt)(w), CheckRedirect: fewRedirects},
		RetryMax:     Attempts - 1,
		RetryWaitMin: firstWait, RetryWaitMax: longestWait,
		CheckRetry: retryable, Backoff: backoff,
		ErrorHandler: retryablehttp.PassthroughErrorHandler,
	}
	return w
}

// exchange is the state of one call over its attempts.
type exchange struct {
	coldest  bool               // the temperature is 0, which the library leaves out
	check    func([]byte) error // says whether a body can be read without harm
	attempts int
	wait     time.Duration // that the service asks for and that the evaluation does not have
}

type exchangeKey struct{}

func (x *exchange) in(ctx context.Context) context.Context {
	return context.WithValue(ctx, exchangeKey{}, x)
}

func exchangeOf(ctx context.Context) *exchange { return ctx.Value(exchangeKey{}).(*exchange) }

// Do implements openai.HTTPDoer.
func (w *wire) Do(req *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(req.Body) // it is in memory
	if err != nil {
		return nil, err
	}
	if exchangeOf(req.Context()).coldest {
		body = withTemperature0(body)
	}
	again, err := retryablehttp.FromRequest(req)
	if err != nil {
		return nil, err
	}
	if err := again.SetBody(body); err != nil {
		return nil, err
	}
	resp, err := w.retrying.Do(again)
	if err != nil && resp != nil {
		_ = resp.Body.Close()
	}
	return resp, err
}

// withTemperature0 adds "temperature": 0, which the library omits.
func withTemperature0(body []byte) []byte {
	return append([]byte(`{"temperature":0,`), bytes.TrimPrefix(body, []byte("{"))...)
}

// attempt is the http.RoundTripper of one attempt.
type attempt wire

// RoundTrip implements http.RoundTripper and reads the whole body. It sends the key only to the base URL's origin,
// regardless of redirects.
func (w *attempt) RoundTrip(req *http.Request) (*http.Response, error) {
	x := exchangeOf(req.Context())
	if req.Response == nil { // else it follows a redirection
		x.attempts++
	}
	if err := w.pace.wait(req.Context()); err != nil {
		if req.Body != nil { // it is nil after some redirections
			_ = req.Body.Close()
		}
		return nil, err
	}
	ctx, cancel := context.WithTimeout(req.Context(), w.timeout)
	defer cancel()
	own := req.Clone(ctx)
	if w.base.RawQuery != "" && req.Response == nil {
		own.URL.RawQuery = w.base.RawQuery
	}
	own.Header.Set("User-Agent", "cupel/"+buildinfo.Version)
	if w.key != "" && origin(own.URL) == origin(w.base) {
		own.Header.Set("Authorization", "Bearer "+w.key)
		if strings.Contains(w.base.Path, "/openai/deployments/") {
			own.Header.Set("Api-Key", w.key) // Azure: the deployment determines the model
		}
	}
	if origin(own.URL) == origin(w.base) {
		for name, value := range w.headers {
			own.Header.Set(name, value)
		}
	}
	resp, err := w.transport.RoundTrip(own)
	if err == nil {
		err = w.bodies.read(ctx, resp, x.check)
	}
	if err != nil && ctx.Err() != nil && req.Context().Err() == nil {
		err = &tooSlow{w.timeout}
	}
	if err != nil {
		return nil, err
	}
	return resp, nil
}

// tooSlow reports that an attempt timed out.
type tooSlow struct{ limit time.Duration }

func (e *tooSlow) Error() string { return fmt.Sprintf("no answer within %s", e.limit) }

const maxRedirects = 3

// fewRedirects follows redirects only within one origin, so that texts only go to the configured service.
func fewRedirects(req *http.Request, via []*http.Request) error {
	if to := origin(req.URL); to != origin(via[0].URL) {
		return fmt.Errorf("the service redirects to another host, %s, and cupel does not follow", to)
	}
	if len(via) > maxRedirects {
		return fmt.Errorf("stopped after %d redirects", maxRedirects)
	}
	return nil
}

// The delay between attempts doubles from the first to the maximum, unless the service gives one.
const (
	firstWait   = 500 * time.Millisecond
	longestWait = 8 * time.Second
)

// retryable implements retryablehttp.CheckRetry.
func retryable(ctx context.Context, resp *http.Response, err error) (bool, error) {
	if ctx.Err() != nil {
		return false, ctx.Err()
	}
	var fast *tooFast
	var bad *badBody
	switch {
	case errors.As(err, &fast), errors.As(err, &bad):
		return false, nil
	case err != nil:
		return retryablehttp.DefaultRetryPolicy(ctx, nil, err)
	case resp.StatusCode == http.StatusTooManyRequests, resp.StatusCode == http.StatusRequestTimeout, resp.StatusCode >= http.StatusInternalServerError:
	default:
		return false, nil
	}
	x := exchangeOf(ctx)
	if x.attempts >= Attempts {
		return true, nil // no wait after the last attempt
	}
	end, bounded := ctx.Deadline()
	if wait := asked(resp); bounded && wait > time.Until(end) {
		x.wait = wait
		return false, nil
	}
	return true, nil
}

// asked returns the delay in a reply's Retry-After header: seconds, or a date.
func asked(resp *http.Response) time.Duration {
	if resp == nil {
		return 0
	}
	if ms, err := strconv.ParseUint(resp.Header.Get("Retry-After-Ms"), 10, 64); err == nil {
		return time.Duration(min(ms, longestAsked*1000)) * time.Millisecond
	}
	text := resp.Header.Get("Retry-After")
	if n, err := strconv.ParseUint(text, 10, 64); err == nil || errors.Is(err, strconv.ErrRange) {
		return time.Duration(min(n, longestAsked)) * time.Second
	}
	at, err := http.ParseTime(text)
	if err != nil {
		return 0
	}
	return max(0, time.Until(at))
}

// longestAsked caps longer times, in seconds.
const longestAsked = 1e9

// backoff implements retryablehttp.Backoff. Half of the time is random, to spread retries.
func backoff(first, longest time.Duration, number int, resp *http.Response) time.Duration {
	wait := min(first<<number, longest)
	return max(asked(resp), wait/2+rand.N(wait/2+1))
}
