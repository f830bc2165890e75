package racetest

import "testing"

// TestFirst: the seed draws every place from which a list can be gone through, and no other.
func TestFirst(t *testing.T) {
	for step := 1; step <= 8; step++ {
		for elements := range 20 {
			drawn := map[int]bool{}
			for seed := range uint64(200) {
				drawn[first(seed, step, elements)] = true
			}
			for place := range drawn {
				if place < 0 || place > 0 && place >= min(step, elements) {
					t.Errorf("%d elements, each %d.: the first is number %d", elements, step, place)
				}
			}
			if want := max(1, min(step, elements)); len(drawn) != want {
				t.Errorf("%d elements, each %d.: %d places are drawn, want %d", elements, step, len(drawn), want)
			}
		}
	}
}

// TestSome goes through all that there is without the detector, and through something with it.
func TestSome(t *testing.T) {
	list := []int{0, 10, 20, 30, 40, 50, 60, 70, 80}
	for n := range len(list) + 1 {
		met := 0
		for i, v := range Some(t, list[:n]) {
			if met++; v != 10*i {
				t.Errorf("number %d is %d", i, v)
			}
		}
		if step == 1 && met != n || n > 0 && met == 0 {
			t.Errorf("%d of %d elements", met, n)
		}
	}
}

// TestLarge goes through all with CUPEL_LAWS, and without it through a share of one residue.
func TestLarge(t *testing.T) {
	list := []int{0, 10, 20, 30, 40, 50, 60, 70, 80}
	for _, laws := range []string{"", "1"} {
		t.Setenv("CUPEL_LAWS", laws)
		for n := range len(list) + 1 {
			met := 0
			for i, v := range Large(t, 4, list[:n]) {
				if met++; v != 10*i {
					t.Errorf("number %d is %d", i, v)
				}
			}
			most := n
			if laws == "" {
				most = (n + 3) / 4
			}
			if met > most || n > 0 && met == 0 || step == 1 && laws != "" && met != n {
				t.Errorf("CUPEL_LAWS=%q: %d of %d elements", laws, met, n)
			}
		}
	}
}
