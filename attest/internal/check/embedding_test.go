package check

import "testing"

// TestRounded: a score is written short, but never so that it seems to lie on another side of
// its threshold.
func TestRounded(t *testing.T) {
	for _, c := range []struct {
		score, threshold float64
		want             string
	}{
		{0.9134567, 0.82, "0.91"},
		{0.6099999, 0.82, "0.61"},
		{0.8196, 0.82, "0.8196"},
		{0.81999, 0.82, "0.81999"},
		{0.82, 0.82, "0.82"},
		{0.8200000001, 0.82, "0.8200000001"},
		{0.999, 1, "0.999"},
		{1, 1, "1"},
		{-0.001, 0, "-0.001"},
		{-0.001, 0.5, "0"},
		{-1, 0, "-1"},
		{0.30000000000000004, 0.3, "0.30000000000000004"},
	} {
		if got := rounded(c.score, c.threshold); got != c.want {
			t.Errorf("%v beside %v is written %s, want %s", c.score, c.threshold, got, c.want)
		}
	}
}

// TestCosine: the angle of two vectors does not depend on their lengths.
func TestCosine(t *testing.T) {
	for _, c := range []struct {
		a, b []float32
		want float64
	}{
		{[]float32{3, 4}, []float32{6, 8}, 1},
		{[]float32{0.1, 0.7, 0.3}, []float32{0.1, 0.7, 0.3}, 1},
		{[]float32{1e-30, 1e-30}, []float32{1e30, 1e30}, 1},
		{[]float32{3, 4}, []float32{5, 0}, 0.6},
		{[]float32{1, 0}, []float32{0, 1}, 0},
		{[]float32{1, 0}, []float32{-2, 0}, -1},
	} {
		if got, err := cosine(c.a, c.b); err != nil || got-c.want > 1e-15 || c.want-got > 1e-15 || c.want == 1 && got != 1 {
			t.Errorf("%v and %v: %v, %v", c.a, c.b, got, err)
		}
	}
}
