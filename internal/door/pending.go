package door

import (
	"os"
	"os/signal"
	"slices"
	"sync"
	"syscall"
)

// pending holds this process's temporary files, which deadly signals remove first.
var pending struct {
	sync.Mutex
	names []string
	stop  func() // stops watching signals
}

// deadly lists the signals that end a process by default. The program handles the first interrupt itself, and the
// first of a signal passed to Heed.
var deadly = []os.Signal{os.Interrupt, syscall.SIGTERM, hangUp}

// remember creates a temporary file that signals remove. It starts watching before it creates the file.
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

// forget unregisters a removed temporary file.
func forget(name string) {
	pending.Lock()
	defer pending.Unlock()
	pending.names = slices.DeleteFunc(pending.names, func(n string) bool { return n == name })
	unwatch()
}

// unwatch stops watching signals if no temporary file is left.
func unwatch() {
	if len(pending.names) == 0 && pending.stop != nil {
		pending.stop()
		pending.stop = nil
	}
}

// undisturbed runs do without interruption by a signal, while a temporary file exists.
func undisturbed(do func() error) error {
	pending.Lock()
	defer pending.Unlock()
	return do()
}

// watchSignals starts to wait for deadly signals. stop ends it; signals that arrived earlier still take effect.
func watchSignals() (stop func()) {
	watched := slices.DeleteFunc(slices.Clone(deadly), signal.Ignored)
	if len(watched) == 0 {
		return func() {} // Notify without signals would mean all
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
		signal.Stop(signals) // no more signals arrive
		close(signals)
	}
}

// heeded holds the other signals that the program handles itself.
var heeded sync.Map

// Heed declares that the program handles the first signal s itself, like the first interrupt: temporary files are
// kept until it is done. It cannot be undone, because a signal can already be pending.
func Heed(s os.Signal) { heeded.Store(s, nil) }

func heeds(s os.Signal) bool {
	_, ok := heeded.Load(s)
	return ok || s == os.Interrupt
}

// removePending removes the temporary files and prevents new ones.
func removePending() {
	pending.Lock()
	for _, name := range pending.names {
		_ = system.Remove(name) // the process is ending: nothing can handle the error
	}
}

// die ends the process with the signal's default effect.
func die(s os.Signal) {
	signal.Reset(s)
	raise(s)
	select {} // until the signal takes effect
}
