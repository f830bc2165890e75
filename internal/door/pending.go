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

// remember creates a temporary file that a signal removes. Signals are watched before the
// file is there, and one that comes meanwhile waits for its name.
func remember(name string, create func() (File, error)) (File, error) {
	pending.Lock()
	defer pending.Unlock()
	if len(pending.names) == 0 {
		pending.stop = watchSignals()
	}
	f, err := create()
	if err == nil {
		pending.names = append(pending.names, name)
	}
	unwatch()
	return f, err
}

// forget is for a temporary file that is no longer there.
func forget(name string) {
	pending.Lock()
	defer pending.Unlock()
	pending.names = slices.DeleteFunc(pending.names, func(n string) bool { return n == name })
	unwatch()
}

// unwatch ends the watch for signals when there is no temporary file.
func unwatch() {
	if len(pending.names) == 0 && pending.stop != nil {
		pending.stop()
		pending.stop = nil
	}
}

// undisturbed does what a signal must not divide. It is for while there is a temporary file.
func undisturbed(do func() error) error {
	pending.Lock()
	defer pending.Unlock()
	return do()
}

// watchSignals begins to wait for deadly signals; the function that it returns ends that.
// What came before the end still takes effect.
func watchSignals() (stop func()) {
	watched := slices.DeleteFunc(slices.Clone(deadly), signal.Ignored)
	if len(watched) == 0 {
		return func() {} // none would mean all
	}
	signals := make(chan os.Signal, len(deadly))
	signal.Notify(signals, watched...)
	go func() {
		came := map[os.Signal]bool{}
		for s := range signals {
			if came[s] || !heeds(s) {
				removePending()
				die(s)
			}
			came[s] = true
		}
	}()
	return func() {
		signal.Stop(signals) // nothing is sent any more
		close(signals)
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
