package bundle

import "slices"

// inEveryOrder reports for each element of a list of distinct numbers whether it is in all longest
// ascending subsequences: such elements were certainly not moved. It takes time n log n.
func inEveryOrder(list []int32) []bool {
	stays := make([]bool, len(list))
	if slices.IsSorted(list) {
		for i := range stays {
			stays[i] = true
		}
		return stays
	}
	upTo := longestEnding(list)
	backwards := slices.Clone(list)
	slices.Reverse(backwards)
	for i := range backwards {
		backwards[i] = -backwards[i]
	}
	from := longestEnding(backwards)
	slices.Reverse(from)
	longest := slices.Max(upTo)
	rivals := make([]int, longest+1) // elements that can be in that place of a longest part
	for i := range list {
		if upTo[i]+from[i]-1 == longest {
			rivals[upTo[i]]++
		}
	}
	for i := range list {
		stays[i] = upTo[i]+from[i]-1 == longest && rivals[upTo[i]] == 1
	}
	return stays
}

// longestEnding is the length of the longest ascending part that ends with each element.
func longestEnding(list []int32) []int {
	lengths := make([]int, len(list))
	var ends []int32 // the smallest element that a part of each length can end with
	for i, x := range list {
		at, _ := slices.BinarySearch(ends, x)
		if at == len(ends) {
			ends = append(ends, x)
		} else {
			ends[at] = x
		}
		lengths[i] = at + 1
	}
	return lengths
}
