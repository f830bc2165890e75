package ordered

import "io"

// Batches is a Pipeline's Read of a list, some elements at a time: handing one on costs more
// than the work on many a small file. A batch has at most the given number of elements,
// which weigh at most the given weight together, or is a single heavier one.
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
