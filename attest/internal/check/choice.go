package check

// namedCheck is a value of the spec's member "check".
type namedCheck struct {
	name    string
	compile func(*spec) Check
}

func namesOf(list []namedCheck) []string {
	names := make([]string, len(list))
	for i, c := range list {
		names[i] = c.name
	}
	return names
}

func chosen(s *spec, what string, list []namedCheck) Check {
	name := s.choose("check", what, namesOf(list))
	for _, c := range list {
		if c.name == name {
			return c.compile(s)
		}
	}
	return nil
}
