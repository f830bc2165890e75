package ordered

import "io"

// Batches returns a Pipeline.Read that returns batches of a list, because passing a small item to a worker costs
// more than processing it. A batch has at most number elements with a total weight of at most weight, or one
// heavier element.
func Batches[T any](list []T, number, weight int, weigh func(T) int) func([]T) ([]T, error) {
	return func([]T) ([]T, error) {
		if len(list) == 0 {
			return nil, io.EOF
		}
		n, total := 1, weigh(list[0])
		for n < min(len(list), number) && total+weigh(list[n]) <= weight {
			total += weigh(list[n])
			n++
		}
		batch := list[:n]
		list = list[n:]
		return batch, nil
	}
}
