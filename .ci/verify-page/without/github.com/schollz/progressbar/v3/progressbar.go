// Package progressbar stands in for the package of that name: verify.html has no terminal.
package progressbar

import (
	"io"
	"time"
)

type (
	ProgressBar struct{}
	Option      struct{}
)

func NewOptions64(int64, ...Option) *ProgressBar          { return &ProgressBar{} }
func (*ProgressBar) Add(int) error                        { return nil }
func (*ProgressBar) Add64(int64) error                    { return nil }
func (*ProgressBar) Describe(string)                      {}
func (*ProgressBar) RenderBlank() error                   { return nil }
func (*ProgressBar) Clear() error                         { return nil }
func (*ProgressBar) Finish() error                        { return nil }
func (*ProgressBar) Exit() error                          { return nil }
func OptionSetWriter(io.Writer) Option                    { return Option{} }
func OptionSetDescription(string) Option                  { return Option{} }
func OptionSetWidth(int) Option                           { return Option{} }
func OptionShowBytes(bool) Option                         { return Option{} }
func OptionSetPredictTime(bool) Option                    { return Option{} }
func OptionSetElapsedTime(bool) Option                    { return Option{} }
func OptionUseIECUnits(bool) Option                       { return Option{} }
func OptionThrottle(time.Duration) Option                 { return Option{} }
func OptionSetSpinnerChangeInterval(time.Duration) Option { return Option{} }
