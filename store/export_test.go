package store

// SetFault makes every step of a write ask f first, which may fail it or end the
// process.
func (s *Store) SetFault(f func(step string) error) { s.fails = f }
