//go:build race

package racetest

const step = 11
