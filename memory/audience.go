package memory

// Audience says who reads the answer, which is not always who asks.
type Audience string

// The audiences, from the one that sees all to the one that sees least.
const (
	Trusted Audience = "trusted" // the owner, alone
	Owner   Audience = "owner"   // the owner asks, others read along
	Public  Audience = "public"  // others
)

// ParseAudience gives the audience named s. Anything but the three names,
// the empty string too, is an error that wraps ErrUsage.
func ParseAudience(s string) (Audience, error) {
	switch a := Audience(s); a {
	case Trusted, Owner, Public:
		return a, nil
	}
	return "", Errorf(ErrUsage, "unknown audience %q (trusted, owner or public)", s)
}

// Sees is the one check of privacy: a private memory exists only for Trusted.
// An unknown audience sees nothing.
func (a Audience) Sees(m *Memory) bool {
	switch a {
	case Trusted:
		return true
	case Owner, Public:
		return !m.Private
	}
	return false
}

// Lower gives the lesser of a and b; an unknown audience counts as Public.
// No audience is ever raised.
func (a Audience) Lower(b Audience) Audience {
	if a.rank() < b.rank() {
		return a.known()
	}
	return b.known()
}

func (a Audience) rank() int {
	switch a {
	case Trusted:
		return 2
	case Owner:
		return 1
	}
	return 0
}

func (a Audience) known() Audience {
	if a.rank() == 0 {
		return Public
	}
	return a
}

// Writes reports whether a may change the memory at all.
func (a Audience) Writes() bool { return a.rank() > 0 }
