package check

// InBlocks makes the blocks of lines so small.
func (o Options) InBlocks(bytes int) Options {
	o.block = bytes
	return o
}
