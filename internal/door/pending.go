package door

import (
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"
)

// pending are the temporary files of this process. While there are any, a signal that ends
// the process removes them first.
var pending struct {
	sync.Mutex
	names []string
	stop  func() // of the watch for signals
}

// deadly are the signals that end a process which does not care for them. The first
// interrupt is the program's business: it ends what it does. So is the first of a signal
// that the program heeds.
var deadly = []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP}

// remember creates a temporary file that a signal removes. No signal falls between the
// two.
func remember(name string, create func() (File, error)) (File, error) {
	pending.Lock()
	defer pending.Unlock()
	f, err := create()
	if err != nil {
		return nil, err
	}
	if len(pending.names) == 0 {
		pending.stop = watchSignals()
	}
	pending.names = append(pending.names, name)
	return f, nil
}

// forget is for a temporary file that is no longer there.
func forget(name string) {
	pending.Lock()
	defer pending.Unlock()
	pending.names = slices.DeleteFunc(pending.names, func(n string) bool { return n == name })
	if len(pending.names) == 0 && pending.stop != nil {
		pending.stop()
		pending.stop = nil
	}
}

// watchSignals begins to wait for deadly signals; the function that it returns ends that.
func watchSignals() (stop func()) {
	signals := make(chan os.Signal, len(deadly))
	signal.Notify(signals, slices.DeleteFunc(slices.Clone(deadly), signal.Ignored)...)
	done := make(chan struct{})
	go func() {
		came := map[os.Signal]bool{}
		for {
			select {
			case s := <-signals:
				if came[s] || !heeds(s) {
					removePending()
					die(s)
				}
				came[s] = true
			case <-done:
				return
			}
		}
	}()
	return func() {
		signal.Stop(signals)
		close(done)
	}
}

// heeded are the signals besides the interrupt that the program answers itself.
var heeded sync.Map

// Heed says that the program answers the first signal of a kind itself from now on, as it
// does the first interrupt: temporary files stay until it has ended what it does. There is
// no way back: a signal may have come and not been looked at yet.
func Heed(s os.Signal) { heeded.Store(s, nil) }

func heeds(s os.Signal) bool {
	_, ok := heeded.Load(s)
	return ok || s == os.Interrupt
}

// removePending removes the temporary files, and keeps new ones from being made.
func removePending() {
	pending.Lock()
	for _, name := range pending.names {
		_ = system.Remove(name) // nobody is left to be told
	}
}

// die ends the process as the signal does.
func die(s os.Signal) {
	signal.Reset(s)
	raise(s)
	select {} // until it takes effect
}
