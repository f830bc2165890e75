package session

import (
	"testing"

	"github.com/cupel-dev/cupel/internal/racetest"
)

func TestMain(m *testing.M) {
	racetest.FewerLaws()
	m.Run()
}
